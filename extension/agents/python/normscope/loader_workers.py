"""Worker processes of data loaders run without the debugger, unless it has something to do there.

Each would be a session of its own, in every epoch again. They are debugged where a breakpoint lies
in code that they may run, or where the debugger stops at exceptions that are caught: a worker hands
its exceptions to the training process, so that uncaught ones stop there.
"""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from types import CodeType, FunctionType, MethodType
from typing import Any

from .locations import of_torch
from .stopping import debugged

_MARK = "_normscope_observed"
#: What a worker is given of its loader.
_GIVEN = ("dataset", "collate_fn", "worker_init_fn")
#: Functions, classes and objects that are looked at for breakpoints.
_MOST = 2000
#: Values of one object that are.
_MOST_HELD = 64
#: Names that the debugger gives to the kinds of stops that it can make in any code.
_ANYWHERE = (
    "break_on_caught_exceptions",
    "break_on_user_uncaught_exceptions",
    "function_breakpoint_name_to_breakpoint",
)


def observe_loaders() -> None:
    """Once: has data loaders start their workers as above. PyTorch is imported."""
    loaders = sys.modules.get("torch.utils.data.dataloader")
    kind = getattr(loaders, "_MultiProcessingDataLoaderIter", None)
    if kind is None or getattr(kind.__init__, _MARK, False):
        return
    original = kind.__init__

    def __init__(self: Any, loader: Any, *args: Any, **kwargs: Any) -> None:
        with _starting(loader):
            original(self, loader, *args, **kwargs)

    __init__.__doc__ = original.__doc__
    __init__.__wrapped__ = original  # type: ignore[attr-defined]
    setattr(__init__, _MARK, True)
    kind.__init__ = __init__


def _starting(loader: Any) -> AbstractContextManager[Any]:
    """In which processes are started with or without the debugger; never raises."""
    plain: AbstractContextManager[Any] = nullcontext()
    try:
        left_out = debugged() and not _wanted_in(loader)
        return sys.modules["pydevd"].skip_subprocess_arg_patch() if left_out else plain
    except Exception:
        return plain


def _wanted_in(loader: Any) -> bool:
    debugger = sys.modules["pydevd"].get_global_debugger()
    if any(getattr(debugger, kind, None) for kind in _ANYWHERE):
        return True
    lines = {_real(file): set(some) for file, some in debugger.breakpoints.items() if some}
    if not lines:
        return False
    given = [getattr(loader, name, None) for name in _GIVEN]
    return any(
        not lines.get(_real(code.co_filename), set()).isdisjoint(_lines_of(code))
        for code in _reachable(given)
    )


def _real(file: str) -> str:
    return os.path.normcase(os.path.realpath(file))


def _lines_of(code: CodeType) -> Iterator[int]:
    """Of a function and of what it defines."""
    last = code.co_firstlineno
    yield last
    if hasattr(code, "co_lines"):
        yield from (line for _, _, line in code.co_lines() if line is not None)
    else:
        # Python 3.9 and before: pairs of bytes, of which the second is how many lines further.
        for step in code.co_lnotab[1::2]:
            last += step - 256 if step > 127 else step
            yield last
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _lines_of(constant)


def _reachable(begin: Iterable[Any]) -> Iterator[CodeType]:
    """Code that may run when those objects are called or asked for items: their classes' functions,
    what they hold, and what that names. Nearest first, and not without bound."""
    waiting = deque(begin)
    seen: set[int] = set()
    while waiting and len(seen) < _MOST:
        value = waiting.popleft()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, MethodType):
            waiting += (value.__func__, value.__self__)
        elif isinstance(value, FunctionType):
            if not of_torch(value.__code__.co_filename):
                yield value.__code__
                waiting.extend(_named_by(value))
        elif isinstance(value, type):
            waiting.extend(_functions_of(value))
        elif type(value) in (list, tuple):
            waiting.extend(value[:_MOST_HELD])
        elif type(value).__module__ != "builtins":
            waiting.append(type(value))
            waiting.extend(_held_by(value))


def _held_by(value: Any) -> list[Any]:
    try:
        held = object.__getattribute__(value, "__dict__")
    except Exception:
        return []
    return list(held.values())[:_MOST_HELD] if type(held) is dict else []


def _named_by(function: FunctionType) -> Iterator[Any]:
    scope = function.__globals__
    yield from (scope[name] for name in function.__code__.co_names if name in scope)
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:
            continue


def _functions_of(cls: type) -> Iterator[Any]:
    for base in cls.__mro__:
        for value in list(vars(base).values()):
            if isinstance(value, (staticmethod, classmethod)):
                value = value.__func__
            elif isinstance(value, property):
                value = value.fget
            if isinstance(value, FunctionType):
                yield value
