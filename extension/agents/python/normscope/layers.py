"""The norm layers of this process."""

from __future__ import annotations

import sys
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from typing import Callable
from weakref import ref

from torch import Tensor, nn

from .geometry import Geometry
from .locations import Location
from .output_gradient import Hook
from .parameters import Held
from .passes import Pass
from .summary import Summary
from .sums import LastScale

MAX_LAYERS = 4096
#: Most callers of one module that are told apart; see ``limits.ts``.
MAX_CALLS = 8
#: Captured steps without a call after which a layer counts as silent: models may skip some.
_SILENT_STEPS = 3
TAPS = ("pre", "post", "gradPost", "gradPre")
PRE, POST, GRAD_POST, GRAD_PRE = range(4)


@dataclass(eq=False, repr=False)
class Site:
    """A place in the program that calls a norm of ``torch.nn.functional``."""

    #: Such as ``layer_norm``.
    function: str
    #: The parameters and running statistics of its last call by the names that modules give them:
    #: ``weight``, ``bias``, ``running_mean``, ``running_var``.
    given: dict[str, ref[Tensor]] = field(default_factory=dict)


def _nowhere() -> None:
    return None


class Layer:
    """One norm layer instance: who it is, and what was seen of it in the current step."""

    def __init__(
        self, number: int, owner: nn.Module | None, constructed_at: Location | None
    ) -> None:
        self.id = number
        #: Gives its module, or the one in whose code a functional call is; None when it is gone.
        self.reference: Callable[[], nn.Module | None] = _nowhere if owner is None else ref(owner)
        self.owned = owner is not None
        self.class_name = type(owner).__name__
        self.name = ""
        #: Which call of its module in a forward pass it stands for, counted from 0.
        self.call = 0
        #: The layers of the same module for its further calls, in order.
        self.others: list[Layer] = []
        #: Whether its module is called too often for its calls to be told apart.
        self.together = False
        #: The layer whose figures include its own since then.
        self.into: Layer | None = None
        #: The forward pass in which its module was called last, and how often it was.
        self.seen_in: Pass | None = None
        self.calls_seen = 0
        #: Where the program calls a function of ``torch.nn.functional``; None for a module.
        self.site: Site | None = None
        self.constructed_at = constructed_at
        self.called_at: Location | None = None
        self.geometry: Geometry | None = None
        self.input_shape: tuple[int, ...] = ()
        self.dtype = ""
        self.eps: float | None = None
        self.momentum: float | None = None
        #: Whether its gain is 1 + weight.
        self.one_plus_weight = False
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
        #: Whether a module that calls it may be given a padding mask; None before its first call.
        self.may_be_padded: bool | None = None
        #: Bool [rows], true for rows of the current call's input that are padding; None for none.
        self.row_mask: Tensor | None = None
        #: Whether padding was ever seen in it.
        self.padded = False
        #: Names of its vectors in the order of ``parameters.PARAMETERS``.
        self.vectors: tuple[str, ...] = ()
        #: Its parameters and running statistics before this step's update; None before its first
        #: call in the step.
        self.held: Held | None = None
        #: Accumulated this step; None where a tap did not fire.
        self.taps: list[Summary | None] = [None, None, None, None]
        #: Of each tap.
        self.last_scales = [LastScale() for _ in TAPS]
        #: Most samples a tap ever had; 0 before it fired.
        self.samples = [0, 0, 0, 0]
        #: Captured steps since it was measured last.
        self.silent_steps = 0
        #: Backward pass before which the last ordinary forward pass was counted.
        self.counted_before = -1
        #: Of the output.
        self.gradient_hook: Hook | None = None

    @property
    def fired(self) -> bool:
        """Whether a tap of it was ever measured."""
        return any(self.samples)

    @property
    def fell_silent(self) -> bool:
        """Whether it was measured and is no more."""
        return self.fired and self.silent_steps >= _SILENT_STEPS

    @property
    def gone(self) -> bool:
        """Whether nothing can call it any more."""
        return self.owned and self.reference() is None

    @property
    def all_calls(self) -> list[Layer]:
        """Itself and the layers of its module's further calls."""
        return [self, *self.others]

    def tensors(self) -> dict[str, Tensor]:
        """Its parameters and buffers by name; those given last, for a functional call."""
        if self.site is not None:
            held = {name: kept() for name, kept in self.site.given.items()}
            return {name: tensor for name, tensor in held.items() if tensor is not None}
        module = self.reference()
        if module is None:
            return {}
        found = {**module._buffers, **module._parameters}
        return {name: tensor for name, tensor in found.items() if tensor is not None}


