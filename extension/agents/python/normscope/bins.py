"""Histograms over the bins of ``bitBins.ts``: the upper 12 bits of a float32's pattern."""

from __future__ import annotations

import torch
from torch import Tensor

BIN_BITS = 12
BIN_COUNT = 1 << BIN_BITS
#: Bin whose values are NaN or infinite; the encoder drops it. Zeros are sent there too.
DISCARDED = BIN_COUNT - 1


def bins_of(values: Tensor, zeros_possible: bool) -> Tensor:
    """Bin of each float32 value, int32.

    Zeros share a bin with the smallest subnormals: where there may be some, they are sent away one
    by one. For means and variances of rows, the encoder drops the two bins.
    """
    bins = (values.view(torch.int32) >> (32 - BIN_BITS)).bitwise_and_(DISCARDED)
    return bins.masked_fill_(values == 0, DISCARDED) if zeros_possible else bins


def histograms(values: list[Tensor]) -> Tensor:
    """Counts of each of ``values``, float32, by bin: [len(values), 4096], integer; waits for no
    device."""
    rows = []
    for one in values:
        index = bins_of(one, True).long()
        counted = torch.zeros(BIN_COUNT, dtype=torch.int64, device=one.device)
        # bincount would wait for the device to learn the largest bin.
        rows.append(counted.index_put_((index,), torch.ones_like(index), accumulate=True))
    return torch.stack(rows)
