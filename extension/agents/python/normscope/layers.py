"""The norm layers of this process."""

from __future__ import annotations

import weakref
from collections.abc import Iterator

from torch import nn

from .geometry import Geometry
from .locations import Location
from .output_gradient import Hook
from .statistics import Summary

MAX_LAYERS = 4096
TAPS = ("pre", "post", "gradPost", "gradPre")
PRE, POST, GRAD_POST, GRAD_PRE = range(4)


class Layer:
    """One norm layer instance: who it is, and what was seen of it in the current step."""

    def __init__(self, number: int, module: nn.Module, constructed_at: Location | None) -> None:
        self.id = number
        self.reference = weakref.ref(module)
        self.class_name = type(module).__name__
        self.name = ""
        self.constructed_at = constructed_at
        self.called_at: Location | None = None
        self.geometry: Geometry | None = None
        self.input_shape: tuple[int, ...] = ()
        self.dtype = ""
        self.eps: float | None = None
        self.momentum: float | None = None
        #: Named as long as nothing is known against it: PyTorch's own, or seen to fit.
        self.certain = False
        self.off = False
        self.failures = 0
        self.status: dict[str, str] = {}
        #: Why the input of its last call can not be read, as a sentence; None where it can.
        self.unreadable: str | None = None
        #: Whether its status says that the last call could not be measured.
        self.hindered = False
        #: Whether an operation in place behind it would hide its gradients.
        self.in_place_hides = False
        #: Whether a gradient of this step carried a gradient scaler's factor.
        self.scaled = False
        #: Accumulated this step; None where a tap did not fire.
        self.taps: list[Summary | None] = [None, None, None, None]
        #: Most samples a tap ever had; 0 before it fired.
        self.samples = [0, 0, 0, 0]
        #: Backward pass before which the last ordinary forward pass was counted.
        self.counted_before = -1
        #: Of the output.
        self.gradient_hook: Hook | None = None

    @property
    def fired(self) -> bool:
        """Whether a tap of it was ever measured."""
        return any(self.samples)


class LayerTable:
    """Layers by module, without keeping a module alive."""

    def __init__(self) -> None:
        self._by_module: dict[int, Layer] = {}
        self._next = 0
        #: Something that the layout tells has changed.
        self.changed = False
        #: A norm layer was found at some time, be it gone by now.
        self.seen = False
        #: A module was turned away.
        self.overflowed = False
        #: No further module is taken.
        self.closed = False

    def __len__(self) -> int:
        return len(self._by_module)

    def __iter__(self) -> Iterator[Layer]:
        return iter(list(self._by_module.values()))

    def find(self, module: nn.Module) -> Layer | None:
        """The layer of ``module``; None where it was not entered. An address that a new module
        took over from one that is gone does not count."""
        layer = self._by_module.get(id(module))
        return layer if layer is not None and layer.reference() is module else None

    def add(self, module: nn.Module, constructed_at: Location | None) -> Layer | None:
        """Enters a module; None when there are too many."""
        if len(self._by_module) >= MAX_LAYERS and not self.closed:
            self.forget_dead()
        if self.closed or len(self._by_module) >= MAX_LAYERS:
            self.changed = self.changed or not self.overflowed
            self.overflowed = True
            return None
        layer = Layer(self._next, module, constructed_at)
        self._next += 1
        self._by_module[id(module)] = layer
        self.changed = True
        return layer

    def remove(self, layer: Layer) -> None:
        """Takes a layer out, as if its module had never been entered."""
        for key, known in list(self._by_module.items()):
            if known is layer:
                del self._by_module[key]
                self.changed = True

    def set_status(self, layer: Layer, code: str, reason: str | None) -> None:
        """Sets a status with its sentence, or takes it away."""
        if layer.status.get(code) == reason:
            return
        if reason is None:
            layer.status.pop(code, None)
        else:
            layer.status[code] = reason
        self.changed = True

    def forget_dead(self) -> None:
        """Takes out the layers whose modules are gone."""
        for key, layer in list(self._by_module.items()):
            if layer.reference() is None:
                del self._by_module[key]
                self.changed = True
