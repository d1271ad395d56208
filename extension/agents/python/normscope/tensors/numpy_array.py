"""The facts of a numpy array."""

from __future__ import annotations

import math
from typing import Any

from .facts import FEW, Facts, Figures
from .options import most_elements
from .spread import PAGED_BYTES, Spread, at_a_bearable_pace, spread
from .words import word

_DRAWN = 1024
_FEWEST_POSITIONS = 8


def facts_of(numpy: Any, array: Any, limit: int | None = None) -> Facts:
    """Reads an array. Never raises: what can not be read is said."""
    base = numpy.ndarray
    dtype = base.dtype.__get__(array)
    facts = Facts(str(dtype)[:60], tuple(base.shape.__get__(array)))
    facts.boolean = dtype.kind == "b"
    # Kind V without fields: numbers of a package such as ml_dtypes.
    facts.floating = dtype.kind not in "biu"
    facts.traits.append("numpy")
    if type(array) is not base:
        facts.traits.append(type(array).__name__[:40])
    if limit == 0:
        return facts
    try:
        why = read_into(numpy, base.view(array, base), facts, limit)
    except Exception as error:
        first = (str(error).splitlines() or [""])[0][:80]
        why = f"{type(error).__name__}: {first}"
    if why is not None:
        facts.notes.append(word("values not read ({0})", word(why)))
    return facts


def read_into(numpy: Any, x: Any, facts: Facts, limit: int | None) -> str | None:
    """Adds the figures of a plain array to ``facts``; returns why there are none, if so."""
    if x.dtype.kind not in "biufc" and not _converts(numpy, x):
        return "not numbers"
    if x.size == 0:
        facts.notes.append(word("empty"))
    elif x.size <= FEW:
        plain = x if x.dtype.kind in "biufc" else x.astype(numpy.float64)
        facts.values = plain.reshape(-1).tolist()
    else:
        if x.dtype.kind == "c":
            facts.of = "|z|"
        facts.figures = figures_of(numpy, x, limit)
    return None


def _converts(numpy: Any, x: Any) -> bool:
    if x.dtype.kind != "V" or x.dtype.fields is not None:
        return False
    try:
        numpy.zeros(1, x.dtype).astype(numpy.float64)
    except Exception:
        return False
    return True


def _feature(x: Any) -> int | None:
    """The last axis, which numpy's users lay features along, where there is enough to tell."""
    if x.dtype.kind in "biuc" or not 2 <= x.ndim <= 5 or x.shape[-1] < 2:
        return None
    return x.ndim - 1 if x.size // x.shape[-1] >= _FEWEST_POSITIONS else None


def figures_of(numpy: Any, x: Any, limit: int | None = None) -> Figures:
    """Statistics of the finite values of an array of numbers, in float64."""
    budget = min(most_elements(), limit) if limit is not None else most_elements()
    item = x.itemsize
    whole = all(stride % item == 0 for stride in x.strides)
    plan = spread(
        tuple(x.shape), tuple(stride // item if whole else stride for stride in x.strides), budget,
        feature=_feature(x), item_bytes=item if whole else 1, paged=whole,
    )  # fmt: skip
    scale = item if whole else 1

    def view(sizes: tuple[int, ...], strides: tuple[int, ...]) -> Any:
        return numpy.lib.stride_tricks.as_strided(
            x, sizes, tuple(stride * scale for stride in strides), writeable=False
        )

    if plan.sampled and x.size * item > PAGED_BYTES:
        plan = at_a_bearable_pace(plan, lambda sizes, strides: (view(sizes, strides) != 0).sum())
    return _of(numpy, view(plan.sizes, plan.strides), plan, int(x.size))


def _of(numpy: Any, view: Any, plan: Spread, total: int) -> Figures:
    values = numpy.abs(view) if view.dtype.kind == "c" else view
    wide = values.astype(numpy.float64)
    with numpy.errstate(all="ignore"):
        is_finite = numpy.isfinite(wide)
        good = wide[is_finite] if not is_finite.all() else wide
        repeats = plan.repeats
        nan = int(numpy.isnan(wide).sum())
        figures = Figures(total, int(wide.size), plan.sampled)
        figures.nan = nan * repeats
        figures.infinite = (int(wide.size - good.size) - nan) * repeats
        figures.zeros = int((wide == 0).sum()) * repeats
        figures.finite = int(good.size) * repeats
        if good.size:
            figures.mean = float(good.mean())
            off = good - figures.mean
            figures.deviation = math.sqrt(float((off * off).mean()))
            figures.low, figures.high = float(good.min()), float(good.max())
        if plan.feature is not None:
            rows = wide.reshape(-1, wide.shape[-1])
            figures.features = int(rows.shape[1])
            figures.dead = int((rows.min(0) == rows.max(0)).sum())
        every = max(1, -(-wide.size // _DRAWN))
        figures.some = wide.reshape(-1)[::every].tolist()
    return figures
