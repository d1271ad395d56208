"""How much may be read of a tensor and in which language, as the extension says it."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass

VARIABLE = "NORMSCOPE_TENSORS"
DEFAULT_ELEMENTS = 1 << 20
_FEWEST, _MOST = 1 << 8, 1 << 26


@dataclass
class Options:
    """Set once, before the first tensor is shown."""

    #: Elements that are read of one tensor; of a larger one, an evenly spread sample of as many.
    max_elements: int = DEFAULT_ELEMENTS
    #: ``en``, or ``zh-cn`` for Simplified Chinese.
    language: str = "en"


def options_from(text: str) -> Options:
    """Reads JSON text; whatever is missing or wrong falls back to its default."""
    try:
        value = json.loads(text or "{}")
    except ValueError:
        value = {}
    options = Options()
    if not isinstance(value, dict):
        return options
    elements, language = value.get("maxElements"), value.get("language")
    if type(elements) is int:
        options.max_elements = min(_MOST, max(_FEWEST, elements))
    if language == "zh-cn":
        options.language = language
    return options


def use(text: str) -> None:
    """Takes other options from JSON text, in a process that runs already."""
    given = options_from(text)
    OPTIONS.max_elements, OPTIONS.language = given.max_elements, given.language


OPTIONS = options_from(os.environ.get(VARIABLE, ""))
_after_fork = False


def _forked() -> None:
    global _after_fork
    _after_fork = True


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)

#: Below the size from which PyTorch uses several threads.
_ONE_THREAD = 1 << 14


def most_elements() -> int:
    """Elements to read at most. The pool of threads does not survive a fork, and waits for ever."""
    return min(_ONE_THREAD, OPTIONS.max_elements) if _after_fork else OPTIONS.max_elements
