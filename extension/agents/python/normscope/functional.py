"""Norms of ``torch.nn.functional`` that a program calls outside a norm module.

Each place in the program that calls one is a layer of its own, named after the module in whose
code it is: ``encoder.layers.0.F.layer_norm``.

The functions stay the objects they are, since programs import them by name and compare them in
``__torch_function__``: only the code that they run is replaced, by code of the same parameters
that says it comes from the same file and line. So signatures, sources and scripting are as before.
Calls of ``torch.layer_norm`` and its like, which those functions make, are not seen by themselves.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Hashable, Iterable
from types import FrameType
from typing import Any, Callable
from weakref import ref

import torch.nn.functional as functions
from torch import Tensor, nn

from .axes import function_geometry
from .classes import Unsupported
from .geometry import Geometry
from .layers import Layer, LayerTable
from .passes import running
from .reading import finite

#: The functions, each with its family.
FAMILIES = {
    "layer_norm": "layer",
    "rms_norm": "rms",
    "batch_norm": "batch",
    "group_norm": "group",
    "instance_norm": "instance",
}
#: The argument that tells whether statistics are of the input or given.
_BATCH_ARGUMENT = {"batch_norm": "training", "instance_norm": "use_input_stats"}
_HANDLER = "_normscope_{}"
_GIVEN = ("weight", "bias", "running_mean", "running_var")

#: Takes the function's name, what it was before, and its arguments by name; returns its result.
Handler = Callable[[str, Callable[..., Any], "dict[str, Any]"], Any]


def observe(handler: Handler) -> None:
    """Has ``handler`` called instead of each of the functions."""
    for name in FAMILIES:
        function = getattr(functions, name, None)
        if isinstance(function, types.FunctionType):
            _observe(function, name, handler)


def _observe(function: types.FunctionType, name: str, handler: Handler) -> None:
    code = function.__code__
    plain = not code.co_freevars and not code.co_kwonlyargcount and not code.co_flags & 0x0C
    names = code.co_varnames[: code.co_argcount]
    where = _HANDLER.format(name)
    if not plain or not names or where in function.__globals__:
        return
    original = types.FunctionType(code, function.__globals__, name, function.__defaults__)

    def handle(*values: Any) -> Any:
        return handler(name, original, dict(zip(names, values)))

    made: dict[str, Any] = {}
    listed = ", ".join(names)
    exec(f"def {name}({listed}):\n    return {where}({listed})", made)
    function.__globals__[where] = handle
    function.__code__ = made[name].__code__.replace(
        co_filename=code.co_filename, co_firstlineno=code.co_firstlineno
    )


def caller() -> FrameType | None:
    """The frame that called the function whose handler asks; None for generated code, such as a
    compiled graph, which does not tell what module it stands for."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename != functions.__file__:
        frame = frame.f_back
    while frame is not None and frame.f_code.co_filename == functions.__file__:
        frame = frame.f_back
    return None if frame is None or frame.f_code.co_filename.startswith("<eval_with") else frame


def is_parameter(x: Tensor) -> bool:
    """Whether ``x`` is a parameter or a view of one, as where weights are standardized."""
    return isinstance(x, nn.Parameter) or (x._is_view() and isinstance(x._base, nn.Parameter))


class FunctionCall:
    """A call of one of the functions."""

    __slots__ = ("_arguments", "_frame", "_name", "_table", "key", "owner")

    def __init__(
        self, table: LayerTable, frame: FrameType, name: str, arguments: dict[str, Any]
    ) -> None:
        self._table = table
        self._name = name
        self._arguments = arguments
        self._frame = (frame.f_code, frame.f_lasti)
        within = running(frame)
        self.owner: nn.Module | None = None if within is None else within[0]
        owner = 0 if self.owner is None else id(self.owner)
        self.key: Hashable = (owner, name, *self._frame)

    @property
    def x(self) -> Tensor | None:
        value = self._arguments.get("input")
        return value if isinstance(value, Tensor) else None

    @property
    def training(self) -> bool:
        return self.owner is None or self.owner.training

    @property
    def uses_batch(self) -> bool:
        given = _BATCH_ARGUMENT.get(self._name)
        return given is None or self._arguments.get(given) is not False

    def known(self) -> Layer | None:
        return self._table.at(self.key, self.owner)

    def layer(self) -> Layer | None:
        layer = self.known()
        if layer is None:
            layer = self._table.add_site(self.key, self.owner, self._name)
            if layer is None:
                return None
            layer.certain = True
            layer.status["functional"] = (
                f"It is a call of torch.nn.functional.{self._name} and no module; its parameters "
                "are those that the call is given."
            )
        return layer

    def others(self) -> Iterable[Any]:
        return self._arguments.values()

    def geometry(self, layer: Layer) -> Geometry:
        x = self.x
        if x is None:
            raise Unsupported("Its input is no tensor.")
        normalized = self._arguments.get("normalized_shape")
        sizes = normalized if isinstance(normalized, (tuple, list)) else ()
        return function_geometry(FAMILIES[self._name], tuple(x.shape), sizes)

    def describe(self, layer: Layer) -> None:
        layer.eps = finite(self._arguments.get("eps"))
        tracks = isinstance(self._arguments.get("running_mean"), Tensor)
        layer.momentum = finite(self._arguments.get("momentum")) if tracks else None

    def note(self, layer: Layer) -> None:
        if layer.site is not None:
            layer.site.given = {
                name: ref(tensor)
                for name in _GIVEN
                if isinstance(tensor := self._arguments.get(name), Tensor)
            }
