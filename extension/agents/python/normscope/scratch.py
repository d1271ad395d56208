"""Work buffers in host memory that are kept, since fresh memory costs a page fault every 4 KiB."""

from __future__ import annotations

import threading
from collections.abc import Hashable
from typing import Any, Callable, TypeVar

import torch
from torch import Tensor

#: Elements of the largest buffer that is kept; a larger one is made anew each time.
_MAX_KEPT = 4 * 1024 * 1024
#: Shapes whose views of a buffer are kept.
_MAX_VIEWS = 256

T = TypeVar("T")


class _Kept(threading.local):
    def __init__(self) -> None:
        self.buffers: dict[tuple[str, torch.dtype], Tensor] = {}
        self.views: dict[Hashable, Any] = {}


_kept = _Kept()


def scratch(purpose: str, shape: tuple[int, ...], dtype: torch.dtype) -> Tensor:
    """Contiguous memory, valid until this thread asks again for the same purpose."""
    size = 1
    for length in shape:
        size *= length
    if size > _MAX_KEPT:
        return torch.empty(shape, dtype=dtype, device="cpu")
    buffers = _kept.buffers
    buffer = buffers.get((purpose, dtype))
    if buffer is None or buffer.numel() < size:
        buffer = torch.empty(size, dtype=dtype, device="cpu")
        buffers[(purpose, dtype)] = buffer
        # They are of the memory of before, and would keep it.
        _kept.views.clear()
    return buffer[:size].view(shape)


def viewed(
    key: Hashable,
    purpose: str,
    shape: tuple[int, ...],
    dtype: torch.dtype,
    views: Callable[[Tensor], T],
) -> T:
    """What ``views`` makes of such memory, only once for each ``key``: each view costs a call."""
    known: T | None = _kept.views.get((purpose, key))
    if known is not None:
        return known
    memory = scratch(purpose, shape, dtype)
    made = views(memory)
    if memory.numel() <= _MAX_KEPT:
        if len(_kept.views) >= _MAX_VIEWS:
            _kept.views.clear()
        _kept.views[(purpose, key)] = made
    return made
