"""Which axes of a norm layer's input are what, and how a tensor is laid out for reduction."""

from __future__ import annotations

import math
from dataclasses import dataclass

from torch import Tensor


@dataclass(frozen=True, repr=False)
class Geometry:
    """Axes of the input, counted from 0. By family: BN/GN/IN have their features on
    the channel axis, LN/RMS on the flattened normalized shape."""

    family: str
    features: int
    feature_axes: tuple[int, ...]
    normalized_axes: tuple[int, ...]
    #: Whether axis 0 enumerates samples; false for one sample without a batch axis.
    batched: bool


#: A tensor seen as samples x features x positions, with the axis that holds the positions:
#: shape [B, S, F] and 1, or [B, F, S] and 2.
Cells = tuple[Tensor, int]


def cells(x: Tensor, geometry: Geometry) -> Cells:
    """Views ``x`` as cells, copying only where its memory allows no such view.

    A cell is all positions of one feature of one sample.
    """
    if not geometry.batched:
        x = x.unsqueeze(0)
    first = geometry.feature_axes[0] + (not geometry.batched)
    batch = x.shape[0]
    if x.numel() == 0:
        return x.reshape(0, 1, geometry.features), 1
    if first + len(geometry.feature_axes) == x.dim() and first > 0:
        if first == 2 and x.dim() == 3:
            return x, 1
        positions = math.prod(x.shape[1:first])
        return x.reshape(batch, positions, geometry.features), 1
    positions = x.numel() // (batch * geometry.features)
    if positions > 1 and not x.is_contiguous():
        last = x.movedim(first, -1)
        if last.is_contiguous():
            return last.reshape(batch, positions, geometry.features), 1
    return x.movedim(first, 1).reshape(batch, geometry.features, positions), 2


def row_by_row(view: Cells) -> Tensor:
    """[rows, features], copied where features do not lie last."""
    x, inner = view
    turned = x if inner == 1 else x.transpose(1, 2)
    return turned.reshape(-1, turned.shape[2])
