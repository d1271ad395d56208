"""Whether a tensor holds NaN or infinite values, and where; for breakpoints, which wait for it."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor

from .geometry import Geometry, cells

#: Samples and features that are named.
_NAMED = 8


def finite(x: Tensor) -> bool:
    """Whether all values of ``x`` are. Waits for its device."""
    # One pass where all is well; a sum that overflows is looked at again.
    if math.isfinite(float(x.sum(dtype=_wide(x)).item())):
        return True
    return bool(torch.isfinite(x).all().item())


def _wide(x: Tensor) -> torch.dtype:
    return torch.float32 if x.dtype in (torch.float16, torch.bfloat16) else x.dtype


def non_finite_values(x: Tensor, geometry: Geometry) -> dict[str, Any]:
    """How many of which kind, and the first samples and features that have some."""
    view, inner = cells(x, geometry)
    broken = ~torch.isfinite(view)
    features = broken.any(inner).any(0)
    samples = broken.flatten(1).any(1)
    return {
        "nan": int(torch.isnan(view).sum().item()),
        "positiveInfinity": int((view == math.inf).sum().item()),
        "negativeInfinity": int((view == -math.inf).sum().item()),
        "elements": x.numel(),
        "samples": _places(samples),
        "features": _places(features),
    }


def _places(flags: Tensor) -> list[int]:
    found: list[int] = flags.nonzero().flatten()[:_NAMED].tolist()
    return found
