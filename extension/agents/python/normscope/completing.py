"""What is left to do of calls in host memory, done for many at once.

A small operation costs as much in calling it as in what it does, and more just after training has
filled the processor's caches; so moments, histograms, extreme rows, samples and the figures of
whole tensors wait until a step ends, and are done together for all calls of one kind.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import torch
from torch import Tensor

from .bins import BIN_COUNT, DISCARDED, bins_of
from .rows import furthest
from .second_pass import moments_of
from .summary import MAX_SAMPLES, Moments, Rest, Summary
from .sums import Sums, joined

#: Values that may wait in all; beyond, calls are completed at once.
MAX_WAITING = 1 << 23
#: Elements of an operation on many calls at once: as many as PyTorch leaves to one thread, since
#: threads cost more than they give here, and far more where another process takes their cores.
_AT_ONCE = 32_767


def complete(summaries: Iterable[Summary]) -> None:
    """Does the rest of each."""
    kinds: dict[tuple[object, ...], list[tuple[Summary, Rest]]] = {}
    for summary in summaries:
        if summary.begin is not None:
            summary.become(summary.begin())
        if summary.rest is not None:
            kinds.setdefault(summary.rest.kind, []).append((summary, summary.rest))
    for alike in kinds.values():
        at_once = max(1, _AT_ONCE // alike[0][1].entries)
        for first in range(0, len(alike), at_once):
            _complete(alike[first : first + at_once])


def _complete(alike: list[tuple[Summary, Rest]]) -> None:
    rests = [rest for _, rest in alike]
    powers, extremes = joined([rest.sums for rest in rests])
    times = [rest.times for rest in rests]
    feature, *others = (multiplied(moments, times) for moments in _moments(rests, powers))
    known = whole_powers(powers, [rest.sums for rest in rests], extremes.shape[2])
    whole = wholes(known, extremes, times, [rest.largest for rest in rests])
    positions, by_row = rests[0].positions, rests[0].by_row
    sample = samples_of(others[0], positions) if positions else others[0]
    row = others[-1] if by_row else None
    histograms = _histograms(rests, row)
    furthest_rows: Iterable[Tensor | None] = [None] * len(rests)
    if row is not None:
        furthest_rows = furthest(row.mean, row.m2 / row.weight, whole[:, 1:2]).unbind()
    classes = torch.tensor([rest.classes for rest in rests], dtype=torch.float64)
    by_feature, by_sample = _each(feature), _each(first_samples(sample))
    for place, ((summary, _), own, range_, rows) in enumerate(
        zip(alike, whole.unbind(), extremes.unbind(), furthest_rows)
    ):
        summary.classes, summary.whole, summary.extremes = classes[place], own, rows
        summary.feature, summary.sample = by_feature[place], by_sample[place]
        summary.minimum, summary.maximum = range_.unbind()
        summary.histogram = histograms[place]
        summary.rest = None


def _moments(rests: list[Rest], powers: Tensor) -> list[Moments]:
    """By axis, of all ``rests``: [calls, entries] each. Brings ``powers`` to the unit 1."""
    entries = rests[0].sums.reduced.entries
    sizes = tuple((entry.sums.shape[1], entry.values) for entry in entries)
    mean, m2 = moments_of(powers, [rest.sums.scale for rest in rests], sizes)
    settled = [rest.settled for rest in rests if rest.settled is not None]
    if settled:
        return [
            Moments(
                axis[0].weight,
                torch.stack([one.mean for one in axis]),
                torch.stack([one.m2 for one in axis]),
            )
            for axis in zip(*settled)
        ]
    lengths = [length for length, _ in sizes]
    by_axis = zip(sizes, mean.split(lengths, 1), m2.split(lengths, 1))
    return [Moments(1.0 * values, own_mean, own_m2) for (_, values), own_mean, own_m2 in by_axis]


def multiplied(moments: Moments, times: list[float]) -> Moments:
    """Those of values times a number for each call."""
    if all(number == 1 for number in times):
        return moments
    factor = torch.tensor([[number] for number in times], dtype=torch.float64, device="cpu")
    return Moments(moments.weight, moments.mean * factor, moments.m2 * (factor * factor))


def whole_powers(powers: Tensor, sums: list[Sums], features: int) -> Tensor:
    """Count, mean and sums of second to fourth powers of deviations from it: [calls, 5].

    ``powers`` are [calls, 2, entries] about the centres, in the unit 1, those of features first.
    """
    third = torch.tensor([one.third / one.scale.unit**3 for one in sums], dtype=torch.float64)
    fourth = torch.tensor([one.fourth / one.scale.unit**4 for one in sums], dtype=torch.float64)
    centre = torch.tensor([one.scale.centre for one in sums], dtype=torch.float64)
    n = sums[0].n
    first, second = powers[:, :, :features].sum(2).unbind(1)
    shift = first / n
    m2 = (second - shift * first).clamp_(min=0)
    m3 = third - 3 * shift * m2 - n * shift**3
    m4 = (fourth - 4 * shift * m3 - 6 * shift * shift * m2 - n * shift**4).clamp_(min=0)
    return torch.stack([torch.full_like(shift, n), shift + centre, m2, m3, m4], 1)


def samples_of(row: Moments, positions: int) -> Moments:
    """Moments of samples of equally many rows, by theirs: [calls, samples]."""
    shape = (len(row.mean), -1, positions)
    by_sample = row.mean.view(shape)
    mean = by_sample.mean(2)
    between = (by_sample - mean.unsqueeze(2)).square_().sum(2)
    return Moments(row.weight * positions, mean, row.m2.view(shape).sum(2) + between * row.weight)


def first_samples(sample: Moments) -> Moments:
    """Those that have figures of their own."""
    return Moments(sample.weight, sample.mean[:, :MAX_SAMPLES], sample.m2[:, :MAX_SAMPLES])


def _each(moments: Moments) -> list[Moments]:
    """Of each call."""
    by_call = zip(moments.mean.unbind(), moments.m2.unbind())
    return [Moments(moments.weight, mean, m2) for mean, m2 in by_call]


def wholes(known: Tensor, extremes: Tensor, times: list[float], largest: list[float]) -> Tensor:
    """Figures in the order of ``WHOLE``, [calls, 8], of values times a number for each call, from
    the first five [calls, 5] and the minima and maxima of features [calls, 2, features] of those
    values. ``extremes`` are multiplied in place. ``largest`` is that of the dtype."""
    figures = torch.empty((len(known), 8), dtype=torch.float64, device="cpu")
    figures[:, :5] = known
    if any(number != 1 for number in times):
        factor = torch.tensor(times, dtype=torch.float64, device="cpu")
        extremes *= factor.view(-1, 1, 1)
        figures[:, 1:5] *= factor.unsqueeze(1) ** torch.arange(1, 5, device="cpu")
    low, high = extremes[:, 0].amin(1), extremes[:, 1].amax(1)
    figures[:, 2:5].masked_fill_((low == high).unsqueeze(1), 0.0)
    limits = [number * limit for number, limit in zip(times, largest)]
    figures[:, 7] = torch.maximum(-low, high) / torch.tensor(limits, dtype=torch.float64)
    figures[:, 5], figures[:, 6] = low, high
    return figures


def _histograms(rests: list[Rest], row: Moments | None) -> list[Tensor]:
    """[1 or 3, 4096] for each call, call by call: the counts of one fit the processor's cache, and
    its values are few enough for one thread."""
    if row is None:
        return [
            torch.bincount(bins_of(rest.drawn, rest.zeros_possible), minlength=BIN_COUNT).unsqueeze(
                0
            )
            for rest in rests
        ]
    found: list[Tensor] = []
    means = row.mean.float().unbind()
    variances = (row.m2 / row.weight).float().unbind()
    for rest, *of_rows in zip(rests, means, variances):
        values = torch.cat([rest.drawn, *of_rows])
        drawn = rest.drawn.numel()
        bins = bins_of(values, False)
        if rest.zeros_possible:
            bins[:drawn].masked_fill_(rest.drawn == 0, DISCARDED)
        bins += _first_bins(drawn, len(of_rows[0]))
        counted = torch.bincount(bins, minlength=3 * BIN_COUNT)
        found.append(counted.view(3, BIN_COUNT))
    return found


@lru_cache(maxsize=64)
def _first_bins(drawn: int, rows: int) -> Tensor:
    """Of the histograms of values and of means and variances of rows, for each of them."""
    lengths = torch.tensor([drawn, rows, rows], device="cpu")
    first = torch.arange(0, 3 * BIN_COUNT, BIN_COUNT, dtype=torch.int32, device="cpu")
    return first.repeat_interleave(lengths)
