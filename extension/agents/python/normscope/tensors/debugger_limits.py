"""Keeps debugpy from texts that end the session or the person's patience.

Its own protocol reader takes 16 MiB; a response beyond never arrives, nor does any after it. And a
``repr`` of what lies in a list may be a whole tensor's. Both are mended in the debugger's classes,
where they are as expected; otherwise all stays as it was.
"""

from __future__ import annotations

import sys
from typing import Any

from .inside import short_of

#: Characters of one answer, and of one row among many. A character takes six bytes at most.
MOST_CHARACTERS = 1 << 20
ROW_CHARACTERS = 1 << 12
_MARK = "_normscope"


def limit_debugger() -> None:
    """Once; a debugger without these parts is left as it is."""
    for mend in (_short_reprs, _short_rows, _short_answers):
        try:
            mend()
        except Exception:
            continue


def _short_reprs() -> None:
    kind: Any = sys.modules["_pydevd_bundle.pydevd_safe_repr"].SafeRepr
    if hasattr(kind, _MARK):
        return
    plain, whole = kind._repr_other, kind.__call__

    def _repr_other(self: Any, obj: Any, level: int) -> Any:
        try:
            short = short_of(obj)
        except Exception:
            short = None
        return (short,) if short is not None else plain(self, obj, level)

    def __call__(self: Any, obj: Any) -> Any:
        return cut(whole(self, obj))

    kind._repr_other, kind.__call__ = _repr_other, __call__
    setattr(kind, _MARK, True)


def _short_rows() -> None:
    kind: Any = sys.modules["_pydevd_bundle.pydevd_suspended_frames"]._AbstractVariable
    if hasattr(kind, _MARK):
        return
    whole = kind.get_var_data

    def get_var_data(self: Any, fmt: Any = None, *args: Any, **kwargs: Any) -> Any:
        # Only evaluates have a context; rows are many in one answer.
        if not args and kwargs.get("context") is None and not kwargs:
            kwargs = {"maxstring_outer": ROW_CHARACTERS, "maxother_outer": ROW_CHARACTERS}
        return whole(self, fmt, *args, **kwargs)

    kind.get_var_data = get_var_data
    setattr(kind, _MARK, True)


def _short_answers() -> None:
    module: Any = sys.modules["_pydevd_bundle.pydevd_comm"]
    if hasattr(module, _MARK):
        return
    whole = module._evaluate_response

    def _evaluate_response(py_db: Any, request: Any, result: Any, *args: Any, **kwargs: Any) -> Any:
        return whole(py_db, request, cut(result), *args, **kwargs)

    module._evaluate_response = _evaluate_response
    setattr(module, _MARK, True)


def cut(text: Any) -> Any:
    """At most :data:`MOST_CHARACTERS` of a text, and how long it was."""
    if not isinstance(text, str) or len(text) <= MOST_CHARACTERS:
        return text
    return f"{text[:MOST_CHARACTERS]}… ({len(text):,})"
