"""Work buffers in host memory that are kept, since fresh memory costs a page fault every 4 KiB."""

from __future__ import annotations

import threading

import torch
from torch import Tensor

#: Elements of the largest buffer that is kept; a larger one is made anew each time.
_MAX_KEPT = 4 * 1024 * 1024


class _Kept(threading.local):
    def __init__(self) -> None:
        self.buffers: dict[tuple[str, torch.dtype], Tensor] = {}


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
    return buffer[:size].view(shape)
