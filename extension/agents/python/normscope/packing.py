"""Brings a step's statistics into one block and gets it to the host without waiting."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable

import torch
from torch import Tensor

from .layers import Layer
from .layout import Layout, TapSlots
from .statistics import Moments, Summary
from .steps import Steps

#: Counts that the process knows without asking the device: calls, elements, samples.
KNOWN_COUNTS = 3


@dataclass
class Packed:
    """A step on its way to the host; behind its last slot, ``block`` holds the loss and the
    reciprocal of the gradient scaler's factor."""

    layout: Layout
    block: Tensor
    #: One histogram a row, or None for a tap that did not fire.
    histograms: list[Tensor | None]
    known_counts: list[tuple[int, int, int]]
    losses: int
    #: Told that reciprocal once it is on the host.
    learned: Callable[[float], None]
    #: Recorded behind the copy; None where the copy is complete.
    event: Any = None
    #: Fields of the step frame.
    fields: dict[str, Any] = field(default_factory=dict)


def pack(layout: Layout, steps: Steps, learned: Callable[[float], None]) -> Packed:
    """Packs what the layers and ``steps`` accumulated, in the layout's order."""
    loss = steps.loss
    device = _device(layout.taps, loss)
    pieces: list[Tensor] = []
    histograms: list[Tensor | None] = []
    known: list[tuple[int, int, int]] = []
    for slots in layout.taps:
        summary = slots.layer.taps[slots.tap]
        if summary is None:
            pieces.append(_nan(slots.length, device))
            histograms.append(None)
            known.append((0, 0, 0))
            continue
        pieces.extend(_piece.to(device) for _piece in _pieces(summary, slots))
        histograms.append(summary.histogram)
        known.append((summary.calls, summary.elements, summary.samples))
    for value in (loss, steps.last_inverse):
        pieces.append(_nan(1, device) if value is None else value.reshape(1).to(device))
    block = torch.cat([piece.float() for piece in pieces])
    packed = Packed(layout, block, histograms, known, steps.losses, learned)
    if device.type == "cuda":
        _copy_from_cuda(packed)
    return packed


def release(layers: list[Layer]) -> None:
    """Forgets what was accumulated."""
    for layer in layers:
        layer.taps = [None, None, None, None]
        layer.scaled = False


def _device(taps: list[TapSlots], loss: Tensor | None) -> torch.device:
    for slots in taps:
        summary = slots.layer.taps[slots.tap]
        if summary is not None:
            return summary.feature.mean.device
    return loss.device if loss is not None else torch.device("cpu")


def _nan(length: int, device: torch.device) -> Tensor:
    return torch.full((length,), float("nan"), dtype=torch.float32, device=device)


def _pieces(summary: Summary, slots: TapSlots) -> list[Tensor]:
    device = summary.feature.mean.device
    mean, variance = _mean_and_variance(summary.feature)
    sample_mean, sample_variance = _mean_and_variance(summary.sample)
    minimum, maximum = summary.minimum, summary.maximum
    if isinstance(summary.feature.weight, Tensor):
        empty = summary.feature.weight == 0
        minimum = minimum.masked_fill(empty, float("nan"))
        maximum = maximum.masked_fill(empty, float("nan"))
    pieces = [_nan(KNOWN_COUNTS, device), summary.classes, mean, variance, minimum, maximum]
    for values in (sample_mean, sample_variance):
        kept = values[: slots.samples]
        pieces.append(kept)
        if kept.numel() < slots.samples:
            pieces.append(_nan(slots.samples - kept.numel(), device))
    return pieces


def _mean_and_variance(moments: Moments) -> tuple[Tensor, Tensor]:
    weight = moments.weight
    if not isinstance(weight, Tensor):
        return moments.mean, moments.m2 / max(weight, 1.0)
    empty = weight == 0
    variance = moments.m2 / weight.clamp(min=1)
    nan = float("nan")
    return moments.mean.masked_fill(empty, nan), variance.masked_fill(empty, nan)


def _copy_from_cuda(packed: Packed) -> None:
    """Starts the copies on the current stream, into pinned memory, and marks their end."""
    rows = [row for row in packed.histograms if row is not None]
    device = packed.block.device
    pinned = torch.empty(packed.block.shape, dtype=torch.float32, device="cpu", pin_memory=True)
    packed.block = pinned.copy_(packed.block, non_blocking=True)
    if rows:
        stacked = torch.stack([row.to(device) for row in rows]).to(torch.int32)
        host = torch.empty(stacked.shape, dtype=torch.int32, device="cpu", pin_memory=True)
        copied = iter(host.copy_(stacked, non_blocking=True))
        packed.histograms = [None if r is None else next(copied) for r in packed.histograms]
    packed.event = torch.cuda.Event()
    packed.event.record()
