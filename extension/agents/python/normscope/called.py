"""One call of a norm, whichever way the program makes it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any, Protocol

from torch import Tensor, nn

from .axes import geometry_of
from .classes import Unsuitable, activates, class_name_of
from .discovery import Discovery
from .gain import is_one_plus_weight
from .geometry import Geometry
from .layers import Layer
from .reading import input_of, number


class Called(Protocol):
    """What the taps need to know of a call."""

    @property
    def key(self) -> Hashable:
        """Two calls of one key on one thread at the same time are one call."""

    @property
    def x(self) -> Tensor | None:
        """Its input; None for no tensor."""

    @property
    def training(self) -> bool:
        """Whether it is in training mode."""

    @property
    def uses_batch(self) -> bool:
        """Whether it normalizes by its input, and not by running statistics it may have."""

    @property
    def owner(self) -> nn.Module | None:
        """The module itself, or the one in whose code the call is."""

    def known(self) -> Layer | None:
        """Its layer, for the first call of a pass, if it was entered."""

    def layer(self) -> Layer | None:
        """The same; enters it if it was not, and gives None where there is no room."""

    def others(self) -> Iterable[Any]:
        """What else it computes with."""

    def geometry(self, layer: Layer) -> Geometry:
        """Axes of its input; raises :class:`Unsuitable` or :class:`Unsupported`."""

    def describe(self, layer: Layer) -> None:
        """Tells ``layer`` its class name, eps and momentum."""

    def note(self, layer: Layer) -> None:
        """Tells ``layer`` what is new with every call."""


class ModuleCall:
    """A call of a norm module."""

    __slots__ = ("_args", "_discovery", "_kwargs", "_module", "key")

    def __init__(
        self, discovery: Discovery, module: nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> None:
        self._discovery = discovery
        self._module = module
        self._args = args
        self._kwargs = kwargs
        self.key: Hashable = id(module)

    @property
    def x(self) -> Tensor | None:
        return input_of(self._args, self._kwargs)

    @property
    def training(self) -> bool:
        return self._module.training

    @property
    def uses_batch(self) -> bool:
        return self._module.training

    @property
    def owner(self) -> nn.Module | None:
        return self._module

    def known(self) -> Layer | None:
        return self._discovery.known(self._module)

    def layer(self) -> Layer | None:
        return self._discovery.of(self._module)

    def others(self) -> Iterable[Any]:
        module = self._module
        held = (*module._parameters.values(), *module._buffers.values())
        return (*self._args, *self._kwargs.values(), *held)

    def geometry(self, layer: Layer) -> Geometry:
        x = self.x
        if x is None or (not layer.fired and self._discovery.is_block(self._module)):
            raise Unsuitable
        return geometry_of(self._module, x, self._discovery.extra)

    def describe(self, layer: Layer) -> None:
        module = self._module
        layer.class_name = class_name_of(module)
        layer.one_plus_weight = is_one_plus_weight(type(module))
        layer.eps = number(module, "eps", "variance_epsilon", "epsilon")
        has_running = getattr(module, "running_mean", None) is not None
        layer.momentum = number(module, "momentum") if has_running else None
        if activates(module):
            layer.status["fused"] = (
                "Its class applies an activation behind the normalization, so its output and the "
                "gradient there are those behind the activation."
            )

    def note(self, layer: Layer) -> None:
        return
