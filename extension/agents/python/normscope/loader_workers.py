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
from contextlib import ExitStack
from functools import lru_cache, partial
from itertools import islice
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from torch import Tensor, multiprocessing, nn

from .locations import of_torch, of_user
from .stopping import debugged

_MARK = "_normscope_observed"
#: What a worker is given of its loader.
_GIVEN = ("dataset", "collate_fn", "worker_init_fn")
#: Functions, classes and objects that are looked at for breakpoints; with more of them, it is not
#: known that there is none.
_MOST = 5000
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
        with ExitStack() as around:
            _leave_out(loader, around)
            original(self, loader, *args, **kwargs)

    __init__.__doc__ = original.__doc__
    __init__.__wrapped__ = original  # type: ignore[attr-defined]
    setattr(__init__, _MARK, True)
    kind.__init__ = __init__


def _leave_out(loader: Any, around: ExitStack) -> None:
    """Has processes started without the debugger while ``around`` lasts, if it has nothing to do in
    those of ``loader``; never raises."""
    try:
        if debugged() and not _wanted_in(loader):
            around.enter_context(sys.modules["pydevd"].skip_subprocess_arg_patch())
    except Exception:
        return


def _wanted_in(loader: Any) -> bool:
    debugger = sys.modules["pydevd"].get_global_debugger()
    if any(getattr(debugger, kind, None) for kind in _ANYWHERE) or _forks_from_server(loader):
        return True
    lines = {_real(file): set(some) for file, some in debugger.breakpoints.items() if some}
    for code in reachable(getattr(loader, name, None) for name in _GIVEN):
        if code is None:
            return bool(lines)
        if "breakpoint" in code.co_names and of_user(code.co_filename):
            return True
        here = lines.get(_real(code.co_filename))
        if here is not None and not here.isdisjoint(_lines_of(code)):
            return True
    return False


def _forks_from_server(loader: Any) -> bool:
    """Whether workers are forked from a server: a debugger that it has not, none of them gets."""
    context = getattr(loader, "multiprocessing_context", None) or multiprocessing
    # Only looked at: asking for the default would choose it for the program.
    chosen = context.get_start_method(allow_none=True)
    return bool((chosen or multiprocessing.get_all_start_methods()[0]) == "forkserver")


@lru_cache(maxsize=4096)
def _real(file: str) -> str:
    return os.path.normcase(os.path.realpath(file))


def _lines_of(code: CodeType) -> Iterator[int]:
    """Of a function, without what it defines."""
    last = code.co_firstlineno
    yield last
    if hasattr(code, "co_lines"):
        yield from (line for _, _, line in code.co_lines() if line is not None)
    else:
        # Python 3.9 and before: pairs of bytes, of which the second is how many lines further.
        for step in code.co_lnotab[1::2]:
            last += step - 256 if step > 127 else step
            yield last


def reachable(begin: Iterable[Any]) -> Iterator[CodeType | None]:
    """Code that may run when those objects are called or asked for items: their classes' functions,
    what they hold, and what that names. Nearest first; ends with None where there is more of it."""
    waiting = deque(begin)
    seen: dict[int, Any] = {}
    while waiting:
        value = waiting.popleft()
        # The class by itself: an object may make code run when it is asked for its own.
        kind = type(value)
        if kind in _HOLD_NO_CODE or id(value) in seen:
            continue
        if len(seen) >= _MOST:
            yield None
            return
        # Kept, so that no other gets its number.
        seen[id(value)] = value
        if kind is FunctionType:
            if not of_torch(value.__code__.co_filename):
                yield from _with_inner(value.__code__)
                waiting.extend(_named_by(value))
        else:
            waiting.extend(_within(value, kind))


#: Of which a dataset may hold very many.
_HOLD_NO_CODE = frozenset(
    (int, float, complex, bool, str, bytes, type(None), Tensor, nn.Parameter, ModuleType)
)


def _with_inner(code: CodeType) -> Iterator[CodeType]:
    """A function's code, and that of the functions and comprehensions in it."""
    yield code
    for constant in code.co_consts:
        if type(constant) is CodeType:
            yield from _with_inner(constant)


def _named_by(function: FunctionType) -> Iterator[Any]:
    scope = function.__globals__
    names = {name for code in _with_inner(function.__code__) for name in code.co_names}
    for name in names:
        value = scope[name] if name in scope else sys.modules.get(name)
        yield value
        if type(value) is ModuleType:
            held = vars(value)
            yield from (held[other] for other in names if other in held)
    yield from function.__defaults__ or ()
    yield from (function.__kwdefaults__ or {}).values()
    yield getattr(function, "__wrapped__", None)
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:
            continue


def _within(value: Any, kind: type) -> Iterator[Any]:
    """What an object that is no function holds, and its class."""
    if issubclass(kind, type):
        yield from _of_class(value)
    elif kind is MethodType:
        yield from (value.__func__, value.__self__)
    elif kind is partial:
        yield from (value.func, *value.args, *value.keywords.values())
    elif issubclass(kind, property):
        yield from (value.fget, value.fset, value.fdel)
    elif issubclass(kind, (staticmethod, classmethod)):
        yield value.__func__
    elif issubclass(kind, dict):
        yield from islice(dict.values(value), _MOST_ITEMS)
    elif issubclass(kind, (list, tuple)):
        items = list.__iter__ if issubclass(kind, list) else tuple.__iter__
        yield from islice(items(value), _MOST_ITEMS)
    elif kind in _OTHER_CONTAINERS:
        yield from islice(value, _MOST_ITEMS)
    if kind.__module__ != "builtins":
        yield kind
        try:
            yield from list(object.__getattribute__(value, "__dict__").values())
        except Exception:
            return


#: Items of one container: what is behind them is of their kind.
_MOST_ITEMS = 10_000
_OTHER_CONTAINERS = frozenset((set, frozenset, deque))


def _of_class(cls: type) -> Iterator[Any]:
    for base in type.mro(cls):
        if base.__module__ not in _NOT_LOOKED_INTO:
            yield from (value for name, value in list(vars(base).items()) if name not in _NO_CODE)


_NOT_LOOKED_INTO = frozenset(("builtins", "typing", "abc", "collections.abc"))
_NO_CODE = frozenset(("__dict__", "__weakref__", "__annotations__", "__doc__", "__module__"))
