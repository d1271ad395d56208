"""The one line of text of a tensor or a module."""

from __future__ import annotations

import time
from typing import Any

from .kinds import facts_of, is_module
from .modules import module_text
from .pace import PACE
from .storages import is_storage, storage_text


def line_of(value: Any) -> str | None:
    """The text that every pane shows; None for what is neither. Never raises.

    Of many tensors shown at once, less and less is read of each, which the text then says.
    """
    try:
        if is_module(type(value)):
            return module_text(value)
        if is_storage(type(value)):
            return storage_text(value)
        limit = PACE.limit()
        began = time.monotonic()
        facts = facts_of(value, limit)
        PACE.spent(time.monotonic() - began)
        return None if facts is None else facts.text
    except Exception as error:
        return f"{type(value).__name__} ({type(error).__name__})"
