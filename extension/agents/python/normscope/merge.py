"""Merges summaries of several calls exactly: micro-batches, and layers called more than once."""

from __future__ import annotations

import torch
from torch import Tensor

from .completing import complete
from .rows import furthest_of_both
from .summary import MAX_SAMPLES, Moments, Summary, Unpadded, Weight


def merged_moments(a: Moments, b: Moments) -> Moments:
    """Chan, Golub & LeVeque's pairwise update (1979, "Updating formulae and a pairwise algorithm
    for computing sample variances")."""
    weight = a.weight + b.weight
    divisor = weight.clamp(min=1) if isinstance(weight, Tensor) else max(weight, 1.0)
    difference = b.mean - a.mean
    share = b.weight / divisor
    return Moments(
        weight,
        a.mean + difference * share,
        a.m2 + b.m2 + difference * difference * (a.weight * share),
    )


def merged_whole(a: Tensor, b: Tensor) -> Tensor:
    """Both in the order of ``WHOLE``, by Pébay's formulae for powers up to the fourth (2008,
    "Formulas for robust, one-pass parallel computation of covariances and arbitrary-order
    statistical moments")."""
    m, ma, a2, a3, a4, *rest_a = a.unbind()
    n, mb, b2, b3, b4, *rest_b = b.unbind()
    total = m + n
    divisor = total.clamp(min=1)
    d = mb - ma
    p, q = m / divisor, n / divisor
    second = a2 + b2 + d**2 * m * q
    third = a3 + b3 + d**3 * m * q * (p - q) + 3 * d * (p * b2 - q * a2)
    fourth = (
        a4
        + b4
        + d**4 * m * q * (p * p - p * q + q * q)
        + 6 * d**2 * (p * p * b2 + q * q * a2)
        + 4 * d * (p * b3 - q * a3)
    )
    low = torch.minimum(rest_a[0], rest_b[0])
    high, headroom = (torch.maximum(x, y) for x, y in zip(rest_a[1:], rest_b[1:]))
    return torch.stack([total, ma + d * q, second, third, fourth, low, high, headroom])


def _entries(weight: Weight, like: Tensor) -> Tensor:
    return weight if isinstance(weight, Tensor) else torch.full_like(like, weight)


def _appended(a: Moments, b: Moments) -> Moments:
    """Samples of both, up to the bound."""
    if a.mean.numel() >= MAX_SAMPLES:
        return a
    weight: Weight
    if isinstance(a.weight, Tensor) or isinstance(b.weight, Tensor) or a.weight != b.weight:
        weight = torch.cat([_entries(a.weight, a.mean), _entries(b.weight, b.mean)])[:MAX_SAMPLES]
    else:
        weight = a.weight
    return Moments(
        weight,
        torch.cat([a.mean, b.mean])[:MAX_SAMPLES],
        torch.cat([a.m2, b.m2])[:MAX_SAMPLES],
    )


def _merged_unpadded(a: Summary, b: Summary) -> Unpadded | None:
    """A call without padding counts whole."""
    if a.unpadded is None and b.unpadded is None:
        return None
    first = a.unpadded or Unpadded(a.whole, a.feature)
    second = b.unpadded or Unpadded(b.whole, b.feature)
    return Unpadded(
        merged_whole(first.whole, second.whole), merged_moments(first.feature, second.feature)
    )


def merged(a: Summary, b: Summary) -> Summary:
    """Both summaries as if their tensors had been one, joined along the batch axis."""
    complete((a, b))
    if a.stride == b.stride:
        histogram, stride = a.histogram + b.histogram, a.stride
    else:
        # One binned value stands for as many as its stride says; rows are all binned.
        histogram, stride = a.histogram + b.histogram, 1
        histogram[0] = a.histogram[0] * a.stride + b.histogram[0] * b.stride
    whole = merged_whole(a.whole, b.whole)
    both = Summary(
        calls=a.calls + b.calls,
        elements=a.elements + b.elements,
        samples=a.samples + b.samples,
        classes=a.classes + b.classes,
        whole=whole,
        feature=merged_moments(a.feature, b.feature),
        minimum=torch.minimum(a.minimum, b.minimum),
        maximum=torch.maximum(a.maximum, b.maximum),
        sample=_appended(a.sample, b.sample),
        histogram=histogram,
        stride=stride,
        rows=a.rows + b.rows,
        unpadded=_merged_unpadded(a, b),
    )
    if a.extremes is not None and b.extremes is not None:
        both.extremes = furthest_of_both(a.extremes, b.extremes, a.rows, whole[1])
    if a.padding is not None or b.padding is not None:
        counts = [part.padding for part in (a, b) if part.padding is not None]
        both.padding = counts[0] if len(counts) == 1 else counts[0] + counts[1]
    return both
