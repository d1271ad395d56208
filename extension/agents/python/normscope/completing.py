"""What is left to do of calls in host memory, done for many at once.

A small operation costs as much in calling it as in what it does, and more just after training has
filled the processor's caches; so moments, histograms, extreme rows, samples and the figures of
whole tensors wait until a step ends, and are done together for all calls of one kind.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache

import torch
from torch import Tensor

from .bins import BIN_COUNT, bins_of
from .host_values import numbers, rows_of_numbers
from .rows import furthest
from .second_pass import moments_of
from .summary import MAX_SAMPLES, Batch, Moments, Rest, Summary
from .sums import Sums, joined

#: Values that may wait in all; beyond, calls are completed at once.
MAX_WAITING = 1 << 23
#: Elements of an operation on many calls at once: as many as PyTorch leaves to one thread, since
#: threads cost more than they give here, and far more where another process takes their cores.
_AT_ONCE = 32_767
#: Values that are binned at once.
_BINNED_AT_ONCE = 1 << 16


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
    sums = [rest.sums for rest in rests]
    powers, ranges = joined(*sums)
    times = [rest.times for rest in rests]
    feature, *others = (multiplied(moments, times) for moments in _moments(rests, powers))
    factor = _factor(times)
    if factor is not None:
        ranges *= factor.unsqueeze(2)
    whole = wholes(powers, ranges, sums, times, [rest.largest for rest in rests])
    positions, by_row = rests[0].positions, rests[0].by_row
    sample = samples_of(others[0], positions) if positions else others[0]
    rows = furthest_rows = None
    if by_row:
        rows = others[-1]
        variance = rows.m2 / rows.weight
        furthest_rows = furthest(rows.mean, variance, whole[:, 1:2])
        histograms = _histograms(rests, rows.mean, variance)
    else:
        histograms = _histograms(rests, None, None)
    classes = torch.tensor([rest.classes for rest in rests], dtype=torch.float64, device="cpu")
    batch = Batch(classes, whole, feature, ranges, first_samples(sample), furthest_rows)
    each_feature, each_sample = _each(batch.feature), _each(batch.sample)
    lows, highs = (one.unbind() for one in ranges.unbind(1))
    each_row = [None] * len(rests) if furthest_rows is None else furthest_rows.unbind()
    each_class, each_whole = classes.unbind(), whole.unbind()
    for place, ((summary, rest), histogram) in enumerate(zip(alike, histograms)):
        summary.classes, summary.whole = each_class[place], each_whole[place]
        summary.feature, summary.sample = each_feature[place], each_sample[place]
        summary.minimum, summary.maximum = lows[place], highs[place]
        summary.histogram, summary.extremes = histogram, each_row[place]
        summary.batch, summary.place = batch, place
        summary.rest = None
        rest.sums.room.give_back()


def _moments(rests: list[Rest], powers: Tensor) -> list[Moments]:
    """By axis, of all ``rests``: [calls, entries] each. Brings ``powers`` to the unit 1."""
    sizes = rests[0].sums.reducer.axes
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


def _factor(times: list[float]) -> Tensor | None:
    """[calls, 1]; None where there is nothing to multiply by."""
    if all(number == 1 for number in times):
        return None
    return torch.tensor([[number] for number in times], dtype=torch.float64, device="cpu")


def multiplied(moments: Moments, times: list[float]) -> Moments:
    """Those of values times a number for each call."""
    factor = _factor(times)
    if factor is None:
        return moments
    return Moments(moments.weight, moments.mean * factor, moments.m2 * (factor * factor))


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


def wholes(
    powers: Tensor, ranges: Tensor, sums: list[Sums], times: list[float], largest: list[float]
) -> Tensor:
    """Figures in the order of ``WHOLE``, [calls, 8], of values times a number for each call.

    ``powers`` are [calls, 2, entries] about the centres of the values as they were, in the unit 1,
    those of features first; ``ranges`` the minima and maxima of features, [calls, 2, features], of
    the values times that number. ``largest`` is the largest number of the dtype.
    """
    features = ranges.shape[2]
    totals = rows_of_numbers(powers[:, :, :features].sum(2))
    lows = numbers(ranges[:, 0].amin(1))
    highs = numbers(ranges[:, 1].amax(1))
    found = [
        _whole(one, first, second, low, high, factor, limit)
        for one, (first, second), low, high, factor, limit in zip(
            sums, totals, lows, highs, times, largest
        )
    ]
    return torch.tensor(found, dtype=torch.float64, device="cpu")


def _whole(
    sums: Sums,
    first: float,
    second: float,
    low: float,
    high: float,
    factor: float,
    limit: float,
) -> list[float]:
    n, unit = sums.n, sums.scale.unit
    shift = first / n
    square = shift * shift
    mean = (shift + sums.scale.centre) * factor
    m2 = m3 = m4 = 0.0
    if low != high:
        third, fourth = sums.third / unit**3, sums.fourth / unit**4
        m2 = _not_negative(second - shift * first)
        m3 = third - 3 * shift * m2 - n * (square * shift)
        m4 = fourth - 4 * shift * m3 - 6 * square * m2 - n * (square * square)
        m2 *= factor * factor
        m3 *= factor * factor * factor
        m4 = _not_negative(m4) * (factor * factor * factor * factor)
    most = factor * limit
    headroom = max(-low, high) / most if most else math.nan
    return [n, mean, m2, m3, m4, low, high, headroom]


def _not_negative(value: float) -> float:
    return 0.0 if value < 0 else value


def _histograms(rests: list[Rest], mean: Tensor | None, variance: Tensor | None) -> list[Tensor]:
    """[1 or 3, 4096] for each call: a few calls at a time, whose values fit the processor's
    cache."""
    drawn = rests[0].drawn.numel()
    rows = 0 if mean is None else mean.shape[1]
    at_once = max(1, _BINNED_AT_ONCE // (drawn + 2 * rows))
    of_rows: list[list[Tensor]] = [[] for _ in rests]
    if mean is not None and variance is not None:
        of_rows = [list(pair) for pair in zip(mean.float().unbind(), variance.float().unbind())]
    sections = 1 if mean is None else 3
    found: list[Tensor] = []
    for first in range(0, len(rests), at_once):
        some = rests[first : first + at_once]
        values = [
            tensor
            for rest, others in zip(some, of_rows[first : first + at_once])
            for tensor in (rest.drawn, *others)
        ]
        joint = values[0] if len(values) == 1 else torch.cat(values)
        bins = bins_of(joint, any(rest.zeros_possible for rest in some))
        if len(values) > 1:
            bins += _first_bins(drawn, rows, sections, len(some))
        length = len(some) * sections * BIN_COUNT
        counted = torch.bincount(bins, minlength=length)
        found += counted.view(len(some), sections, BIN_COUNT).unbind()
    return found


@lru_cache(maxsize=16)
def _first_bins(drawn: int, rows: int, sections: int, calls: int) -> Tensor:
    """Of the histograms of values and of means and variances of rows, for each of them."""
    lengths = torch.tensor([drawn, rows, rows][:sections] * calls, device="cpu")
    last = calls * sections * BIN_COUNT
    first = torch.arange(0, last, BIN_COUNT, dtype=torch.int32, device="cpu")
    return first.repeat_interleave(lengths)
