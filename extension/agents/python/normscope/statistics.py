"""The hot file: reduces one tensor to its statistics with few operations on its own device.

Everything is over finite values. Nothing here draws random numbers, records a graph or, on an
accelerator, waits for the device. Variances are sums of squares about the mean itself (two
passes), with the mean's rounding error measured and taken out where it is not negligible, so that
a large offset costs no digits. Cells are combined by Chan, Golub & LeVeque's formula.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Union

import torch
from torch import Tensor

from .geometry import Cells, Geometry, cells
from .host_values import all_finite, any_far_from_zero, zeros_and_subnormals
from .sampling import sampled
from .scratch import scratch_like

MAX_SAMPLES = 4096
BIN_COUNT = 4096

#: Bin whose values are NaN or infinite; the encoder drops it. Zeros are sent there too.
_DISCARDED = BIN_COUNT - 1
#: From this many positions on, cells are reduced once and shared by features and samples.
_POSITIONS_WORTH_SHARING = 16

#: Finite values behind a mean: one number when all are finite, else one per entry.
Weight = Union[float, Tensor]


@dataclass
class Moments:
    """Mean and sum of squared deviations, of ``weight`` values each."""

    weight: Weight
    mean: Tensor
    m2: Tensor


@dataclass
class Summary:
    """What is known about one tap of one layer. Vectors are float64 where the device has it."""

    calls: int
    elements: int
    samples: int
    #: NaN, +Inf, -Inf, zero, subnormal: [5].
    classes: Tensor
    feature: Moments
    minimum: Tensor
    maximum: Tensor
    sample: Moments
    histogram: Tensor
    #: Values that one of the histogram stands for.
    stride: int


class Binning(NamedTuple):
    """How values get into the histogram."""

    #: One in this many is binned; see :func:`sampling.sampled`.
    stride: int = 1
    #: Rotates which ones.
    turn: int = 0
    #: Scalar that they are multiplied by before.
    factor: Tensor | None = None


ALL = Binning()


def summarise(x: Tensor, geometry: Geometry, binning: Binning = ALL) -> Summary:
    """Statistics of a dense floating-point ``x`` times the factor of ``binning``.

    The counts of value classes are of ``x`` as it lies in memory.
    """
    summary = _summary(x, geometry, binning)
    factor = binning.factor
    if factor is not None:
        factor = factor.to(summary.minimum.device)
        for moments in (summary.feature, summary.sample):
            moments.mean = moments.mean * factor
            moments.m2 = moments.m2 * factor * factor
        summary.minimum = summary.minimum * factor
        summary.maximum = summary.maximum * factor
    return summary


def _summary(x: Tensor, geometry: Geometry, binning: Binning) -> Summary:
    wide = x if x.dtype in (torch.float32, torch.float64) else x.float()
    view = cells(wide, geometry)
    if x.numel() == 0:
        return _empty(x, geometry)
    tiny = torch.finfo(x.dtype).tiny
    if x.device.type == "cpu":
        summary = _clean(view, tiny, binning)
        if summary is not None:
            return summary
        wide = wide.double()
        view = cells(wide, geometry)
    return _masked(view, tiny, binning)


def accumulator_dtype(x: Tensor) -> torch.dtype:
    """Float64 wherever the device has it."""
    return torch.float32 if x.device.type == "mps" else torch.float64


def _moments(x: Tensor, axes: tuple[int, ...], count: int, scratch: Tensor) -> Moments:
    """Two passes, in host memory; ``scratch`` has the shape of ``x``."""
    centre = x.sum(axes, keepdim=True).div_(count)
    deviation = torch.sub(x, centre, out=scratch)
    m2 = deviation.mul_(deviation).sum(axes)
    mean = centre.reshape(m2.shape)
    wide_mean, wide_m2 = mean.double(), m2.double()
    if x.dtype != torch.float64 and any_far_from_zero(mean, m2, count):
        # The mean's own rounding is no longer small beside the deviation.
        residual = torch.sub(x, centre, out=scratch).sum(axes).double().div_(count)
        wide_mean.add_(residual)
        wide_m2.sub_(residual * residual, alpha=count).clamp_(min=0)
    return Moments(float(count), wide_mean, wide_m2)


def _clean(view: Cells, tiny: float, binning: Binning) -> Summary | None:
    """The path of finite tensors in host memory; None when ``view`` is not one."""
    x, inner = view
    batch, positions, features = x.shape[0], x.shape[inner], x.shape[3 - inner]
    kept = min(batch, MAX_SAMPLES)
    scratch = scratch_like(x)
    if positions >= _POSITIONS_WORTH_SHARING:
        cell = _moments(x, (inner,), positions, scratch)
        feature = _combined(cell, 0, positions, batch)
        part = Moments(cell.weight, cell.mean[:kept], cell.m2[:kept])
        sample = _combined(part, 1, positions, features)
    else:
        feature = _moments(x, (0, inner), batch * positions, scratch)
        sample = _moments(x[:kept], (1, 2), positions * features, scratch[:kept])
    if not all_finite(feature.m2.sum()):
        return None
    zeros, subnormals = zeros_and_subnormals(x, tiny, scratch)
    exact = subnormals > 0 or x.dtype == torch.float64 or binning.factor is not None
    return Summary(
        calls=1,
        elements=x.numel(),
        samples=batch,
        classes=torch.tensor([0.0, 0.0, 0.0, zeros, subnormals], dtype=torch.float64, device="cpu"),
        feature=feature,
        minimum=x.amin((0, inner)),
        maximum=x.amax((0, inner)),
        sample=sample,
        histogram=_histogram(view, binning, exact),
        stride=binning.stride,
    )


def _combined(cell: Moments, axis: int, count: int, groups: int) -> Moments:
    """Merges ``groups`` cells of ``count`` values each along ``axis``."""
    mean = cell.mean.mean(axis, keepdim=True)
    between = (cell.mean - mean).square_().sum(axis)
    m2 = cell.m2.sum(axis).add_(between, alpha=count)
    return Moments(float(count * groups), mean.squeeze(axis), m2)


def _masked_moments(x: Tensor, finite: Tensor, axes: tuple[int, ...]) -> Moments:
    """``x`` is 0 where not ``finite``."""
    wide = accumulator_dtype(x)
    weight = finite.sum(axes, keepdim=True)
    centre = x.sum(axes, keepdim=True) / weight.clamp(min=1)
    deviation = (x - centre).mul_(finite)
    weight = weight.sum(axes).to(wide)
    divisor = weight.clamp(min=1)
    residual = deviation.sum(axes).to(wide) / divisor
    m2 = deviation.mul_(deviation).sum(axes).to(wide)
    m2 = m2.sub_(residual * residual * weight).clamp_(min=0)
    return Moments(weight, centre.reshape(residual.shape).to(wide).add_(residual), m2)


def _masked(view: Cells, tiny: float, binning: Binning) -> Summary:
    """The path that needs no decision: any values, any device."""
    x, inner = view
    axes = (0, inner)
    finite = torch.isfinite(x)
    values = torch.where(finite, x, torch.zeros_like(x))
    kept = min(x.shape[0], MAX_SAMPLES)
    size = values.abs()
    zero = x == 0
    classes = torch.stack(
        [
            torch.isnan(x).sum(),
            torch.isposinf(x).sum(),
            torch.isneginf(x).sum(),
            zero.sum(),
            ((size < tiny) & finite & ~zero).sum(),
        ]
    )
    limit = torch.full_like(x, float("inf"))
    return Summary(
        calls=1,
        elements=x.numel(),
        samples=x.shape[0],
        classes=classes.to(accumulator_dtype(x)),
        feature=_masked_moments(values, finite, axes),
        minimum=torch.where(finite, x, limit).amin(axes),
        maximum=torch.where(finite, x, -limit).amax(axes),
        sample=_masked_moments(values[:kept], finite[:kept], (1, 2)),
        histogram=_histogram(view, binning, exact=True),
        stride=binning.stride,
    )


def _histogram(view: Cells, binning: Binning, exact: bool) -> Tensor:
    """Counts by the upper 12 bits of the float32 pattern: [4096], integer.

    Zeros share a bin with the smallest subnormals: where there may be some (``exact``), zeros are
    sent away one by one, else their two bins are emptied.
    """
    rows = sampled(view, binning.stride, binning.turn).reshape(-1).float()
    if binning.factor is not None:
        rows = rows * binning.factor.to(rows.device)
    bins = (rows.view(torch.int32) >> 20).bitwise_and_(_DISCARDED)
    if exact:
        bins.masked_fill_(rows == 0, _DISCARDED)
    if bins.device.type == "cpu":
        counted = torch.bincount(bins, minlength=BIN_COUNT)
    else:
        # bincount would wait for the device to learn the largest bin.
        counted = torch.zeros(BIN_COUNT, dtype=torch.int64, device=bins.device)
        index = bins.long()
        counted.index_put_((index,), torch.ones_like(index), accumulate=True)
    if not exact:
        counted[:: BIN_COUNT // 2] = 0
    return counted


def _empty(x: Tensor, geometry: Geometry) -> Summary:
    wide = accumulator_dtype(x)
    zero = torch.zeros(geometry.features, dtype=wide, device=x.device)
    none = torch.zeros(0, dtype=wide, device=x.device)
    infinite = torch.full_like(zero, float("inf"))
    return Summary(
        calls=1,
        elements=0,
        samples=0,
        classes=torch.zeros(5, dtype=wide, device=x.device),
        feature=Moments(zero, zero.clone(), zero.clone()),
        minimum=infinite,
        maximum=-infinite,
        sample=Moments(none, none.clone(), none.clone()),
        histogram=torch.zeros(BIN_COUNT, dtype=torch.int64, device=x.device),
        stride=1,
    )
