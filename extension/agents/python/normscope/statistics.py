"""The hot file: reduces one tensor to its statistics with few operations on its own device.

Everything is over finite values. Nothing here draws random numbers, records a graph or, on an
accelerator, waits for the device. In host memory, one pass sums powers about a common centre and a
second one mends what that centre was too far from; other tensors take a path without decisions.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

from .bins import BIN_COUNT
from .completing import first_samples, wholes
from .geometry import Cells, Geometry, cells, row_by_row
from .host_values import all_set, any_set, number, numbers, places, zeros_and_subnormals
from .masked import masked, masked_unpadded
from .rows import FAMILIES
from .sampling import sampled
from .scratch import scratch
from .second_pass import Entries, settled
from .summary import (
    ALL,
    Binning,
    Moments,
    Rest,
    Summary,
    Unpadded,
    accumulator_dtype,
)
from .sums import Scale, Sums, add_up, narrow, parts, scale_of

#: Stands for what is still to be done.
_LATER = torch.empty(0)


def summarise(
    x: Tensor,
    geometry: Geometry,
    binning: Binning = ALL,
    padding: Tensor | None = None,
    seek_padding: bool = True,
) -> Summary:
    """Statistics of a dense floating-point ``x`` times the factor of ``binning``, to be completed.

    ``padding`` is bool [rows], true for rows that are padding; None where it is not known, and then
    ``seek_padding`` takes constant rows for it. The counts of value classes and the headroom are of
    ``x`` as it lies in memory.
    """
    if x.numel() == 0:
        return _empty(x, geometry)
    factor = binning.factor
    if x.device.type != "cpu" or (factor is not None and factor.device.type != "cpu"):
        return without_decisions(x, geometry, binning, padding)
    times = 1.0 if factor is None else number(factor)
    view = cells(x, geometry)
    found = _clean(view, geometry, binning, times, seek_padding and padding is None)
    summary = found or masked(cells(x.double(), geometry), geometry, binning, torch.finfo(x.dtype))
    if summary.constant_rows is not None:
        summary.constant_rows = _some(summary.constant_rows)
    if padding is None and seek_padding:
        padding = summary.constant_rows
    if padding is not None:
        _leave_padding_out(summary, view, geometry, padding, times, found is not None)
    return summary


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
    view: Cells, geometry: Geometry, binning: Binning, times: float, seek_padding: bool
) -> Summary | None:
    """The path of finite tensors in host memory; None when ``view`` is not one."""
    x, inner = view
    limits = torch.finfo(x.dtype)
    batch, positions, features = x.shape[0], x.shape[inner], x.shape[3 - inner]
    part = sampled(view, binning.stride, binning.turn)
    # A copy: it is kept until the step ends, when the program may have changed or freed its own.
    dtype = torch.float64 if x.dtype == torch.float64 else torch.float32
    drawn = torch.empty(part.shape, dtype=dtype, device="cpu").copy_(part).view(-1)
    by_row = geometry.family in FAMILIES
    found = _first_pass(view, drawn, by_row, limits.tiny)
    if found is None:
        return None
    sums, scale, whole = found
    feature, sample, row = _settled(view, sums, scale, by_row)
    zeros, subnormals = _small(sums, view, limits.tiny)
    if times != 1.0:
        for moments in (feature, sample, row):
            if moments is not None:
                moments.mean.mul_(times)
                moments.m2.mul_(times * times)
    extremes = sums.extremes if times == 1.0 else sums.extremes * times
    rest = Rest(
        drawn=drawn.float() if times == 1.0 else drawn.float() * times,
        zeros_possible=zeros + subnormals > 0 or x.dtype == torch.float64 or times != 1.0,
        classes=[0.0, 0.0, 0.0, zeros, subnormals],
        powers=_multiplied(whole, times),
        extremes=extremes,
        times=times,
        largest=limits.max,
        row=row,
        positions=positions if sample is None else 0,
        by_row=by_row,
    )
    summary = Summary(
        calls=1,
        elements=x.numel(),
        samples=batch,
        classes=_LATER,
        whole=_LATER,
        feature=feature,
        minimum=extremes[0],
        maximum=extremes[1],
        sample=Moments(0.0, _LATER, _LATER) if sample is None else first_samples(sample),
        histogram=_LATER,
        stride=binning.stride,
        rows=batch * positions,
        rest=rest,
    )
    if seek_padding and by_row and row is not None and features > 1 and not number(row.m2.amin()):
        summary.constant_rows = row.m2 == 0
    return summary


def _multiplied(whole: list[float], times: float) -> list[float]:
    """Count, mean and higher powers of values times ``times``."""
    return [whole[0], *(value * times**k for k, value in enumerate(whole[1:], 1))]


def _first_pass(
    view: Cells, drawn: Tensor, by_row: bool, tiny: float
) -> tuple[Sums, Scale, list[float]] | None:
    """Sums about a centre that suits the whole tensor, and its moments; None where not finite."""
    features = view[0].shape[3 - view[1]]
    scale = scale_of(drawn)
    if scale is None:
        return None
    sums = add_up(view, scale, by_row, tiny)
    whole, far = _moments_of_all(sums, scale, view[0].numel(), features)
    if far:
        scale = Scale(narrow(whole[1]), scale.unit)
        sums = add_up(view, scale, by_row, tiny)
        whole, _ = _moments_of_all(sums, scale, view[0].numel(), features)
    return (sums, scale, whole) if all(map(math.isfinite, whole)) else None


def _settled(
    view: Cells, sums: Sums, scale: Scale, by_row: bool
) -> tuple[Moments, Moments | None, Moments | None]:
    """Of features, of samples where they are not to be made from rows, and of rows."""
    x, inner = view
    batch, positions, features = x.shape[0], x.shape[inner], x.shape[3 - inner]
    rows = batch * positions
    if inner == 1:
        flat = x.reshape(-1, features)
        by_feature = Entries(features, rows, lambda: flat, 1)
        by_position = Entries(rows, features, lambda: flat, 0)
        feature, row = settled(sums.powers, scale, [by_feature, by_position])
        return feature, None, row
    entries = [
        Entries(features, rows, lambda: x, 1),
        Entries(batch, positions * features, lambda: x, 0),
    ]
    if by_row:
        entries.append(Entries(rows, features, lambda: row_by_row(view), 0))
    feature, sample, *rest = settled(sums.powers, scale, entries)
    return feature, sample, rest[0] if rest else None


def _moments_of_all(sums: Sums, scale: Scale, n: int, features: int) -> tuple[list[float], bool]:
    """Count, mean and the sums of second to fourth powers of deviations from it, and whether the
    centre was too far from the mean for the higher ones."""
    first, second = numbers(sums.powers[:, :features].sum(1))
    shift = first / n
    m2 = max(0.0, second - n * shift * shift)
    m3 = sums.third - 3 * shift * m2 - n * shift**3
    m4 = max(0.0, sums.fourth - 4 * shift * m3 - 6 * shift * shift * m2 - n * shift**4)
    unit = scale.unit
    far = math.isfinite(m2) and n * shift * shift > m2
    return [n, scale.centre + shift / unit, m2 / unit**2, m3 / unit**3, m4 / unit**4], far


def _small(sums: Sums, view: Cells, tiny: float) -> tuple[int, int]:
    """Zeros and subnormals."""
    if sums.small is not None:
        return sums.small
    low, high = sums.extremes
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
        found = _first_pass(rest, x.flatten(), False, limits.tiny)
        if found is not None:
            sums, scale, whole = found
            feature, _, _ = _settled(rest, sums, scale, False)
            feature.mean.mul_(times)
            feature.m2.mul_(times * times)
            figures = wholes(
                [_multiplied(whole, times)],
                (sums.extremes * times).unsqueeze(0),
                [limits.max * times],
            )
            summary.unpadded = Unpadded(figures[0], feature)
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
