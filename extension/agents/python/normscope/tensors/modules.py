"""A ``torch.nn.Module`` in one line: class, parameters, children; never its ``repr``."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import islice
from typing import Any

from .torch_guard import apart, torch_module
from .words import word

#: Longest that counting parameters may take; of a larger model the count is a lower bound.
_LONGEST_COUNT = 0.02
_TOGETHER = 512


def part(module: Any, name: str) -> dict[str, Any]:
    """One of the module's own dictionaries, past any ``__getattr__``; empty where it has none."""
    try:
        found = object.__getattribute__(module, "__dict__").get(name)
    except Exception:
        found = None
    return found if isinstance(found, dict) else {}


def _modules(root: Any) -> Iterator[Any]:
    """A module and all below it, each once."""
    seen, waiting = {id(root)}, [root]
    while waiting:
        module = waiting.pop()
        yield module
        for child in part(module, "_modules").values():
            if child is not None and id(child) not in seen:
                seen.add(id(child))
                waiting.append(child)


def parameter_count(root: Any) -> tuple[int, bool]:
    """Elements of all parameters, shared ones once, and whether all were counted in time."""
    torch = torch_module()
    deadline = time.monotonic() + _LONGEST_COUNT
    total, looked, seen = 0, 0, set[int]()
    with apart(torch):
        for module in _modules(root):
            waiting = iter(part(module, "_parameters").values())
            while True:
                some = [one for one in islice(waiting, _TOGETHER) if one is not None]
                total += _elements(torch.Tensor.numel, some, seen)
                looked += 1 + len(some)
                if looked > _TOGETHER:
                    looked = 0
                    if time.monotonic() > deadline:
                        return total, False
                if not some:
                    break
    return total, True


def _elements(numel: Any, parameters: list[Any], seen: set[int]) -> int:
    """Of those not seen before. In calls of the interpreter's own, since models have many."""
    fresh = {id(one): one for one in parameters if id(one) not in seen}
    seen.update(fresh)
    try:
        return sum(map(numel, fresh.values()))
    except Exception:
        # One of them has no size yet.
        return sum(_size(numel, one) for one in fresh.values())


def _size(numel: Any, parameter: Any) -> int:
    try:
        return int(numel(parameter))
    except Exception:
        return 0


def module_text(module: Any) -> str:
    """Such as ``Transformer · 1,234 parameters · 3 children · training``."""
    total, whole = parameter_count(module)
    parts = [type(module).__name__]
    parts.append(word("{0} parameters" if whole else "over {0} parameters", f"{total:,}"))
    children = len(part(module, "_modules"))
    if children:
        parts.append(word("{0} children", f"{children:,}"))
    mode = _own(module, "training")
    if isinstance(mode, bool):
        parts.append(word("training" if mode else "eval"))
    return " · ".join(parts)


def _own(module: Any, name: str) -> Any:
    try:
        return object.__getattribute__(module, "__dict__").get(name)
    except Exception:
        return None
