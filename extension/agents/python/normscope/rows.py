"""Rows of layer and RMS norms: which lie furthest out."""

from __future__ import annotations

import torch
from torch import Tensor

EXTREME_ROWS = 8
#: Families of which each row is normalized on its own.
FAMILIES = ("layer", "rms")


def furthest(mean: Tensor, variance: Tensor, centre: Tensor) -> Tensor:
    """The rows with the largest mean squared distance from ``centre``, furthest first.

    ``mean`` and ``variance`` are [calls, rows], finite, and ``centre`` [calls, 1]; a row's mean
    squared distance is its variance plus its mean's squared distance. Returns place, mean and
    variance: [calls, up to 8, 3].
    """
    distance = (mean - centre).square_().add_(variance)
    places = torch.topk(distance, min(EXTREME_ROWS, distance.shape[1])).indices
    figures = [places.to(mean.dtype), mean.gather(1, places), variance.gather(1, places)]
    return torch.stack(figures, 2)


def furthest_finite(mean: Tensor, variance: Tensor, centre: Tensor, index: Tensor) -> Tensor:
    """The same where rows that do not count have a NaN as variance and come out as NaN; ``index``
    [rows] numbers the rows."""
    distance = (mean - centre).square_().add_(variance)
    distance = torch.nan_to_num_(distance, nan=-1.0, posinf=torch.finfo(distance.dtype).max)
    places = torch.topk(distance, min(EXTREME_ROWS, distance.numel())).indices
    found = torch.stack([index[places].to(mean.dtype), mean[places], variance[places]], 1)
    return torch.where(found[:, 2:].isnan(), found[:, 2:], found)


def furthest_of_both(a: Tensor, b: Tensor, rows_before: int, centre: Tensor) -> Tensor:
    """The furthest of two calls' furthest rows; those of ``b`` come ``rows_before`` rows later.

    A row that was not among the eight of its call can not come back, though the common mean may
    be another.
    """
    later = b.clone()
    later[:, 0] += rows_before
    both = torch.cat([a, later])
    return furthest_finite(both[:, 1], both[:, 2], centre, both[:, 0])
