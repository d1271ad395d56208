"""Source lines that a person recognises: in their own files, not in a library's."""

from __future__ import annotations

import os
import site
import sys
from types import FrameType
from typing import Any

_AGENT = os.path.dirname(os.path.abspath(__file__)) + os.sep
_MAX_DEPTH = 400

#: File and line, counted from 1.
Location = tuple[str, int]


def _folder(module: str) -> str:
    file = getattr(sys.modules.get(module), "__file__", None) or ""
    return os.path.dirname(os.path.abspath(file)) + os.sep if file else ""


def _library_folders() -> tuple[str, ...]:
    # `sysconfig` knows the standard library's folder too, and takes milliseconds to be imported.
    found = {_folder("os")}
    for name in ("getsitepackages", "getusersitepackages"):
        try:
            value = getattr(site, name)()
        except Exception:
            continue
        found.update([value] if isinstance(value, str) else value)
    return tuple(os.path.abspath(folder) + os.sep for folder in found if folder)


_LIBRARIES = _library_folders()
_PACKAGE_FOLDERS = (f"{os.sep}site-packages{os.sep}", f"{os.sep}dist-packages{os.sep}")
_verdicts: dict[str, int] = {}

_USER, _LIBRARY, _HIDDEN = 0, 1, 2


def _verdict(file: str) -> int:
    known = _verdicts.get(file)
    if known is None:
        if len(_verdicts) > 10_000:
            _verdicts.clear()
        known = _verdicts[file] = _judge(file)
    return known


def _judge(file: str) -> int:
    if file.startswith("<"):
        return _HIDDEN
    path = os.path.abspath(file)
    torch = _folder("torch")
    if path.startswith(_AGENT) or (torch and path.startswith(torch)):
        return _HIDDEN
    if path.startswith(_LIBRARIES) or any(part in path for part in _PACKAGE_FOLDERS):
        return _LIBRARY
    return _USER


def _constructs(frame: FrameType, module: Any) -> bool:
    """Whether ``frame`` is a constructor of ``module`` itself."""
    code = frame.f_code
    if code.co_name != "__init__" or not code.co_varnames:
        return False
    return frame.f_locals.get(code.co_varnames[0]) is module


def user_location(start: FrameType | None, constructed: Any = None) -> Location | None:
    """The nearest frame in a user's file at or above ``start``, else the nearest outside torch.

    Frames in which ``constructed`` builds itself are passed over.
    """
    fallback: FrameType | None = None
    frame = start
    for _ in range(_MAX_DEPTH):
        if frame is None:
            break
        verdict = _verdict(frame.f_code.co_filename)
        if verdict != _HIDDEN and not (constructed is not None and _constructs(frame, constructed)):
            if verdict == _USER:
                return _location(frame)
            fallback = fallback or frame
        frame = frame.f_back
    return None if fallback is None else _location(fallback)


def _location(frame: FrameType) -> Location:
    return os.path.abspath(frame.f_code.co_filename), frame.f_lineno or 1


def of_torch(file: str) -> bool:
    """Whether a file is PyTorch's, the agent's, or none at all."""
    return _verdict(file) == _HIDDEN


def of_user(file: str) -> bool:
    """Whether a file is one of the person's own."""
    return _verdict(file) == _USER


def in_package(file: str) -> bool:
    """Whether a file is an installed package's other than torch."""
    return _verdict(file) == _LIBRARY and any(part in file for part in _PACKAGE_FOLDERS)


def user_frame(start: FrameType | None) -> FrameType | None:
    """The nearest frame in a user's file at or above ``start``; None where there is none, as on
    threads of PyTorch's own."""
    frame = start
    for _ in range(_MAX_DEPTH):
        if frame is None or of_user(frame.f_code.co_filename):
            return frame
        frame = frame.f_back
    return None
