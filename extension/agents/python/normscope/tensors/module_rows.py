"""What a ``torch.nn.Module`` shows when it is expanded."""

from __future__ import annotations

from typing import Any

from .modules import part
from .rows import PAGE, Figure, Row, Rows, paged
from .words import word

#: In a module's ``__dict__``, but none of the person's making.
_PARTS = ("_parameters", "_buffers", "_modules")


def module_rows(module: Any) -> list[Row]:
    """The person's own attributes, then children, parameters and buffers, then the rest."""
    own = _dict(module)
    plain = [name for name in own if not name.startswith("_")]
    rows = _named("attributes", own, plain, lambda name: f".{name}")
    for title in ("modules", "parameters", "buffers"):
        held = part(module, f"_{title}")
        rows.extend(_named(title, held, list(held), _reached_by(f"_{title}")))
    rest = [name for name in own if name.startswith("_") and name not in _PARTS]
    internals = Rows(_address(module), lambda: _page(own, rest[:500], lambda name: f".{name}"))
    rows.append(Row(word("internals"), internals))
    return rows


def _dict(module: Any) -> dict[str, Any]:
    try:
        own = object.__getattribute__(module, "__dict__")
    except Exception:
        return {}
    return own if isinstance(own, dict) else {}


def _reached_by(key: str) -> Any:
    return lambda name: f".{name}" if str(name).isidentifier() else f".{key}[{name!r}]"


def _named(title: str, held: dict[str, Any], names: list[str], suffix: Any) -> list[Row]:
    """One row each where they are few, else a row that holds them."""
    if len(names) <= PAGE:
        return _page(held, names, suffix)

    def page(start: int, stop: int) -> list[Row]:
        return _page(held, names[start:stop], suffix)

    rows = Rows(f"{len(names):,}", lambda: paged(len(names), page, _label))
    return [Row(word(title), rows, "")]


def _page(held: dict[str, Any], names: list[str], suffix: Any) -> list[Row]:
    return [Row(str(name), _shown(held.get(name)), suffix(name)) for name in names]


def _label(start: int, stop: int) -> str:
    return f"{start} … {stop - 1}"


def _shown(value: Any) -> Any:
    return Figure("None") if value is None else value


def _address(value: Any) -> str:
    return f"{type(value).__name__} 0x{id(value):x}"
