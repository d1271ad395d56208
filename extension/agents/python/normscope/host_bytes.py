"""The bytes of tensors in host memory, without numpy."""

from __future__ import annotations

import ctypes

from torch import Tensor


def raw_bytes(tensor: Tensor) -> bytes:
    """The memory of a tensor in host memory, in its own dtype."""
    whole = tensor.contiguous()
    size = whole.numel() * whole.element_size()
    return ctypes.string_at(whole.data_ptr(), size) if size else b""
