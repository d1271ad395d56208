"""Tensors inside lists, dictionaries and the like: their shape, where a whole ``repr`` would be."""

from __future__ import annotations

from itertools import islice
from typing import Any

from .kinds import facts_of, is_module, is_tensor
from .storages import is_storage, storage_text

_ITEMS = 12
#: Of elements that are read for a shape alone.
_NONE = 0


def short_of(value: Any) -> str | None:
    """A short text of a tensor, a module or a record that holds some; None for anything else."""
    kind = type(value)
    if is_tensor(kind):
        facts = facts_of(value, _NONE)
        return facts.head if facts is not None else None
    if is_module(kind):
        return f"{kind.__name__}(…)"
    if is_storage(kind):
        return storage_text(value)
    fields = _fields(value)
    if not fields or not any(_holds(field) for _, field in fields):
        return None
    shown = ", ".join(f"{name}={_brief(field)}" for name, field in fields[:_ITEMS])
    more = ", …" if len(fields) > _ITEMS else ""
    return f"{kind.__name__}({shown}{more})"


def _fields(value: Any) -> list[tuple[str, Any]]:
    """Names and values of a named tuple, a dataclass or a dictionary with a ``repr`` of its own."""
    kind = type(value)
    if isinstance(value, dict):
        return [(str(k)[:40], v) for k, v in islice(dict.items(value), _ITEMS + 1)]
    if isinstance(value, tuple) and isinstance(getattr(kind, "_fields", None), tuple):
        return list(zip(kind._fields, tuple.__iter__(value)))[: _ITEMS + 1]
    if "__dataclass_fields__" in kind.__dict__:
        own = getattr(value, "__dict__", {})
        return list(islice(own.items(), _ITEMS + 1)) if isinstance(own, dict) else []
    return []


def _holds(value: Any) -> bool:
    kind = type(value)
    if is_tensor(kind) or is_module(kind) or is_storage(kind):
        return True
    if kind in (list, tuple):
        return any(is_tensor(type(one)) for one in islice(value, _ITEMS))
    if kind is dict:
        return any(is_tensor(type(one)) for one in islice(value.values(), _ITEMS))
    return False


def _brief(value: Any) -> str:
    text = short_of(value)
    if text is not None:
        return text
    if isinstance(value, (bool, int, float, type(None))):
        return repr(value)
    if type(value) is str:
        return repr(value[:40])
    return f"{type(value).__name__}(…)"
