"""Rows under a tensor or a module: what a pane shows when it is expanded, made when asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable

#: Rows at one level; more are put into ranges.
PAGE = 100


class Figure(str):
    """A value that is only text, shown as it stands."""

    __slots__ = ()


class Rows:
    """A row that is no object of the program: a text, and rows of its own."""

    def __init__(self, text: str, make: Callable[[], list[Row]]) -> None:
        self.text = text
        self.make = make


@dataclass(frozen=True)
class Row:
    """One child: its name, its value, and how an expression reaches it from its parent."""

    name: str
    value: Any
    #: Appended to the parent's expression, such as ``[3]``; None where none leads there.
    suffix: str | None = None


def paged(
    size: int, page: Callable[[int, int], list[Row]], label: Callable[[int, int], str]
) -> list[Row]:
    """Rows 0 … ``size``: themselves where they are few, else ranges that hold them.

    :param page: makes the rows from one index to before another
    :param label: names the range of these
    """
    return _paged(0, size, page, label)


def _paged(start: int, stop: int, page: Any, label: Any) -> list[Row]:
    span = stop - start
    if span <= PAGE:
        rows: list[Row] = page(start, stop)
        return rows
    width = PAGE
    while span > width * PAGE:
        width *= PAGE
    return [_range(a, min(stop, a + width), page, label) for a in range(start, stop, width)]


def _range(start: int, stop: int, page: Any, label: Any) -> Row:
    return Row(label(start, stop), Rows("", lambda: _paged(start, stop, page, label)), "")
