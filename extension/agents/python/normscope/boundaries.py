"""Where the program's calls enter the agent: nothing that it does there may get out.

What is inside the agent catches and counts its own exceptions; this is the last line, for the case
that even that fails.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable

from torch import nn

from .called import ModuleCall
from .compiling import is_compiling

if TYPE_CHECKING:
    from .functional import Handler
    from .taps import Taps

#: Given as the output of a call that ended with an exception.
NO_OUTPUT = object()


def of_class(taps: Taps, own: Callable[..., Any] | None) -> Callable[..., Any]:
    """A `__call__` for a class of norms; ``own`` is its former one, None for that of modules."""

    def __call__(self: Any, *args: Any, **kwargs: Any) -> Any:
        # nn.Module.__call__ is looked up late, for tools that replace it for a while.
        call = nn.Module.__call__ if own is None else own
        if is_compiling() or not taps.on:
            return call(self, *args, **kwargs)
        try:
            opened = taps.begin(ModuleCall(taps.discovery, self, args, kwargs))
        except Exception:
            opened = None
        if opened is None:
            return call(self, *args, **kwargs)
        output = NO_OUTPUT
        try:
            output = call(self, *args, **kwargs)
            return output
        finally:
            try:
                taps.end(opened, output)
            except Exception:
                pass

    return __call__


def of_functions(taps: Taps) -> Handler:
    """What is called instead of a norm of ``torch.nn.functional``."""

    def handle(name: str, original: Callable[..., Any], arguments: dict[str, Any]) -> Any:
        # First, so that a compiler does not guard on what the second is.
        if is_compiling() or not taps.on:
            return original(**arguments)
        try:
            opened = taps.begin_function(name, arguments)
        except Exception:
            opened = None
        if opened is None:
            return original(**arguments)
        output = NO_OUTPUT
        try:
            output = original(**arguments)
            return output
        finally:
            try:
                taps.end(opened, output)
            except Exception:
                pass

    return handle
