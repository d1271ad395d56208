"""What is left to do of calls in host memory, done for many at once.

A small operation costs as much in calling it as in what it does, and more just after training has
filled the processor's caches; so moments, histograms, extreme rows, samples and the figures of
whole tensors wait until a step ends, and are done together for all calls of one kind.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache
from typing import TypeVar

import torch
from torch import Tensor

from .bins import BIN_COUNT, bins_of
from .host_values import numbers, rows_of_numbers
from .rows import furthest
from .second_pass import moments_of
from .stacking import MOST_STACKED, stacked
from .summary import MAX_SAMPLES, Batch, Kept, Moments, Rest, Summary
from .sums import Powers, joined
from .together import Together

#: Values that may wait in all; beyond, calls are completed at once.
MAX_WAITING = 1 << 23
#: Elements of an operation on many calls at once: as many as PyTorch leaves to one thread, since
#: threads cost more than they give here, and far more where another process takes their cores.
_AT_ONCE = 32_767
#: Values that are binned at once.
_BINNED_AT_ONCE = 1 << 16

_Part = TypeVar("_Part", Kept, Rest)


def complete(summaries: Iterable[Summary]) -> None:
    """Does the rest of each."""
    known = list(summaries)
    for alike in _by_kind((summary.kept, summary) for summary in known):
        at_once = max(1, MOST_STACKED // alike[0][0].view[0].numel())
        for first in range(0, len(alike), at_once):
            _measure(alike[first : first + at_once])
    for some in _by_kind((summary.rest, summary) for summary in known):
        at_once = max(1, _AT_ONCE // some[0][0].entries)
        for first in range(0, len(some), at_once):
            _complete(some[first : first + at_once])


def _by_kind(pairs: Iterable[tuple[_Part | None, Summary]]) -> list[list[tuple[_Part, Summary]]]:
    kinds: dict[tuple[object, ...], list[tuple[_Part, Summary]]] = {}
    for part, summary in pairs:
        if part is not None:
            kinds.setdefault(part.kind, []).append((part, summary))
    return list(kinds.values())


def _measure(alike: list[tuple[Kept, Summary]]) -> None:
    """Those of one kind together, and what that does not suit one by one."""
    places, together = stacked([kept for kept, _ in alike])
    for place, (kept, summary) in enumerate(alike):
        if place not in places:
            summary.become(kept.begin())
    if together is not None:
        _finish([alike[place][1] for place in places], together)


def _complete(alike: list[tuple[Rest, Summary]]) -> None:
    rests = [rest for rest, _ in alike]
    powers, ranges = joined(*[rest.sums for rest in rests])
    together = Together(
        powers=powers,
        ranges=ranges,
        axes=rests[0].sums.reducer.axes,
        totals=[rest.sums.totals for rest in rests],
        classes=[rest.classes for rest in rests],
        times=[rest.times for rest in rests],
        largest=[rest.largest for rest in rests],
        drawn=[rest.drawn for rest in rests],
        zeros_possible=any(rest.zeros_possible for rest in rests),
        positions=rests[0].positions,
        by_row=rests[0].by_row,
        settled=[rest.settled for rest in rests if rest.settled is not None],
    )
    _finish([summary for _, summary in alike], together)
    for rest in rests:
        rest.sums.room.give_back()


def _finish(summaries: list[Summary], known: Together) -> None:
    """Moments, figures of whole tensors, extreme rows and histograms of all."""
    feature, *others = (multiplied(moments, known.times) for moments in _moments(known))
    ranges = known.ranges
    factor = _factor(known.times)
    if factor is not None:
        ranges *= factor.unsqueeze(2)
    whole = wholes(known.powers, ranges, known.totals, known.times, known.largest)
    sample = samples_of(others[0], known.positions) if known.positions else others[0]
    rows = others[-1] if known.by_row else None
    furthest_rows = None
    if rows is not None:
        furthest_rows = furthest(rows.mean, rows.m2 / rows.weight, whole[:, 1:2])
    histograms = _histograms(known, rows)
    classes = torch.tensor(known.classes, dtype=torch.float64, device="cpu")
    batch = Batch(classes, whole, feature, ranges, first_samples(sample), furthest_rows)
    each_feature, each_sample = _each(batch.feature), _each(batch.sample)
    lows, highs = (one.unbind() for one in ranges.unbind(1))
    each_row = [None] * len(summaries) if furthest_rows is None else furthest_rows.unbind()
    each_class, each_whole = classes.unbind(), whole.unbind()
    for place, (summary, histogram) in enumerate(zip(summaries, histograms)):
        summary.classes, summary.whole = each_class[place], each_whole[place]
        summary.feature, summary.sample = each_feature[place], each_sample[place]
        summary.minimum, summary.maximum = lows[place], highs[place]
        summary.histogram, summary.extremes = histogram, each_row[place]
        summary.batch, summary.place = batch, place
        summary.rest = summary.kept = None


def _moments(known: Together) -> list[Moments]:
    """By axis: [calls, entries] each. Brings the powers to the unit 1."""
    sizes = known.axes
    mean, m2 = moments_of(known.powers, [totals.scale for totals in known.totals], sizes)
    if known.settled:
        return [
            Moments(
                axis[0].weight,
                torch.stack([one.mean for one in axis]),
                torch.stack([one.m2 for one in axis]),
            )
            for axis in zip(*known.settled)
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
    powers: Tensor, ranges: Tensor, sums: list[Powers], times: list[float], largest: list[float]
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
    sums: Powers,
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


def _histograms(known: Together, by_row: Moments | None) -> list[Tensor]:
    """[1 or 3, 4096] for each call: a few calls at a time, whose values fit the processor's
    cache."""
    calls, drawn = len(known.drawn), known.drawn[0].numel()
    rows, sections = 0, 1
    of_rows: list[list[Tensor]] = [[] for _ in range(calls)]
    if by_row is not None:
        rows, sections = by_row.mean.shape[1], 3
        means, variances = by_row.mean.float(), (by_row.m2 / by_row.weight).float()
        of_rows = [list(pair) for pair in zip(means.unbind(), variances.unbind())]
    at_once = max(1, _BINNED_AT_ONCE // (drawn + 2 * rows))
    found: list[Tensor] = []
    for first in range(0, calls, at_once):
        some = known.drawn[first : first + at_once]
        values = [
            tensor
            for one, others in zip(some, of_rows[first : first + at_once])
            for tensor in (one, *others)
        ]
        joint = values[0] if len(values) == 1 else torch.cat(values)
        bins = bins_of(joint, known.zeros_possible)
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
