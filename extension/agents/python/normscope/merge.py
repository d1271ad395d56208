"""Merges summaries of several calls exactly: micro-batches, and layers called more than once."""

from __future__ import annotations

import torch
from torch import Tensor

from .statistics import MAX_SAMPLES, Moments, Summary, Weight


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


def _rows(weight: Weight, like: Tensor) -> Tensor:
    return weight if isinstance(weight, Tensor) else torch.full_like(like, weight)


def _appended(a: Moments, b: Moments) -> Moments:
    """Rows of both, up to the bound."""
    if a.mean.numel() >= MAX_SAMPLES:
        return a
    weight: Weight
    if isinstance(a.weight, Tensor) or isinstance(b.weight, Tensor) or a.weight != b.weight:
        weight = torch.cat([_rows(a.weight, a.mean), _rows(b.weight, b.mean)])[:MAX_SAMPLES]
    else:
        weight = a.weight
    return Moments(
        weight,
        torch.cat([a.mean, b.mean])[:MAX_SAMPLES],
        torch.cat([a.m2, b.m2])[:MAX_SAMPLES],
    )


def merged(a: Summary, b: Summary) -> Summary:
    """Both summaries as if their tensors had been one, joined along the batch axis."""
    if a.stride == b.stride:
        histogram, stride = a.histogram + b.histogram, a.stride
    else:
        # One binned value stands for as many as its stride says.
        histogram, stride = a.histogram * a.stride + b.histogram * b.stride, 1
    return Summary(
        calls=a.calls + b.calls,
        elements=a.elements + b.elements,
        samples=a.samples + b.samples,
        classes=a.classes + b.classes,
        feature=merged_moments(a.feature, b.feature),
        minimum=torch.minimum(a.minimum, b.minimum.to(a.minimum.dtype)),
        maximum=torch.maximum(a.maximum, b.maximum.to(a.maximum.dtype)),
        sample=_appended(a.sample, b.sample),
        histogram=histogram,
        stride=stride,
    )
