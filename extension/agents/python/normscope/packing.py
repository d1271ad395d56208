"""Brings a step's statistics into one block and gets it to the host without waiting."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable

import torch
from torch import Tensor

from .completing import complete
from .layers import Layer
from .layout import EXTREMES, Layout, TapSlots
from .parameters import Updated
from .parameters import slots as parameter_slots
from .steps import Steps
from .summary import Batch, Moments, Summary

#: Counts that the process knows without asking the device: calls, elements, samples.
KNOWN_COUNTS = 3


@dataclass(eq=False, repr=False)
class Packed:
    """A step on its way to the host; behind its last slot, ``block`` holds the loss and the
    reciprocal of the gradient scaler's factor."""

    layout: Layout
    block: Tensor
    #: The histograms of each tap, or None for a tap that did not fire.
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
    summaries = [slots.layer.taps[slots.tap] for slots in layout.taps]
    complete(summary for summary in summaries if summary is not None)
    device = _device(summaries, loss)
    pieces: list[Tensor] = []
    fired = [summary for summary in summaries if summary is not None]
    wholes = whole_figures([summary.whole.to(device) for summary in fired])
    packed_before = _together(layout, fired, wholes)
    each_whole = iter(wholes.unbind())
    for slots, summary in zip(layout.taps, summaries):
        if summary is None:
            pieces.append(_nan(slots.length, device))
            continue
        whole = next(each_whole)
        ready = packed_before.get(id(summary))
        pieces += _pieces(summary, slots, whole) if ready is None else [ready]
    updated = Updated(steps.optimizer, scaled=steps.last_inverse is not None)
    for known in layout.parameters:
        held, names = known.layer.held, known.names
        for vector in parameter_slots(held, names, known.features, updated):
            pieces.append(_nan(known.features, device) if vector is None else vector)
    for value in (loss, steps.last_inverse):
        pieces.append(_nan(1, device) if value is None else value.reshape(1))
    if device.type != "cpu":
        pieces = [piece.to(device) for piece in pieces]
    block = torch.cat(pieces).float()
    packed = Packed(
        layout,
        block,
        [None if summary is None else summary.histogram for summary in summaries],
        [(0, 0, 0) if s is None else (s.calls, s.elements, s.samples) for s in summaries],
        steps.losses,
        learned,
    )
    if device.type == "cuda":
        _copy_from_cuda(packed)
    return packed


def release(layers: list[Layer]) -> None:
    """Forgets what was accumulated."""
    for layer in layers:
        layer.taps = [None, None, None, None]
        layer.scaled = False
        layer.held = None


def _device(summaries: list[Summary | None], loss: Tensor | None) -> torch.device:
    for summary in summaries:
        if summary is not None:
            return summary.feature.mean.device
    return loss.device if loss is not None else torch.device("cpu")


def _nan(length: int, device: torch.device) -> Tensor:
    return torch.full((length,), float("nan"), dtype=torch.float32, device=device)


def whole_figures(wholes: list[Tensor]) -> Tensor:
    """Slots of tensors as a whole, given in the order of ``summary.WHOLE``: [tensors, 7].

    Skewness is √n·M3/M2^1.5 and kurtosis n·M4/M2² − 3 (Pébay 2008); NaN where all values are equal.
    """
    if not wholes:
        return torch.empty((0, 7))
    n, mean, m2, m3, m4, low, high, headroom = torch.stack(wholes, 1).unbind()
    count = n.clamp(min=1)
    skewness = count.sqrt() * m3 / (m2 * m2.sqrt())
    kurtosis = count * m4 / (m2 * m2) - 3
    figures = torch.stack([mean, m2 / count, skewness, kurtosis, low, high, headroom], 1)
    return figures.masked_fill_((n == 0).unsqueeze(1), float("nan"))


