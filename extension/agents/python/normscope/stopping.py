"""Stops the program in the debugger, in a frame that the person knows."""

from __future__ import annotations

import sys

from .locations import user_frame


def debugged() -> bool:
    """Whether a debugger is connected to this process: else nobody could go on after a stop."""
    pydevd = sys.modules.get("pydevd")
    attached = getattr(pydevd, "_is_attached", None)
    return callable(getattr(pydevd, "settrace", None)) and (attached is None or bool(attached()))


def stop_in_user_frame() -> bool:
    """Has the debugger stop at the next line of the nearest frame in a user's file.

    False where the thread has no such frame or no debugger: then nothing happens.
    """
    frame = user_frame(sys._getframe(1))
    if frame is None or not debugged():
        return False
    sys.modules["pydevd"].settrace(
        suspend=True,
        trace_only_current_thread=True,
        patch_multiprocessing=False,
        stop_at_frame=frame,
    )
    return True
