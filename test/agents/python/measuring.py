"""Measures single tensors and compares everything with numpy's float64."""

from __future__ import annotations

import numpy as np
import torch
from normscope.completing import complete
from normscope.encoding import sparse
from normscope.geometry import Geometry
from normscope.packing import mean_and_variance, whole_figures
from normscope.statistics import summarise as begin
from normscope.summary import ALL, Binning, Summary
from reading import (
    WHOLE,
    assert_close,
    assert_statistics,
    assert_whole,
    reference_histogram,
    reference_rows,
)

CHANNELS = "channels"
TRAILING = "trailing"
#: Norms of channels that normalize row by row, like timm's LayerNorm2d.
CHANNEL_ROWS = "channel rows"


def summarise(
    x: torch.Tensor,
    where: Geometry,
    binning: Binning = ALL,
    padding: torch.Tensor | None = None,
) -> Summary:
    """A complete summary."""
    summary = begin(x, where, binning, padding)
    complete((summary,))
    return summary


def geometry(shape: tuple[int, ...], kind: str, depth: int = 1) -> Geometry:
    if kind == CHANNELS:
        return Geometry("batch", shape[1], (1,), (0,), True)
    if kind == CHANNEL_ROWS:
        return Geometry("layer", shape[1], (1,), (1,), True)
    axes = tuple(range(len(shape) - depth, len(shape)))
    return Geometry("layer", int(np.prod(shape[-depth:])), axes, axes, True)


def as_arrays(summary: Summary) -> dict[str, np.ndarray]:
    mean, variance = mean_and_variance(summary.feature)
    sample_mean, sample_variance = mean_and_variance(summary.sample)
    empty = mean.isnan()
    known = [summary.calls, summary.elements, summary.samples]
    return {
        "counts": np.array(known + summary.classes.tolist()),
        "featureMean": mean.float().numpy(),
        "featureVariance": variance.float().numpy(),
        "featureMin": summary.minimum.float().masked_fill(empty, float("nan")).numpy(),
        "featureMax": summary.maximum.float().masked_fill(empty, float("nan")).numpy(),
        "sampleMean": sample_mean.float().numpy(),
        "sampleVariance": sample_variance.float().numpy(),
    }


def whole(summary: Summary) -> dict[str, float]:
    return dict(zip(WHOLE, whole_figures([summary.whole])[0].tolist()))


def histogram(summary: Summary, row: int = 0) -> dict[int, int]:
    splits, bins, counts = sparse([summary.histogram], [len(summary.histogram)])
    own = slice(*np.frombuffer(splits, "<u4")[row : row + 2])
    return dict(
        zip(np.frombuffer(bins, "<u2")[own].tolist(), np.frombuffer(counts, "<u4")[own].tolist())
    )


def check(x: torch.Tensor, where: Geometry) -> Summary:
    """Everything about ``x``, which is measured as it is."""
    return check_summary(summarise(x, where), x, where)


def check_summary(summary: Summary, x: torch.Tensor, where: Geometry) -> Summary:
    """Everything that a complete summary says about ``x``."""
    limits = torch.finfo(x.dtype)
    array = x.double().numpy()
    assert_statistics(as_arrays(summary), array, where.feature_axes, limits.tiny)
    assert_whole(whole(summary), array, limits.max)
    assert histogram(summary) == reference_histogram(array)
    if where.family == "layer":
        check_rows(summary, array, where.feature_axes)
    return summary


def check_rows(summary: Summary, array: np.ndarray, feature_axes: tuple[int, ...]) -> None:
    mean, variance = reference_rows(array, feature_axes)
    good = np.isfinite(variance)
    assert summary.rows == len(mean)
    for row, values in ((1, mean), (2, variance)):
        binned = histogram(summary, row)
        assert sum(binned.values()) <= good.sum()
        compare_bins(binned, reference_histogram(values[good]))
    assert summary.extremes is not None
    centre = array[np.isfinite(array)].mean() if good.any() else 0.0
    distance = np.where(good, (mean - centre) ** 2 + variance, -1)
    found = summary.extremes.numpy()
    known = found[~np.isnan(found[:, 0])]
    assert len(known) == min(8, good.sum())
    scale = np.abs(array[np.isfinite(array)]).max(initial=0.0)
    places = known[:, 0].astype(int)
    assert len(set(places.tolist())) == len(places)
    furthest = np.sort(distance)[::-1][: len(known)]
    assert_close(distance[places], furthest, "distance", 1e-7 * scale**2)
    assert_close(known[:, 1], mean[places], "row mean", 1e-7 * scale)
    assert_close(known[:, 2], variance[places], "row variance", 1e-13 * scale**2)


def compare_bins(actual: dict[int, int], expected: dict[int, int]) -> None:
    """Equal but for values within rounding of an edge, which may fall on its other side."""
    bins = sorted({*actual, *expected})
    moved = sum(abs(actual.get(at, 0) - expected.get(at, 0)) for at in bins)
    assert moved <= max(2, 0.02 * sum(expected.values())), (actual, expected)