class LayerTable:
    """Layers by module or functional call, without keeping a module alive."""

    def __init__(self) -> None:
        self._by_key: dict[Hashable, Layer] = {}
        self._count = 0
        self._next = 0
        #: Something that the layout tells has changed.
        self.changed = False
        #: A norm layer was found at some time, be it gone by now.
        self.seen = False
        #: A module was turned away.
        self.overflowed = False
        #: No further module is taken.
        self.closed = False
        #: Told a layer that takes over what its others saw, before they are gone.
        self.joined: Callable[[Layer], None] = lambda first: None

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Layer]:
        return iter([one for first in list(self._by_key.values()) for one in first.all_calls])

    def find(self, module: nn.Module) -> Layer | None:
        """The layer of ``module``, for its first call of a pass; None where it was not entered."""
        return self.at(id(module), module)

    def at(self, key: Hashable, owner: nn.Module | None) -> Layer | None:
        """The layer of a key. An address that a new module took over from one that is gone does
        not count."""
        layer = self._by_key.get(key)
        return layer if layer is not None and layer.reference() is owner else None

    def add(self, module: nn.Module, constructed_at: Location | None) -> Layer | None:
        """Enters a module; None when there are too many."""
        layer = self._made(module, constructed_at)
        if layer is not None:
            self._enter(id(module), layer)
        return layer

    def add_site(self, key: Hashable, owner: nn.Module | None, function: str) -> Layer | None:
        """Enters a functional call within ``owner``; None when there are too many."""
        layer = self._made(owner, None)
        if layer is not None:
            layer.site = Site(function)
            layer.class_name = f"F.{function}"
            self._enter(key, layer)
        return layer

    def _enter(self, key: Hashable, layer: Layer) -> None:
        displaced = self._by_key.get(key)
        if displaced is not None:
            self._count -= len(displaced.all_calls)
        self._by_key[key] = layer

    def of_call(self, first: Layer, number: int) -> Layer:
        """The layer for the call ``number`` of a pass, counted from 0, of the module of ``first``.

        Beyond the bound they become one layer again, for good.
        """
        if number == 0 or first.together:
            return first
        if number >= MAX_CALLS:
            self._join(first)
            return first
        if number <= len(first.others):
            return first.others[number - 1]
        other = self._made(first.reference(), first.constructed_at)
        if other is None:
            return first
        other.call = number
        other.certain, other.class_name = first.certain, first.class_name
        other.called_at = first.called_at
        if first.site is not None:
            other.site = Site(first.site.function)
            other.status.update(first.status)
        first.others.append(other)
        return other

    def _join(self, first: Layer) -> None:
        for other in first.others:
            other.into = first
        self._count -= len(first.others)
        self.joined(first)
        first.others = []
        first.together = True
        self.changed = True

    def _made(self, owner: nn.Module | None, constructed_at: Location | None) -> Layer | None:
        if self._count >= MAX_LAYERS and not self.closed:
            self.forget_dead()
        if self.closed or self._count >= MAX_LAYERS:
            self.changed = self.changed or not self.overflowed
            self.overflowed = True
            return None
        layer = Layer(self._next, owner, constructed_at)
        self._next += 1
        self._count += 1
        self.changed = True
        return layer

    def set_status(self, layer: Layer, code: str, reason: str | None) -> None:
        """Sets a status with its sentence, or takes it away."""
        if layer.status.get(code) == reason:
            return
        if reason is None:
            layer.status.pop(code, None)
        else:
            layer.status[code] = reason
        self.changed = True

    def note_silence(self, layer: Layer, silent: bool) -> None:
        """Notes whether a captured step went by without a call of ``layer``."""
        before = layer.fell_silent
        layer.silent_steps = layer.silent_steps + 1 if silent else 0
        # Only a compiler makes it worth a look: models may leave out layers as they like.
        if layer.fell_silent != before and "torch._dynamo.utils" in sys.modules:
            self.changed = True

    def forget_dead(self) -> None:
        """Takes out the layers whose modules are gone."""
        for key, layer in list(self._by_key.items()):
            if layer.gone:
                self._take_out(key)

    def _take_out(self, key: Hashable) -> None:
        layer = self._by_key.pop(key, None)
        if layer is not None:
            self._count -= len(layer.all_calls)
            self.changed = True
