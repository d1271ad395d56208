"""Which elements of a large array to read: evenly spread ones, as a strided view of its memory."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import Callable

#: Above this many bytes memory may be a file's, where each page that is touched costs a read.
PAGED_BYTES = 1 << 28
#: What is read there: so many runs of neighbours.
PAGED_RUNS, RUN_LENGTH = 1024, 256
#: Longest that reading there may take, and how many runs tell its pace.
_LONGEST_READ, _TRIAL_RUNS = 0.015, 8
_FEWEST_PER_FEATURE = 64
_TRIES = 64


@dataclass(frozen=True)
class Spread:
    """A view: sizes and strides (in elements) of the elements to read, from the first on."""

    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    #: Elements of the array that each read one stands for by sharing its memory.
    repeats: int
    #: Axis of the view that is the array's feature axis; None where it was not kept apart.
    feature: int | None
    #: Whether not all distinct elements are read.
    sampled: bool

    @property
    def elements(self) -> int:
        return math.prod(self.sizes)


def _merged(dims: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The same memory by as few axes as possible, the outermost first."""
    merged: list[tuple[int, int]] = []
    for size, stride in sorted(dims, key=lambda dim: -abs(dim[1])):
        if merged and merged[-1][1] == size * stride:
            merged[-1] = (merged[-1][0] * size, stride)
        else:
            merged.append((size, stride))
    return merged


def _step(size: int, wanted: int, sizes: tuple[int, ...]) -> int:
    """Step that leaves at most ``wanted`` of ``size``; coprime to every axis, so that it meets
    each of their indices equally often."""
    least = -(-size // max(1, wanted))
    if least == 1:
        return 1
    for step in range(least, least + _TRIES):
        if all(math.gcd(step, other) == 1 for other in sizes if other > 1):
            return step
    return least


def _thinned(
    dims: list[tuple[int, int]], budget: int, sizes: tuple[int, ...]
) -> list[tuple[int, int]]:
    """Takes about the same share of every axis, and short axes whole."""
    order = sorted(range(len(dims)), key=lambda i: dims[i][0])
    thinned = list(dims)
    for place, index in enumerate(order):
        size, stride = dims[index]
        left = len(order) - place
        share = budget if left == 1 else int(budget ** (1 / left) + 1e-9)
        step = _step(size, max(1, share), sizes)
        kept = -(-size // step)
        thinned[index] = (kept, stride * step)
        budget = max(1, budget // kept)
    return thinned


def spread(
    sizes: tuple[int, ...],
    strides: tuple[int, ...],
    budget: int,
    *,
    feature: int | None = None,
    item_bytes: int = 4,
    paged: bool = False,
) -> Spread:
    """At most ``budget`` elements, evenly spread; all distinct ones where they are no more.

    ``feature`` is an axis to keep whole, which is given up where it alone takes up the budget.
    ``paged`` says that memory may be a file's.
    """
    if feature is not None and strides[feature] == 0:
        feature = None
    repeats, dims = 1, []
    for axis, (size, stride) in enumerate(zip(sizes, strides)):
        if axis == feature or size == 1:
            continue
        if stride == 0:
            repeats *= size
        else:
            dims.append((size, stride))
    kept = [(sizes[feature], strides[feature])] if feature is not None else []
    distinct = math.prod(size for size, _ in dims + kept)
    if distinct <= budget:
        return _view(dims, kept, repeats, feature is not None, False)
    if paged and distinct * item_bytes > PAGED_BYTES:
        return _paged(_merged(dims + kept), distinct, repeats, budget, sizes)
    if kept and kept[0][0] * _FEWEST_PER_FEATURE > budget:
        dims, kept = dims + kept, []
    rest = budget // kept[0][0] if kept else budget
    thin = _thinned(_merged(dims), rest, sizes)
    return _view(thin, kept, repeats, bool(kept), True)


def _paged(
    dims: list[tuple[int, int]], distinct: int, repeats: int, budget: int, sizes: tuple[int, ...]
) -> Spread:
    if len(dims) == 1 and abs(dims[0][1]) == 1:
        stride = dims[0][1]
        length = min(RUN_LENGTH, budget)
        runs = max(1, min(PAGED_RUNS, budget // length))
        spacing = max(length, distinct // runs - 1)
        runs = min(runs, (distinct - length) // spacing + 1)
        return Spread((runs, length), (spacing * stride, stride), repeats, None, True)
    thin = _thinned(dims, min(budget, 4 * PAGED_RUNS), sizes)
    return _view(thin, [], repeats, False, True)


def at_a_bearable_pace(
    plan: Spread, touch: Callable[[tuple[int, ...], tuple[int, ...]], object]
) -> Spread:
    """Fewer elements where their memory is slow, as that of a file on a disk is.

    :param touch: reads the elements of a view by its sizes and strides
    """
    runs = plan.sizes[0]

    def every(step: int) -> Spread:
        sizes = (-(-runs // step), *plan.sizes[1:])
        strides = (plan.strides[0] * step, *plan.strides[1:])
        return Spread(sizes, strides, plan.repeats, None, True)

    trial = every(max(1, runs // _TRIAL_RUNS))
    began = time.perf_counter()
    touch(trial.sizes, trial.strides)
    each = (time.perf_counter() - began) / trial.sizes[0]
    bearable = max(_TRIAL_RUNS, int(_LONGEST_READ / each)) if each > 0 else runs
    return plan if bearable >= runs else every(-(-runs // bearable))


def _view(
    dims: list[tuple[int, int]],
    kept: list[tuple[int, int]],
    repeats: int,
    has_feature: bool,
    sampled: bool,
) -> Spread:
    every = dims + kept
    return Spread(
        tuple(size for size, _ in every),
        tuple(stride for _, stride in every),
        repeats,
        len(dims) if has_feature else None,
        sampled,
    )
