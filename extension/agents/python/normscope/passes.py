"""Forward passes told apart, so that the calls of a shared module can be counted within each.

A pass ends with a backward pass, or when the outermost module returns. Nothing is attached to a
module to see that: while a module runs, the frame that runs it holds a bound method, made for that
call only, and a weak reference to it is alive exactly as long.
"""

from __future__ import annotations

import sys
import threading
import types
import weakref
from types import FrameType
from typing import Any

from torch import nn

from .steps import Steps

#: Frames looked through for running modules.
MAX_FRAMES = 400

#: The code that runs a module's `forward`.
_RUNS = nn.Module._call_impl.__code__


def running(frame: FrameType | None) -> tuple[nn.Module, FrameType] | None:
    """The innermost module that runs at or above ``frame``, and the frame that runs it."""
    for _ in range(MAX_FRAMES):
        if frame is None:
            return None
        if frame.f_code is _RUNS:
            module = frame.f_locals.get("self")
            if isinstance(module, nn.Module):
                return module, frame
        frame = frame.f_back
    return None


def all_running(frame: FrameType | None) -> list[tuple[nn.Module, FrameType]]:
    """All modules that run at or above ``frame``, innermost first."""
    found: list[tuple[nn.Module, FrameType]] = []
    at = running(frame)
    while at is not None and len(found) < MAX_FRAMES:
        found.append(at)
        at = running(at[1].f_back)
    return found


class Pass:
    """One forward pass. Compared by identity."""

    __slots__ = ("_call", "_root", "backward_count")

    def __init__(self, root: nn.Module | None, call: Any, backward_count: int) -> None:
        self._root = None if root is None else weakref.ref(root)
        self._call = call
        self.backward_count = backward_count

    @property
    def root(self) -> nn.Module | None:
        """The outermost module; None where norms are called on their own."""
        return None if self._root is None else self._root()

    @property
    def over(self) -> bool:
        """Whether its outermost module has returned, or may have without being seen to."""
        return self._call is None or self._call() is None

    def goes_on_as(self, other: Pass) -> bool:
        """Whether ``other`` is the same pass, where only the backward pass can end it."""
        unbounded = self._call is None and other._call is None
        return unbounded and self.root is other.root and self.backward_count == other.backward_count


class Passes:
    """The pass that each thread is in."""

    def __init__(self, steps: Steps) -> None:
        self._steps = steps
        self._here = threading.local()

    def current(self) -> Pass:
        """The pass of the caller, which calls a norm."""
        known: Pass | None = getattr(self._here, "known", None)
        count = self._steps.backward_count
        if known is not None and not known.over:
            if known.backward_count == count:
                return known
            fresh = Pass(known.root, known._call, count)
        else:
            fresh = self._begun(count)
            if known is not None and known.goes_on_as(fresh):
                return known
        self._here.known = fresh
        return fresh

    def _begun(self, count: int) -> Pass:
        modules = all_running(sys._getframe())
        for module, frame in reversed(modules):
            call = frame.f_locals.get("forward_call")
            # A method kept in the instance would outlive the call.
            if isinstance(call, types.MethodType) and "forward" not in vars(module):
                return Pass(modules[-1][0], weakref.ref(call), count)
        return Pass(modules[-1][0] if modules else None, None, count)
