"""The memory under torch tensors: its size, where its ``repr`` would list every byte."""

from __future__ import annotations

from typing import Any

from .rows import Figure, Row
from .torch_guard import torch_module


def is_storage(kind: type) -> bool:
    """Whether instances of the class are torch storages."""
    torch = torch_module()
    known = (getattr(torch, "UntypedStorage", None), getattr(torch, "TypedStorage", None))
    ancestors = type.__dict__["__mro__"].__get__(kind)
    return torch is not None and any(one in ancestors for one in known if one is not None)


def storage_text(storage: Any) -> str:
    """Such as ``UntypedStorage 4,000 bytes cpu``."""
    try:
        return f"{type(storage).__name__} {storage.nbytes():,} bytes {storage.device}"
    except Exception:
        return type(storage).__name__


def storage_rows(storage: Any) -> list[Row]:
    return [Row("data_ptr", Figure(hex(storage.data_ptr())), ".data_ptr()")]
