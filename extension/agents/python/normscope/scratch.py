"""A work buffer in host memory that is kept, since fresh memory costs a page fault every 4 KiB."""

from __future__ import annotations

import threading

import torch
from torch import Tensor

#: Elements of the largest buffer that is kept; a larger one is made anew each time.
_MAX_KEPT = 16 * 1024 * 1024

_kept = threading.local()


def scratch_like(x: Tensor) -> Tensor:
    """Contiguous memory of the shape and dtype of ``x``, valid until this thread's next call."""
    size = x.numel()
    if size > _MAX_KEPT:
        return torch.empty(x.shape, dtype=x.dtype, device="cpu")
    name = "double" if x.dtype == torch.float64 else "single"
    buffer: Tensor | None = getattr(_kept, name, None)
    if buffer is None or buffer.numel() < size:
        buffer = torch.empty(size, dtype=x.dtype, device="cpu")
        setattr(_kept, name, buffer)
    return buffer[:size].view(x.shape)
