"""Stops the program in the debugger, in a frame that the person knows."""

from __future__ import annotations

import sys
import threading
from importlib import import_module
from types import FrameType
from typing import Any

from .locations import in_package, user_frame


def debugged() -> bool:
    """Whether a debugger is connected to this process: else nobody could go on after a stop."""
    pydevd = sys.modules.get("pydevd")
    attached = getattr(pydevd, "_is_attached", None)
    return callable(getattr(pydevd, "settrace", None)) and (attached is None or bool(attached()))


def stop_in_user_frame() -> bool:
    """Stops in the nearest frame in a user's file: at its next line, or, where a package such as a
    trainer called what runs now, at once, since that line may only come when training is over.

    False where the thread has no such frame or no debugger: then nothing happens.
    """
    here = sys._getframe(1)
    frame = user_frame(here)
    if frame is None or not debugged():
        return False
    pydevd = sys.modules["pydevd"]
    if not (_package_between(here, frame) and _suspend(pydevd, frame)):
        pydevd.settrace(
            suspend=True,
            trace_only_current_thread=True,
            patch_multiprocessing=False,
            stop_at_frame=frame,
        )
    return True


def _package_between(here: FrameType, frame: FrameType) -> bool:
    between: FrameType | None = here
    while between is not None and between is not frame:
        if in_package(between.f_code.co_filename):
            return True
        between = between.f_back
    return False


def _suspend(pydevd: Any, frame: FrameType) -> bool:
    """Waits in this very place, with ``frame`` on top of the stack; false where the debugger's own
    functions for it are not as they are known."""
    try:
        reason = import_module("_pydevd_bundle.pydevd_comm_constants").CMD_SET_BREAK
        debugger = pydevd.get_global_debugger()
        thread = threading.current_thread()
        pydevd.set_additional_thread_info(thread)
        debugger.set_suspend(thread, reason)
    except Exception:
        return False
    debugger.do_wait_suspend(thread, frame, "line", None)
    return True
