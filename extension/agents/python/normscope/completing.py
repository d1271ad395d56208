"""What is left to do of calls in host memory, done for many at once.

A small operation costs as much in calling it as in what it does, and more just after training has
filled the processor's caches; so histograms, extreme rows, samples and the figures of whole tensors
wait until a step ends, and are done together for all calls of one kind.
"""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor

from .bins import BIN_COUNT, bins_of
from .rows import furthest
from .summary import MAX_SAMPLES, Moments, Rest, Summary

#: Values that may wait in all; beyond, calls are completed at once.
MAX_WAITING = 1 << 23
#: Elements of an operation on many calls at once: as many as PyTorch leaves to one thread, since
#: threads cost more than they give here.
_AT_ONCE = 32_767


def complete(summaries: Iterable[Summary]) -> None:
    """Does the rest of each."""
    kinds: dict[tuple[int, ...], list[tuple[Summary, Rest]]] = {}
    for summary in summaries:
        if summary.rest is not None:
            kinds.setdefault(summary.rest.kind, []).append((summary, summary.rest))
    for alike in kinds.values():
        at_once = max(1, _AT_ONCE // _longest(alike[0][1]))
        for first in range(0, len(alike), at_once):
            _complete(alike[first : first + at_once])


def _longest(rest: Rest) -> int:
    return max(rest.extremes.numel(), 0 if rest.row is None else rest.row.mean.numel())


def _complete(alike: list[tuple[Summary, Rest]]) -> None:
    rests = [rest for _, rest in alike]
    extremes = torch.stack([rest.extremes for rest in rests])
    whole = wholes(
        [rest.powers for rest in rests], extremes, [rest.largest * rest.times for rest in rests]
    )
    classes = torch.tensor([rest.classes for rest in rests], dtype=torch.float64)
    rows = _Rows(rests) if rests[0].row is not None else None
    histogram = _histograms(rests, rows)
    furthest_rows: Iterable[Tensor | None] = [None] * len(rests)
    if rows is not None and rests[0].by_row:
        furthest_rows = furthest(rows.mean, rows.variance, whole[:, 1:2])
    samples = rows.samples(rests[0].positions) if rows is not None and rests[0].positions else None
    for place, ((summary, _), extreme_rows) in enumerate(zip(alike, furthest_rows)):
        summary.classes, summary.whole = classes[place], whole[place]
        summary.histogram, summary.extremes = histogram[place], extreme_rows
        if samples is not None:
            weight, mean, m2 = samples
            summary.sample = first_samples(Moments(weight, mean[place], m2[place]))
        summary.rest = None


class _Rows:
    """Mean and biased variance of the rows of each call: [calls, rows]."""

    def __init__(self, rests: list[Rest]) -> None:
        moments = [rest.row for rest in rests if rest.row is not None]
        self._features = moments[0].weight
        self.mean = torch.stack([row.mean for row in moments])
        self._m2 = torch.stack([row.m2 for row in moments])
        self.variance = self._m2 / self._features

    def samples(self, positions: int) -> tuple[float, Tensor, Tensor]:
        """Values, means and sums of squared deviations of samples of equally many rows."""
        shape = (len(self.mean), -1, positions)
        by_sample = self.mean.view(shape)
        mean = by_sample.mean(2)
        between = (by_sample - mean.unsqueeze(2)).square_().sum(2)
        m2 = self._m2.view(shape).sum(2) + between * self._features
        return 1.0 * positions * self._features, mean, m2  # type: ignore[return-value]


def first_samples(sample: Moments) -> Moments:
    """Those that have figures of their own."""
    return Moments(sample.weight, sample.mean[:MAX_SAMPLES], sample.m2[:MAX_SAMPLES])


def wholes(powers: list[list[float]], extremes: Tensor, largest: list[float]) -> Tensor:
    """Figures in the order of ``WHOLE``, [calls, 8], from the first five of each, the features'
    [calls, 2, features] minima and maxima and what the largest number of the dtype stands for."""
    figures = torch.tensor(
        [[*known, 0.0, 0.0, limit] for known, limit in zip(powers, largest)], dtype=torch.float64
    )
    low, high = extremes[:, 0].amin(1), extremes[:, 1].amax(1)
    figures[:, 2:5].masked_fill_((low == high).unsqueeze(1), 0.0)
    figures[:, 7] = torch.maximum(-low, high) / figures[:, 7]
    figures[:, 5], figures[:, 6] = low, high
    return figures


def _histograms(rests: list[Rest], rows: _Rows | None) -> list[Tensor]:
    """[1 or 3, 4096] for each call, call by call: the counts of one fit the processor's cache, and
    its values are few enough for one thread."""
    means = variances = None
    if rows is not None and rests[0].by_row:
        means = bins_of(rows.mean.float(), False).add_(BIN_COUNT).unbind()
        variances = bins_of(rows.variance.float(), False).add_(2 * BIN_COUNT).unbind()
    found: list[Tensor] = []
    for place, rest in enumerate(rests):
        bins, count = bins_of(rest.drawn, rest.zeros_possible), 1
        if means is not None and variances is not None:
            bins, count = torch.cat([bins, means[place], variances[place]]), 3
        counted = torch.bincount(bins, minlength=count * BIN_COUNT)
        found.append(counted.view(count, BIN_COUNT))
    return found
