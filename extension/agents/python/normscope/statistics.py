"""The hot file: reduces one tensor to its statistics with few operations on its own device.

Everything is over finite values. Nothing here draws random numbers, records a graph or, on an
accelerator, waits for the device. In host memory, one pass sums powers about a common centre and a
second one mends what that centre was too far from; other tensors take a path without decisions.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from .bins import BIN_COUNT
from .completing import wholes
from .geometry import Cells, Geometry, cells, row_by_row
from .host_values import all_set, any_set, number, places, zeros_and_subnormals
from .masked import masked, masked_unpadded
from .rows import FAMILIES
from .sampling import sampled
from .scratch import scratch
from .second_pass import Entries, settled
from .summary import (
    ALL,
    Binning,
    Kept,
    Moments,
    Rest,
    Summary,
    Unpadded,
    accumulator_dtype,
)
from .sums import LastScale, Scale, Sums, add_up, joined, narrow, parts, scale_of

#: Values of a tensor that is kept whole until the step ends, if nothing before depends on what it
#: holds: where operations are small, calling them one after the other for many tensors costs least.
_KEPT_WHOLE = 1 << 16
#: Stand for what is still to be done.
_LATER = torch.empty(0)
_MOMENTS_LATER = Moments(0.0, _LATER, _LATER)


def summarise(
    x: Tensor,
    geometry: Geometry,
    binning: Binning = ALL,
    padding: Tensor | None = None,
    seek_padding: bool = True,
    last: LastScale | None = None,
) -> Summary:
    """Statistics of a dense floating-point ``x`` times the factor of ``binning``, to be completed.

    ``padding`` is bool [rows], true for rows that are padding; None where it is not known, and then
    ``seek_padding`` takes constant rows for it. The counts of value classes and the headroom are of
    ``x`` as it lies in memory. ``last`` is of the same place.
    """
    if x.numel() == 0:
        return _empty(x, geometry)
    factor = binning.factor
    if x.device.type != "cpu" or (factor is not None and factor.device.type != "cpu"):
        return without_decisions(x, geometry, binning, padding)
    times = 1.0 if factor is None else number(factor)
    last = last or LastScale()
    seek_padding = seek_padding and geometry.family in FAMILIES
    if x.numel() <= _KEPT_WHOLE and padding is None:
        view = cells(x, geometry)
        if not seek_padding or not _may_hold_constant_rows(view):
            return _kept(x.clone(), geometry, binning, times, last)
    return _begun(x, geometry, binning, times, padding, seek_padding, last)


def _may_hold_constant_rows(view: Cells) -> bool:
    x, inner = view
    features = x.movedim(3 - inner, 0)
    return len(features) > 1 and any_set(features[0] == features[-1])


def _kept(
    copy: Tensor, geometry: Geometry, binning: Binning, times: float, last: LastScale
) -> Summary:
    def begin() -> Summary:
        return _begun(copy, geometry, binning, times, None, False, last)

    view = cells(copy, geometry)
    by_row = geometry.family in FAMILIES
    return _later(view, binning, kept=Kept(view, binning, times, by_row, last, begin))


def _later(view: Cells, binning: Binning, **rest: Any) -> Summary:
    x, inner = view
    return Summary(
        calls=1,
        elements=x.numel(),
        samples=x.shape[0],
        classes=_LATER,
        whole=_LATER,
        feature=_MOMENTS_LATER,
        minimum=_LATER,
        maximum=_LATER,
        sample=_MOMENTS_LATER,
        histogram=_LATER,
        stride=binning.stride,
        rows=x.shape[0] * x.shape[inner],
        **rest,
    )


def _begun(
    x: Tensor,
    geometry: Geometry,
    binning: Binning,
    times: float,
    padding: Tensor | None,
    seek_padding: bool,
    last: LastScale,
) -> Summary:
    view = _dense(cells(x, geometry))
    found = _clean(view, geometry, binning, times, seek_padding and padding is None, last)
    summary = found or masked(cells(x.double(), geometry), geometry, binning, torch.finfo(x.dtype))
    if summary.constant_rows is not None:
        summary.constant_rows = _some(summary.constant_rows)
    if padding is None and seek_padding:
        padding = summary.constant_rows
    if padding is not None:
        _leave_padding_out(summary, view, geometry, padding, times, found is not None)
    return summary


def _dense(view: Cells) -> Cells:
    """``view`` in contiguous memory, which is kept: fresh memory costs more than the copy."""
    x, inner = view
    if x.is_contiguous():
        return view
    return scratch("dense", tuple(x.shape), x.dtype).copy_(x), inner


def without_decisions(
    x: Tensor, geometry: Geometry, binning: Binning, padding: Tensor | None
) -> Summary:
    """The same for any device; only a mask says what is padding there."""
    view = cells(x if x.dtype in (torch.float32, torch.float64) else x.float(), geometry)
    limits = torch.finfo(x.dtype)
    summary = masked(view, geometry, binning, limits)
    summary.constant_rows = None
    if padding is not None:
        summary.padding = padding.sum()
        summary.unpadded = masked_unpadded(view, padding, binning.factor, limits)
    return summary


def _clean(
    view: Cells,
    geometry: Geometry,
    binning: Binning,
    times: float,
    seek_padding: bool,
    last: LastScale,
) -> Summary | None:
    """The path of finite tensors in host memory; None when ``view`` is not one."""
    x, inner = view
    limits = torch.finfo(x.dtype)
    positions, features = x.shape[inner], x.shape[3 - inner]
    part = sampled(view, binning.stride, binning.turn)
    by_row = geometry.family in FAMILIES
    sums = _first_pass(view, part, by_row, limits.tiny, last)
    if sums is None:
        return None
    # A copy: it is kept until the step ends, when the program may have changed or freed its own.
    drawn = sums.room.drawn(part.shape).copy_(part).view(-1)
    seek_padding = seek_padding and features > 1
    settled_moments = None
    if not sums.excess < 0:
        # Rows of one value that is not zero are far from a centre of zero.
        constant = seek_padding and not number(sums.rows_second.amin())
        if constant or sums.entries_far:
            settled_moments = _settled(view, sums, joined(sums)[0])
    zeros, subnormals = _small(sums, view, limits.tiny)
    values = drawn if drawn.dtype == torch.float32 else drawn.float()
    rest = Rest(
        drawn=values if times == 1.0 else values * times,
        zeros_possible=zeros + subnormals > 0 or x.dtype == torch.float64 or times != 1.0,
        classes=[0.0, 0.0, 0.0, zeros, subnormals],
        sums=sums,
        settled=settled_moments,
        times=times,
        largest=limits.max,
        positions=positions if inner == 1 else 0,
        by_row=by_row,
    )
    summary = _later(view, binning, rest=rest)
    if seek_padding and settled_moments is not None:
        summary.constant_rows = settled_moments[-1].m2 == 0
    return summary


def _first_pass(
    view: Cells, part: Tensor, by_row: bool, tiny: float, last: LastScale
) -> Sums | None:
    """Sums about a centre that suits the whole tensor; the one of ``last`` is tried first, then one
    that suits ``part`` of it. None where values are not finite."""
    if last.scale is not None:
        sums = add_up(view, last.scale, by_row, tiny)
        if sums.totals.suited:
            return sums
        sums.room.give_back()
    scale = scale_of(part.reshape(-1))
    if scale is None:
        return None
    sums = add_up(view, scale, by_row, tiny)
    if sums.totals.far:
        mean = sums.totals.first / sums.totals.n
        sums.room.give_back()
        nearer = Scale(narrow(scale.centre + mean / scale.unit), scale.unit)
        sums = add_up(view, nearer, by_row, tiny)
    if not sums.totals.finite:
        return None
    last.scale = sums.scale
    return sums


def _settled(view: Cells, sums: Sums, powers: Tensor) -> list[Moments]:
    """Of features, then of rows where features lie last, else of samples and, for norms that work
    row by row, of rows."""
    x, inner = view
    if inner == 1:
        flat = x.reshape(-1, x.shape[2])
        sources = [(lambda: flat, 1), (lambda: flat, 0)]
    else:
        sources = [(lambda: x, 1), (lambda: x, 0), (lambda: row_by_row(view), 0)]
    entries = [
        Entries(own.length, own.values, source, axis)
        for own, (source, axis) in zip(sums.reducer.axes, sources)
    ]
    return settled(powers, sums.scale, entries)


def _small(sums: Sums, view: Cells, tiny: float) -> tuple[int, int]:
    """Zeros and subnormals."""
    if sums.small is not None:
        return sums.small
    low, high = joined(sums)[1][0]
    if all_set((low >= tiny) | (high <= -tiny)):
        return 0, 0
    zeros = subnormals = 0
    for _, _, part in parts(view[0]):
        work = scratch("signs", tuple(part.shape), part.dtype)
        found = zeros_and_subnormals(part, tiny, work, None, 0.0)
        zeros, subnormals = zeros + found[0], subnormals + found[1]
    return zeros, subnormals


def _some(flags: Tensor) -> Tensor | None:
    """None where none is set, or all are."""
    return flags if any_set(flags) and not all_set(flags) else None


def _leave_padding_out(
    summary: Summary,
    view: Cells,
    geometry: Geometry,
    padding: Tensor,
    times: float,
    finite: bool,
) -> None:
    """Counts the rows that are padding and measures the others by themselves, in host memory."""
    summary.padding = padding.sum()
    kept = places(~padding)
    if kept is None:
        nothing = _empty(view[0][:0], geometry)
        summary.unpadded = Unpadded(nothing.whole, nothing.feature)
        return
    if kept.numel() == padding.numel():
        return
    x = row_by_row(view).index_select(0, kept)
    limits = torch.finfo(x.dtype)
    if finite:
        rest = (x.unsqueeze(0), 1)
        sums = _first_pass(rest, x, False, limits.tiny, LastScale())
        if sums is not None:
            powers, extremes = joined(sums)
            feature = _settled(rest, sums, powers)[0]
            feature.mean.mul_(times)
            feature.m2.mul_(times * times)
            whole = wholes(powers, extremes * times, [sums.totals], [times], [limits.max])[0]
            summary.unpadded = Unpadded(whole, feature)
            sums.room.give_back()
            return
    factor = torch.tensor(times, dtype=torch.float64)
    none = torch.zeros(x.shape[0], dtype=torch.bool)
    summary.unpadded = masked_unpadded((x.double().unsqueeze(0), 1), none, factor, limits)


def _empty(x: Tensor, geometry: Geometry) -> Summary:
    wide = accumulator_dtype(x)
    by_row = geometry.family in FAMILIES
    zero = torch.zeros(geometry.features, dtype=wide, device=x.device)
    none = torch.zeros(0, dtype=wide, device=x.device)
    infinite = torch.full_like(zero, float("inf"))
    whole = torch.zeros(8, dtype=wide, device=x.device)
    whole[5], whole[6] = float("inf"), -float("inf")
    bins = (3 if by_row else 1, BIN_COUNT)
    return Summary(
        calls=1,
        elements=0,
        samples=0,
        classes=torch.zeros(5, dtype=wide, device=x.device),
        whole=whole,
        feature=Moments(zero, zero.clone(), zero.clone()),
        minimum=infinite,
        maximum=-infinite,
        sample=Moments(none, none.clone(), none.clone()),
        histogram=torch.zeros(bins, dtype=torch.int64, device=x.device),
        stride=1,
        rows=0,
        extremes=torch.zeros((0, 3), dtype=wide, device=x.device) if by_row else None,
    )