def _together(layout: Layout, fired: list[Summary], wholes: Tensor) -> dict[int, Tensor]:
    """The slots of summaries by their ids, float32, where those of whole batches can be written at
    once: that takes as many calls as those of one summary. ``wholes`` are of ``fired``."""
    batches: dict[int, list[tuple[int, Summary, TapSlots]]] = {}
    slots_of = (slots for slots in layout.taps if slots.layer.taps[slots.tap] is not None)
    for row, (summary, slots) in enumerate(zip(fired, slots_of)):
        batch = summary.batch
        if batch is None or summary.padding is not None or slots.padded:
            continue
        batches.setdefault(id(batch), []).append((row, summary, slots))
    found: dict[int, Tensor] = {}
    for members in batches.values():
        batch, some = members[0][1].batch, members[0][2]
        if batch is None or len(members) < max(2, len(batch.whole)):
            continue
        if any(slots.samples != some.samples for _, _, slots in members):
            continue
        rows = torch.tensor([row for row, _, _ in members], device="cpu")
        places = [summary.place for _, summary, _ in members]
        whole = torch.empty_like(wholes[: len(members)])
        whole[places] = wholes[rows]
        packed = _batch(batch, some, whole).unbind()
        for (_, summary, _), place in zip(members, places):
            found[id(summary)] = packed[place]
    return found


def _batch(batch: Batch, slots: TapSlots, whole: Tensor) -> Tensor:
    """[calls, length of the slots]."""
    calls = len(whole)
    pieces = [
        torch.full((calls, KNOWN_COUNTS), float("nan"), dtype=torch.float64, device="cpu"),
        batch.classes,
        torch.zeros((calls, 1), dtype=torch.float64, device="cpu"),
        whole,
        *mean_and_variance(batch.feature),
        batch.ranges.flatten(1),
    ]
    for values in mean_and_variance(batch.sample):
        pieces += _filled(values[:, : slots.samples], slots.samples)
    if slots.by_row:
        rows = whole[:, :0] if batch.rows is None else batch.rows.flatten(1)
        pieces += _filled(rows, EXTREMES)
    return torch.cat(pieces, 1).float()


def _filled(values: Tensor, length: int) -> list[Tensor]:
    """With NaN up to that length."""
    missing = length - values.shape[1]
    return [values, values.new_full((len(values), missing), float("nan"))] if missing else [values]


def _pieces(summary: Summary, slots: TapSlots, whole: Tensor) -> list[Tensor]:
    device = whole.device
    padding = summary.padding
    minimum, maximum = summary.minimum, summary.maximum
    if isinstance(summary.feature.weight, Tensor):
        empty = summary.feature.weight == 0
        minimum = minimum.masked_fill(empty, float("nan"))
        maximum = maximum.masked_fill(empty, float("nan"))
    pieces = [
        _nan(KNOWN_COUNTS, device),
        summary.classes,
        torch.zeros(1, device=device) if padding is None else padding.reshape(1),
        whole,
        *mean_and_variance(summary.feature),
        minimum,
        maximum,
    ]
    for values in mean_and_variance(summary.sample):
        kept = values[: slots.samples]
        pieces.append(kept)
        if kept.numel() < slots.samples:
            pieces.append(_nan(slots.samples - kept.numel(), device))
    if slots.by_row:
        extremes = summary.extremes
        rows = _nan(0, device) if extremes is None else extremes.flatten()
        pieces += [rows, _nan(EXTREMES - rows.numel(), device)]
    if slots.padded:
        rest = summary.unpadded
        pieces.append(whole if rest is None else whole_figures([rest.whole])[0])
        pieces += mean_and_variance(summary.feature if rest is None else rest.feature)
    return pieces


def mean_and_variance(moments: Moments) -> tuple[Tensor, Tensor]:
    """NaN where there is no value."""
    weight = moments.weight
    if not isinstance(weight, Tensor):
        return moments.mean, moments.m2 / max(weight, 1.0)
    empty = weight == 0
    variance = moments.m2 / weight.clamp(min=1)
    nan = float("nan")
    return moments.mean.masked_fill(empty, nan), variance.masked_fill(empty, nan)


def _copy_from_cuda(packed: Packed) -> None:
    """Starts the copies on the current stream, into pinned memory, and marks their end."""
    taps = [rows for rows in packed.histograms if rows is not None]
    device = packed.block.device
    pinned = torch.empty(packed.block.shape, dtype=torch.float32, device="cpu", pin_memory=True)
    packed.block = pinned.copy_(packed.block, non_blocking=True)
    if taps:
        joined = torch.cat([rows.to(device) for rows in taps]).to(torch.int32)
        host = torch.empty(joined.shape, dtype=torch.int32, device="cpu", pin_memory=True)
        copied = iter(host.copy_(joined, non_blocking=True).split([len(rows) for rows in taps]))
        packed.histograms = [None if r is None else next(copied) for r in packed.histograms]
    packed.event = torch.cuda.Event()
    packed.event.record()
