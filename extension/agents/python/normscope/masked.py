"""The path that needs no decision: any values, any device. Also that of tensors in host memory
that hold NaN or infinite values, in float64."""

from __future__ import annotations

import torch
from torch import Tensor

from .bins import histograms
from .geometry import Cells, Geometry
from .rows import FAMILIES, furthest_finite
from .sampling import sampled
from .summary import MAX_SAMPLES, Binning, Moments, Summary, Unpadded, accumulator_dtype


def masked(view: Cells, geometry: Geometry, binning: Binning, limits: torch.finfo) -> Summary:
    """Statistics of ``view`` times the factor of ``binning``; ``limits`` are those of its dtype
    before it was widened."""
    x, inner = view
    wide = accumulator_dtype(x)
    features = x.shape[3 - inner]
    finite = torch.isfinite(x)
    values = x.masked_fill(~finite, 0)
    zero = x == 0
    tiny = values.abs() < limits.tiny
    classes = torch.stack(
        [
            torch.isnan(x).sum(),
            torch.isposinf(x).sum(),
            torch.isneginf(x).sum(),
            zero.sum(),
            (tiny & finite & ~zero).sum(),
        ]
    )
    factor = _factor(binning.factor, x)
    feature = _moments(values, finite, (0, inner), factor)
    minimum, maximum = _extremes(x, finite, (0, inner), factor)
    whole = _whole(values, finite, minimum, maximum, factor, limits)
    kept = min(x.shape[0], MAX_SAMPLES)
    summary = Summary(
        calls=1,
        elements=x.numel(),
        samples=x.shape[0],
        classes=classes.to(wide),
        whole=whole,
        feature=feature,
        minimum=minimum,
        maximum=maximum,
        sample=_moments(values[:kept], finite[:kept], (1, 2), factor),
        histogram=classes,
        stride=binning.stride,
        rows=x.shape[0] * x.shape[inner],
    )
    drawn = sampled(view, binning.stride, binning.turn).reshape(-1).float()
    if factor is not None:
        drawn = drawn * factor
    others: list[Tensor] = []
    if geometry.family in FAMILIES:
        row = _moments(values, finite, (3 - inner,), factor)
        whole_row = finite.sum((3 - inner,)) == features
        missing = torch.full_like(row.mean, float("nan"))
        mean = torch.where(whole_row, row.mean, missing).flatten()
        variance = torch.where(whole_row, row.m2 / features, missing).flatten()
        summary.extremes = furthest_finite(
            mean, variance, whole[1], torch.arange(len(mean), device=x.device)
        )
        others = [mean, variance]
        if features > 1:
            summary.constant_rows = variance == 0
    summary.histogram = histograms([drawn, *(other.float() for other in others)])
    return summary


def masked_unpadded(
    view: Cells, padding: Tensor, factor: Tensor | None, limits: torch.finfo
) -> Unpadded:
    """The figures of the rows that ``padding``, bool [rows], does not name."""
    x, inner = view
    shape = (x.shape[0], x.shape[1], 1) if inner == 1 else (x.shape[0], 1, x.shape[2])
    counts = torch.isfinite(x) & ~padding.view(shape)
    values = x.masked_fill(~counts, 0)
    factor = _factor(factor, x)
    minimum, maximum = _extremes(x, counts, (0, inner), factor)
    whole = _whole(values, counts, minimum, maximum, factor, limits)
    return Unpadded(whole, _moments(values, counts, (0, inner), factor))


def _factor(factor: Tensor | None, x: Tensor) -> Tensor | None:
    return None if factor is None else factor.to(device=x.device, dtype=accumulator_dtype(x))


def _extremes(
    x: Tensor, counts: Tensor, axes: tuple[int, ...], factor: Tensor | None
) -> tuple[Tensor, Tensor]:
    """Infinite where no value counts."""
    wide, without = accumulator_dtype(x), ~counts
    minimum = x.masked_fill(without, float("inf")).amin(axes).to(wide)
    maximum = x.masked_fill(without, -float("inf")).amax(axes).to(wide)
    return (minimum, maximum) if factor is None else (minimum * factor, maximum * factor)


def _moments(x: Tensor, counts: Tensor, axes: tuple[int, ...], factor: Tensor | None) -> Moments:
    """``x`` is 0 where it does not count. Two passes; the rounding of the mean is taken out."""
    wide = accumulator_dtype(x)
    weight = counts.sum(axes, keepdim=True)
    centre = (x.sum(axes, keepdim=True, dtype=wide) / weight.clamp(min=1)).to(x.dtype)
    deviation = (x - centre).mul_(counts)
    weight = weight.sum(axes).to(wide)
    residual = deviation.sum(axes, dtype=wide) / weight.clamp(min=1)
    m2 = deviation.mul_(deviation).sum(axes, dtype=wide)
    m2 = m2.sub_(residual * residual * weight).clamp_(min=0)
    mean = centre.reshape(residual.shape).to(wide).add_(residual)
    if factor is not None:
        mean, m2 = mean * factor, m2 * (factor * factor)
    return Moments(weight, mean, m2)


def _whole(
    x: Tensor,
    counts: Tensor,
    minimum: Tensor,
    maximum: Tensor,
    factor: Tensor | None,
    limits: torch.finfo,
) -> Tensor:
    """In the order of ``WHOLE``. Deviations are divided by the largest, so that their fourth
    powers fit."""
    wide = accumulator_dtype(x)
    n = counts.sum().to(wide)
    divisor = n.clamp(min=1)
    peak = x.abs().amax().clamp(min=limits.tiny)
    scaled = x / peak
    centre = (scaled.sum(dtype=wide) / divisor).to(x.dtype)
    deviation = (scaled - centre).mul_(counts)
    rest = deviation.sum(dtype=wide) / divisor
    square = deviation * deviation
    m2 = square.sum(dtype=wide) - n * rest * rest
    m3 = (square * deviation).sum(dtype=wide) - 3 * rest * m2 - n * rest**3
    m4 = square.mul_(square).sum(dtype=wide) - 4 * rest * m3 - 6 * rest * rest * m2 - n * rest**4
    mean = centre.to(wide) + rest
    unit = peak.to(wide) if factor is None else peak.to(wide) * factor
    low, high = minimum.amin(), maximum.amax()
    headroom = x.abs().amax().to(wide) / limits.max
    powers = [mean * unit, m2.clamp(min=0) * unit**2, m3 * unit**3, m4.clamp(min=0) * unit**4]
    return torch.stack([n, *powers, low, high, headroom])
