"""Decisions that need a tensor's value, for tensors in host memory only.

Reading a value on the CPU costs microseconds and waits for nothing. On an accelerator it would
stall training, so callers there take the path that needs no decision.
"""

from __future__ import annotations

import torch
from torch import Tensor


def all_finite(total: Tensor) -> bool:
    """Whether a sum over non-negative or non-finite terms shows neither NaN, Inf nor overflow."""
    return bool(torch.isfinite(total).item())


def any_far_from_zero(mean: Tensor, m2: Tensor, count: int) -> bool:
    """Whether a mean exceeds ten standard deviations; ``m2`` are sums of ``count`` squares."""
    return bool((mean.square().mul_(count) > m2 * 100).any().item())


def zeros_and_subnormals(values: Tensor, tiny: float, scratch: Tensor) -> tuple[int, int]:
    """Counts zeros and subnormals among finite ``values``; ``tiny`` is the least normal number.

    ``scratch`` has the shape and dtype of ``values``.
    """
    size = torch.abs(values, out=scratch)
    if size.amin().item() >= tiny:
        return 0, 0
    zeros = values.numel() - int(torch.count_nonzero(values).item())
    if size.dtype == torch.float32 and tiny < 1e-37 and not _has_subnormal(size):
        return zeros, 0
    small = int(torch.count_nonzero(values.abs() < tiny).item())
    return zeros, small - zeros


def _has_subnormal(size: Tensor) -> bool:
    """Looks for one in non-negative float32 ``size``, in whose memory it works.

    Subtracting one from the bits moves zero from the bottom to the top of the order.
    """
    bits = size.view(torch.int32)
    bits.sub_(1).bitwise_and_(0x7FFFFFFF)
    return bool(bits.amin().item() < 0x7FFFFF)
