"""Moments from sums about a common centre, and a second pass for those that lost digits to it.

A sum of squares about a point far from the own mean, in standard deviations, loses digits. Where
few entries did, they are taken out and done in float64; where many did, the whole tensor is gone
through once more, each entry about its own mean, whose rounding error is measured and taken out.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Callable, NamedTuple

import torch
from torch import Tensor

from .host_values import all_set, places
from .scratch import scratch
from .summary import Moments
from .sums import MOST_OF_ENTRY, Scale, parts

#: Entries taken out hold at most this share of the tensor.
_FEW = 8
#: Elements taken out at a time.
_AT_A_TIME = 1 << 20


class Entries(NamedTuple):
    """Neighbours in a list of moments: the entries of one axis of one tensor."""

    length: int
    #: How many values each has.
    values: int
    #: Gives the tensor; asked only if digits were lost.
    source: Callable[[], Tensor]
    axis: int


def moments_of(
    powers: Tensor, scales: list[Scale], sizes: tuple[tuple[int, int], ...]
) -> tuple[Tensor, Tensor]:
    """Means and sums of squared deviations, [tensors, entries] each, from sums of first and second
    powers, [tensors, 2, entries] in float64, which are brought to the unit 1.

    ``sizes`` says how many entries there are of how many values each.
    """
    if any(scale.unit != 1 for scale in scales):
        unit = torch.tensor([[scale.unit] for scale in scales], dtype=torch.float64, device="cpu")
        powers[:, 0] /= unit
        powers[:, 1] /= unit * unit
    first, second = powers.unbind(1)
    mean = first / counts_of(sizes)
    m2 = torch.addcmul(second, mean, first, value=-1)
    if any(scale.centre != 0 for scale in scales):
        mean += torch.tensor(
            [[scale.centre] for scale in scales], dtype=torch.float64, device="cpu"
        )
    return mean, m2


def settled(powers: Tensor, scale: Scale, entries: list[Entries]) -> list[Moments]:
    """Moments of all ``entries`` from their sums of first and second powers, [1, 2, all], float64,
    done once more where their means are too far from the centre."""
    sizes = [some.length for some in entries]
    (mean,), (m2,) = moments_of(powers, [scale], tuple((e.length, e.values) for e in entries))
    far = places(m2 < (1 - MOST_OF_ENTRY) * powers[0, 1])
    found = [
        Moments(float(some.values), own_mean, own_m2)
        for some, own_mean, own_m2 in zip(entries, mean.split(sizes), m2.split(sizes))
    ]
    if far is not None:
        begin = 0
        for some, moments in zip(entries, found):
            own = far[(far >= begin) & (far < begin + some.length)] - begin
            begin += some.length
            if own.numel():
                _mend(some, own, moments)
    return found


@lru_cache(maxsize=256)
def counts_of(sizes: tuple[tuple[int, int], ...]) -> Tensor:
    """How many values each entry has, float64; of a size that stays in the processor's cache."""
    return torch.cat(
        [torch.full((length,), count, dtype=torch.float64, device="cpu") for length, count in sizes]
    )


def _mend(entries: Entries, chosen: Tensor, moments: Moments) -> None:
    x, axis = entries.source(), entries.axis
    few = chosen.numel() * _FEW <= entries.length
    if few or x.dtype == torch.float64 or not _recentre(x, axis, entries.values, moments):
        _redo(x, axis, chosen, moments.mean, moments.m2)


def _others(x: Tensor, axis: int) -> tuple[int, ...]:
    return tuple(other for other in range(x.dim()) if other != axis)


def _redo(x: Tensor, axis: int, chosen: Tensor, mean: Tensor, m2: Tensor) -> None:
    """In float64, in place in ``mean`` and ``m2``."""
    others = _others(x, axis)
    each = x.numel() // x.shape[axis]
    for some in chosen.split(max(1, _AT_A_TIME // each)):
        values = x.index_select(axis, some).double()
        centre = values.mean(others, keepdim=True)
        # Equal values have exactly their value as mean, and no variance.
        values.sub_(centre)
        mean[some] = centre.flatten()
        m2[some] = values.mul_(values).sum(others)


def _recentre(x: Tensor, axis: int, count: int, moments: Moments) -> bool:
    """All entries in float32, in place in ``moments``; false if that overflows."""
    mean, m2 = moments.mean, moments.m2
    others = _others(x, axis)
    shape = [1] * x.dim()
    shape[axis] = -1
    centre = torch.zeros_like(mean)
    for start, stop, part in parts(x):
        own = slice(start, stop) if axis == 0 else slice(None)
        centre[own] += part.sum(others)
    narrow = centre.div_(count).float()
    rest = torch.zeros_like(mean)
    squares = torch.zeros_like(mean)
    for start, stop, part in parts(x):
        own = slice(start, stop) if axis == 0 else slice(None)
        work = scratch("deviation", tuple(part.shape), torch.float32)
        deviation = torch.sub(part, narrow[own].view(shape), out=work)
        rest[own] += deviation.sum(others)
        squares[own] += deviation.mul_(deviation).sum(others)
    if not all_set(torch.isfinite(squares)):
        return False
    rest /= count
    m2.copy_(squares.sub_(rest * rest, alpha=count).clamp_(min=0))
    mean.copy_(rest.add_(narrow))
    return True
