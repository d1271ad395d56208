"""What a torch tensor shows when it is expanded."""

from __future__ import annotations

import warnings
from typing import Any

from .figure_rows import figure_rows
from .notation import count, number
from .rows import Figure, Row, Rows, paged
from .torch_figures import feature_axis
from .torch_guard import apart, torch_module
from .torch_tensor import facts_of
from .words import word


def tensor_rows(tensor: Any) -> list[Row]:
    """Statistics, slices, features, gradient and what is behind them."""
    torch = torch_module()
    with apart(torch):
        facts = facts_of(torch, tensor)
        rows = []
        if facts.values is None:
            rows.append(Row(word("statistics"), Rows(facts.short, lambda: figure_rows(facts))))
        if facts.figures is not None or facts.values is not None:
            rows.extend(_parts(torch, tensor))
        gradient = _gradient(torch, tensor)
        if gradient is not None:
            rows.append(Row(word("gradient"), gradient, ".grad"))
        rows.append(Row(word("raw object"), Rows(_address(tensor), lambda: _raw(tensor))))
    return rows


def _parts(torch: Any, tensor: Any) -> list[Row]:
    """Slices by index of the first axis and by feature, of a dense tensor."""
    kind = torch.Tensor
    if kind.layout.__get__(tensor) != torch.strided or kind.is_quantized.__get__(tensor):
        return []
    x = kind.detach(tensor)
    x = x if type(x) is kind else kind.as_subclass(x, kind)
    sizes = tuple(x.size())
    if not sizes or 0 in sizes:
        return []
    rows = [Row(word("slices"), Rows(f"[0 … {count(sizes[0] - 1)}]", lambda: _slices(x)), "")]
    axis = feature_axis(sizes, isinstance(tensor, torch.nn.Parameter))
    if axis is not None:
        name = word("features of axis {0}", axis)
        rows.append(Row(name, Rows(count(sizes[axis]), lambda: _features(x, axis)), ""))
    return rows


def _slices(x: Any) -> list[Row]:
    torch = torch_module()

    def page(start: int, stop: int) -> list[Row]:
        with apart(torch):
            part = x[start:stop]
            if x.dim() > 1:
                return [Row(f"[{start + i}]", one, f"[{start + i}]") for i, one in enumerate(part)]
            wide = part.to(torch.float32) if "float8" in str(x.dtype) else part
            return [
                Row(f"[{start + i}]", Figure(number(v)), f"[{start + i}]")
                for i, v in enumerate(wide.tolist())
            ]

    return paged(x.size(0), page, lambda a, b: f"[{a} … {b - 1}]")


def _features(x: Any, axis: int) -> list[Row]:
    torch = torch_module()
    place = "[..., {}]" if axis == x.dim() - 1 else "[" + ":, " * axis + "{}]"

    def page(start: int, stop: int) -> list[Row]:
        with apart(torch):
            return [Row(f"[{j}]", x.select(axis, j), place.format(j)) for j in range(start, stop)]

    return paged(x.size(axis), page, lambda a, b: f"[{a} … {b - 1}]")


def _gradient(torch: Any, tensor: Any) -> Any:
    """The gradient that is there; asking others for theirs would warn."""
    kind = torch.Tensor
    try:
        if not (kind.is_leaf.__get__(tensor) or kind.retains_grad.__get__(tensor)):
            return None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return kind.grad.__get__(tensor)
    except Exception:
        return None


def _address(value: Any) -> str:
    return f"{type(value).__name__} 0x{id(value):x}"


def _raw(tensor: Any) -> list[Row]:
    """What PyTorch keeps of it, and the attributes that the program has put there."""
    torch = torch_module()
    kind = torch.Tensor
    rows: list[Row] = []

    def add(name: str, ask: Any, suffix: str | None = None) -> None:
        try:
            rows.append(Row(name, ask(), suffix))
        except Exception:
            return

    with apart(torch):
        add("stride", lambda: tuple(kind.stride(tensor)), ".stride()")
        add("storage_offset", lambda: kind.storage_offset(tensor), ".storage_offset()")
        add("element_size", lambda: kind.element_size(tensor), ".element_size()")
        add("data_ptr", lambda: Figure(hex(kind.data_ptr(tensor))), ".data_ptr()")
        add("layout", lambda: Figure(str(kind.layout.__get__(tensor))), ".layout")
        add("is_leaf", lambda: kind.is_leaf.__get__(tensor), ".is_leaf")
        add("requires_grad", lambda: kind.requires_grad.__get__(tensor), ".requires_grad")
        add("grad_fn", lambda: _name_of(kind.grad_fn.__get__(tensor)), ".grad_fn")
        add("_version", lambda: kind._version.__get__(tensor), "._version")
    try:
        own = object.__getattribute__(tensor, "__dict__")
    except Exception:
        own = {}
    rows.extend(Row(str(name), value, f".{name}") for name, value in list(own.items())[:500])
    return rows


def _name_of(node: Any) -> Any:
    return None if node is None else Figure(type(node).__name__)
