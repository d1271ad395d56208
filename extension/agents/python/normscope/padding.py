"""Rows of an input that are padding, as a mask says that the modules around a norm are given."""

from __future__ import annotations

import inspect
from types import FrameType
from typing import Any, NamedTuple
from weakref import ref

import torch
from torch import Tensor, nn

from .geometry import Geometry
from .host_values import all_set
from .passes import all_running, running

_MAX_CLASSES = 10_000

_KEEPS, _PADS, _EITHER = range(3)


class _Parameter(NamedTuple):
    name: str
    #: Among the arguments of `forward`, without `self`; -1 where it is given by name only.
    position: int
    meaning: int


class _Found(NamedTuple):
    mask: ref[Tensor]
    version: int
    key: tuple[Any, ...]
    rows: Tensor | None


_parameters: dict[type, tuple[_Parameter, ...]] = {}


def _meaning(name: str, cls: type) -> int | None:
    """What true stands for in a mask of this name; None for a mask of something else.

    ``attention_mask`` is that of transformers, 1 for what is kept; names with ``padding`` are
    PyTorch's, true for padding. A plain ``mask`` is either; see :func:`_padding`.
    """
    if name.startswith(("memory", "encoder", "cross")):
        return None
    if name == "attention_mask":
        return _KEEPS
    if name.endswith(("padding_mask", "pad_mask")):
        return _PADS
    of_torch = cls.__module__.startswith("torch.nn.")
    return _EITHER if name == "mask" and not of_torch else None


def mask_parameters(cls: type) -> tuple[_Parameter, ...]:
    """Parameters of ``cls.forward`` that may be padding masks."""
    known = _parameters.get(cls)
    if known is None:
        if len(_parameters) > _MAX_CLASSES:
            _parameters.clear()
        known = _parameters[cls] = tuple(_looked_up(cls))
    return known


def _looked_up(cls: type) -> list[_Parameter]:
    forward: Any = getattr(cls, "forward", None)
    code = getattr(inspect.unwrap(forward), "__code__", None)
    if code is None:
        return []
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    found = []
    for index, name in enumerate(names):
        meaning = _meaning(name, cls)
        if meaning is not None:
            found.append(_Parameter(name, index - 1 if index < code.co_argcount else -1, meaning))
    return found


def may_be_padded(frame: FrameType | None) -> bool:
    """Whether a module that runs at or above ``frame`` takes a padding mask."""
    return any(mask_parameters(type(module)) for module, _ in all_running(frame))


class Padding:
    """Finds the padding rows of a call; keeps those of the last mask for the next layer."""

    def __init__(self) -> None:
        self._last: _Found | None = None

    def rows(
        self, frame: FrameType | None, x: Tensor, geometry: Geometry
    ) -> tuple[Tensor, str] | None:
        """Bool [rows], true for padding, and the name of the mask; None where none is known.

        ``x`` is the input of a norm that is called at ``frame``. Its rows are counted over the
        axes that hold no features. Where modules within each other take masks, the innermost
        counts: one that is given none has no padding.
        """
        rest = [n for axis, n in enumerate(x.shape) if axis not in geometry.feature_axes]
        at = running(frame)
        while at is not None:
            module, run_by = at
            parameters = mask_parameters(type(module))
            if parameters:
                given = self._given(parameters, run_by)
                if not given:
                    return None
                fitting = []
                for parameter, mask in given:
                    rows = self._fitted(mask, parameter.meaning, rest, _batch_first(module))
                    if rows is not None and rows.device == x.device:
                        fitting.append((rows, parameter.name))
                if len(fitting) == 1:
                    rows, name = fitting[0]
                    padded = rows.device.type != "cpu" or not all_set(~rows)
                    return (rows, name) if padded else None
            at = running(run_by.f_back)
        return None

    @staticmethod
    def _given(
        parameters: tuple[_Parameter, ...], frame: FrameType
    ) -> list[tuple[_Parameter, Tensor]]:
        values = frame.f_locals
        # `input` on PyTorch before 2.0.
        args = values.get("args", values.get("input", ()))
        kwargs = values.get("kwargs", {})
        found = []
        for parameter in parameters:
            value = kwargs.get(parameter.name)
            if value is None and 0 <= parameter.position < len(args):
                value = args[parameter.position]
            if isinstance(value, Tensor):
                found.append((parameter, value))
        return found

    def _fitted(
        self, mask: Tensor, meaning: int, rest: list[int], batch_first: bool
    ) -> Tensor | None:
        if mask.dim() != 2 or mask.layout != torch.strided or mask.is_meta:
            return None
        if meaning == _EITHER and (mask.is_floating_point() or mask.shape[0] == mask.shape[1]):
            return None
        key = (meaning, tuple(rest), batch_first)
        last = self._last
        version = mask._version
        if last is not None and last.mask() is mask and last[1:3] == (version, key):
            return last.rows
        with torch.no_grad():
            laid_out = _laid_out(mask, rest, batch_first)
            rows = None if laid_out is None else _padding(laid_out, meaning).reshape(-1)
        self._last = _Found(ref(mask), version, key, rows)
        return rows


def _laid_out(mask: Tensor, rest: list[int], batch_first: bool) -> Tensor | None:
    """``mask`` [B, S] in the order of the rows; None where its shape does not fit."""
    batch, length = mask.shape
    if rest == [batch * length]:
        return mask if batch_first else mask.t()
    if len(rest) < 2:
        return None
    by_batch, by_length = (rest[0], rest[-1]) == (batch, length), rest == [length, batch]
    if by_length and (not by_batch or not batch_first):
        return mask.t()
    if not by_batch:
        return None
    return mask.reshape(batch, *[1] * (len(rest) - 2), length).expand(rest)


def _padding(mask: Tensor, meaning: int) -> Tensor:
    """Bool, true for padding, for the same positions.

    In a mask of either meaning, samples that hold one value throughout have no padding: that value
    is what is kept. Without any, or where they disagree, nothing is known to be padding.
    """
    if meaning == _PADS:
        # One of floats is added to attention scores.
        return mask < -1000 if mask.is_floating_point() else mask != 0
    if meaning == _KEEPS:
        if mask.is_floating_point():
            return torch.where(mask.amin() < 0, mask < 0, mask == 0)
        return mask == 0
    kept = mask != 0
    first = kept[..., :1]
    whole = (kept == first).all(-1, keepdim=True)
    keeps_true, keeps_false = (whole & first).any(), (whole & ~first).any()
    return (keeps_true ^ keeps_false) & (kept != keeps_true)


def _batch_first(module: nn.Module) -> bool:
    """Whether a module that is given a mask has the batch on the first axis."""
    pending = [module]
    for _ in range(8):
        if not pending:
            break
        one = pending.pop(0)
        told = vars(one).get("batch_first")
        if isinstance(told, bool):
            return told
        pending.extend(child for child in one._modules.values() if child is not None)
    return True
