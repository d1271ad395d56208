"""Short texts of the tensors in a frame, for the ends of the lines that name them."""

from __future__ import annotations

import json
import time
from typing import Any

from .kinds import facts_of, is_module, is_tensor
from .modules import part
from .rows import Figure

#: Names that are looked up, elements that are read of each tensor, and seconds in all.
_NAMES, _ELEMENTS, _SECONDS = 200, 1 << 14, 0.1


def answer(frame: dict[str, Any], names: list[str]) -> Figure:
    """JSON of name → text, of those names that are tensors; dotted ones without any property."""
    texts: dict[str, str] = {}
    deadline = time.monotonic() + _SECONDS
    for name in names[:_NAMES]:
        if time.monotonic() > deadline:
            break
        value = _found(frame, name.split("."))
        if is_tensor(type(value)):
            facts = facts_of(value, _ELEMENTS)
            if facts is not None:
                texts[name] = facts.brief
    return Figure(json.dumps(texts))


def _found(frame: dict[str, Any], steps: list[str]) -> Any:
    value = frame.get(steps[0])
    for step in steps[1:]:
        if value is None:
            return None
        value = _attribute(value, step)
    return value


def _attribute(value: Any, name: str) -> Any:
    """One that the instance itself holds."""
    if is_module(type(value)):
        for held in ("_parameters", "_buffers", "_modules"):
            found = part(value, held).get(name)
            if found is not None:
                return found
    try:
        own = object.__getattribute__(value, "__dict__")
        return own.get(name) if isinstance(own, dict) else None
    except Exception:
        return None
