"""What an array of numpy, TensorFlow or JAX shows when it is expanded."""

from __future__ import annotations

import sys
from typing import Any

from .figure_rows import figure_rows
from .foreign import host_view
from .kinds import facts_of, foreign_framework, is_numpy_array
from .notation import count, number
from .rows import Figure, Row, Rows, paged
from .words import word


def array_rows(array: Any) -> list[Row]:
    """Statistics, slices, features, and what is behind them."""
    facts = facts_of(array)
    rows: list[Row] = []
    if facts is not None and facts.values is None:
        rows.append(Row(word("statistics"), Rows(facts.short, lambda: figure_rows(facts))))
    numpy: Any = sys.modules.get("numpy")
    framework = foreign_framework(type(array))
    if framework is not None:
        view = host_view(numpy, array, framework)
        rows.extend(_parts(view) if view is not None else [])
    if is_numpy_array(type(array)):
        x = numpy.ndarray.view(array, numpy.ndarray)
        rows.extend(_parts(x))
        rows.append(Row(word("raw object"), Rows(_address(array), lambda: _raw(x, array))))
    return rows


def _parts(x: Any) -> list[Row]:
    if x.ndim == 0 or x.size == 0:
        return []
    rows = [Row(word("slices"), Rows(f"[0 … {count(x.shape[0] - 1)}]", lambda: _slices(x)), "")]
    if x.ndim >= 2 and x.dtype.kind in "fc":
        name = word("features of axis {0}", x.ndim - 1)
        rows.append(Row(name, Rows(count(x.shape[-1]), lambda: _features(x)), ""))
    return rows


def _slices(x: Any) -> list[Row]:
    def page(start: int, stop: int) -> list[Row]:
        if x.ndim > 1:
            return [Row(f"[{i}]", x[i], f"[{i}]") for i in range(start, stop)]
        plain = x.dtype.kind in "biufc"
        values = x[start:stop].tolist() if plain else [x[i] for i in range(start, stop)]
        return [
            Row(f"[{start + i}]", Figure(number(v)) if plain else v, f"[{start + i}]")
            for i, v in enumerate(values)
        ]

    return paged(x.shape[0], page, lambda a, b: f"[{a} … {b - 1}]")


def _features(x: Any) -> list[Row]:
    def page(start: int, stop: int) -> list[Row]:
        return [Row(f"[{j}]", x[..., j], f"[..., {j}]") for j in range(start, stop)]

    return paged(x.shape[-1], page, lambda a, b: f"[{a} … {b - 1}]")


def _address(value: Any) -> str:
    return f"{type(value).__name__} 0x{id(value):x}"


def _raw(x: Any, array: Any) -> list[Row]:
    rows = [
        Row("dtype", Figure(str(x.dtype)), ".dtype"),
        Row("strides", x.strides, ".strides"),
        Row("nbytes", x.nbytes, ".nbytes"),
        Row("flags", Figure(" ".join(_flags(x))), ".flags"),
    ]
    own = getattr(array, "__dict__", None)
    if isinstance(own, dict):
        rows.extend(Row(str(name), value, f".{name}") for name, value in list(own.items())[:500])
    return rows


def _flags(x: Any) -> list[str]:
    names = ("C_CONTIGUOUS", "F_CONTIGUOUS", "OWNDATA", "WRITEABLE")
    return [name for name in names if x.flags[name]]
