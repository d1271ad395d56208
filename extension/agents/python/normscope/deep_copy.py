"""A copy of a bounded part of a tap, made without waiting for its device."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from .geometry import Cells, Geometry, cells
from .summary import MAX_SAMPLES

#: Values that are copied of one tap at most; of a larger one, rows spread evenly.
MAX_VALUES = 1 << 20


@dataclass(eq=False, repr=False)
class Taken:
    """The copy, in host memory once ``event`` is over."""

    view: Cells
    #: Sample of each row that was copied, and its place among all rows: [rows].
    sample: Tensor
    index: Tensor
    #: Samples that have a histogram: the first ones.
    samples: int
    factor: Tensor | None
    event: Any


def take(x: Tensor, geometry: Geometry, factor: Tensor | None) -> Taken:
    """Copies rows of ``x`` of at most :data:`MAX_VALUES` values: of every how manyeth sample, and
    if there are few, at every how manyeth position."""
    view, inner = cells(x, geometry)
    samples, positions, features = view.shape[0], view.shape[inner], view.shape[3 - inner]
    rows = max(1, MAX_VALUES // max(1, features))
    across = max(1, -(-samples * min(positions, rows) // rows))
    along = max(1, -(-positions // max(1, rows // max(1, -(-samples // across)))))
    chosen = view[::across, ::along] if inner == 1 else view[::across, :, ::along]
    sample = torch.arange(0, samples, across, device="cpu")
    position = torch.arange(0, positions, along, device="cpu")
    index = sample.unsqueeze(1) * positions + position
    copy, event = _copied(chosen)
    return Taken(
        (copy, inner),
        sample.unsqueeze(1).expand_as(index).flatten(),
        index.flatten(),
        min(samples, MAX_SAMPLES),
        factor,
        event,
    )


def _copied(values: Tensor) -> tuple[Tensor, Any]:
    if values.device.type != "cuda":
        return values.to("cpu", copy=True), None
    host = torch.empty(values.shape, dtype=values.dtype, device="cpu", pin_memory=True)
    host.copy_(values.contiguous(), non_blocking=True)
    event = torch.cuda.Event()
    event.record()
    return host, event
