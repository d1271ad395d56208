"""Deep capture of the layers that someone looks at.

The training thread only copies a bounded part of each tap; the sender's thread works it out, and
what that took is counted as the agent's own time.
"""

from __future__ import annotations

import struct
import threading
import time
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Callable

import torch
from torch import Tensor

from .bins import BIN_COUNT, DISCARDED
from .deep_copy import Taken, take
from .frames import Tensor as Named
from .frames import encode
from .geometry import Geometry, row_by_row
from .host_bytes import raw_bytes
from .layers import GRAD_POST, POST, PRE, TAPS, Layer

MAX_COVARIANCE_FEATURES = 1024
MAX_RAW_ROWS = 4096
#: Values of the raw rows of a tap, which bounds the frame for layers of very many features.
_MAX_RAW_VALUES = 1 << 19
#: Least time between two frames of a layer.
_SECONDS = 0.5
#: Frames that are being made or wait to be; each holds copies.
_MAX_PENDING = 2
#: Groups whose histograms are counted at once.
_GROUPS = 64


class DeepCapture:
    """Decides when a layer in focus is captured in depth, and has its frames made."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._last: dict[int, float] = {}
        #: What was copied in this step, by layer and tap.
        self._taken: dict[int, dict[int, Taken]] = {}
        #: Frames that were handed over and are not made yet; the sender's thread makes them.
        self._pending = 0
        self._lock = threading.Lock()

    def measure(self, layer: Layer, tap: int, x: Tensor, factor: Tensor | None) -> None:
        """Copies what is needed of a tap of a layer in focus, once a step, if it is due."""
        if layer.geometry is None:
            return
        taken = self._taken.get(layer.id)
        if taken is None:
            if tap != PRE or not self._due(layer):
                return
            taken = self._taken[layer.id] = {}
        if tap not in taken:
            taken[tap] = take(x, layer.geometry, factor)

    def _due(self, layer: Layer) -> bool:
        now = self._clock()
        last = self._last.get(layer.id)
        waiting = self._pending + len(self._taken)
        if waiting >= _MAX_PENDING or (last is not None and now - last < _SECONDS):
            return False
        self._last = {k: at for k, at in self._last.items() if now - at < _SECONDS}
        self._last[layer.id] = now
        return True

    def send(
        self, layers: list[Layer], step: int, send: Callable[[Callable[[], bytes]], bool]
    ) -> None:
        """Hands over the frames of the step that ended; ``layers`` are those of its layout."""
        for layer in layers if self._taken else ():
            taken = self._taken.get(layer.id)
            if taken is None or layer.geometry is None:
                continue
            frame = DeepFrame(layer.id, step, layer.geometry, taken)
            self._count(1)
            if not send(partial(self._made, frame)):
                self._count(-1)
        self.drop()

    def drop(self) -> None:
        """Forgets what was copied in this step."""
        self._taken = {}

    def _count(self, change: int) -> None:
        with self._lock:
            self._pending += change

    def _made(self, frame: DeepFrame) -> bytes:
        try:
            with torch.no_grad():
                return frame.encoded()
        finally:
            self._count(-1)


@dataclass(eq=False, repr=False)
class DeepFrame:
    """What was taken of one layer at one step."""

    layer: int
    step: int
    geometry: Geometry
    taps: dict[int, Taken]
    _tensors: list[Named] = field(default_factory=list)

    def encoded(self) -> bytes:
        """The frame; waits for copies from a device. Not for the training threads."""
        for tap, taken in sorted(self.taps.items()):
            self._add(TAPS[tap], tap, taken)
        body: dict[str, Any] = {
            "kind": "deep",
            "layer": self.layer,
            "step": self.step,
            "features": self.geometry.features,
            "taps": [TAPS[tap] for tap in sorted(self.taps)],
        }
        return encode(body, tuple(self._tensors))

    def _add(self, name: str, tap: int, taken: Taken) -> None:
        rows = _rows(taken)
        bins = _bins(rows)
        self._histograms(f"{name}.feature", bins.t())
        self._sample_histograms(f"{name}.sample", bins, taken)
        if tap in (PRE, POST) and self.geometry.features <= MAX_COVARIANCE_FEATURES:
            mean, covariance, taken_rows = covariance_of(rows)
            self._add_tensor(f"{name}.mean", "F32", mean.float())
            self._add_tensor(f"{name}.covariance", "F32", covariance.float())
            self._tensors.append((f"{name}.covarianceRows", "U32", struct.pack("<I", taken_rows)))
        if tap in (PRE, GRAD_POST):
            chosen = evenly(len(rows), max(1, _MAX_RAW_VALUES // max(1, rows.shape[1])))
            self._add_tensor(f"{name}.rows", "F32", rows[chosen])
            self._add_tensor(f"{name}.rowIndices", "U32", taken.index[chosen].to(torch.int32))

    def _histograms(self, name: str, groups: Tensor) -> None:
        """``groups`` [groups, values]: a histogram each."""
        self._sparse(name, (_counted(some) for some in groups.split(_GROUPS)))

    def _sample_histograms(self, name: str, bins: Tensor, taken: Taken) -> None:
        parts = []
        for first in range(0, taken.samples, _GROUPS):
            last = min(taken.samples, first + _GROUPS)
            own = (taken.sample >= first) & (taken.sample < last)
            keys = bins[own] + (taken.sample[own] - first).unsqueeze(1) * BIN_COUNT
            parts.append(_tallied(keys, last - first))
        self._sparse(name, parts)

    def _sparse(self, name: str, parts: Any) -> None:
        splits = [0]
        bins: list[bytes] = []
        counts: list[bytes] = []
        for counted in parts:
            row, bin_ = counted.nonzero(as_tuple=True)
            bins.append(raw_bytes(bin_.to(torch.int16)))
            counts.append(raw_bytes(counted[row, bin_].to(torch.int32)))
            for filled in torch.bincount(row, minlength=len(counted)).tolist():
                splits.append(splits[-1] + filled)
        self._tensors.append((f"{name}Splits", "U32", struct.pack(f"<{len(splits)}I", *splits)))
        self._tensors.append((f"{name}Bins", "U16", b"".join(bins)))
        self._tensors.append((f"{name}Counts", "U32", b"".join(counts)))

    def _add_tensor(self, name: str, dtype: str, values: Tensor) -> None:
        self._tensors.append((name, dtype, raw_bytes(values)))


def _rows(taken: Taken) -> Tensor:
    """[rows, features], float32, contiguous; waits for the copy."""
    if taken.event is not None:
        taken.event.synchronize()
    rows = row_by_row(taken.view).float()
    if taken.factor is not None:
        rows = rows * taken.factor.to("cpu").float()
    return rows.contiguous()


def _bins(rows: Tensor) -> Tensor:
    """Bin of each value, int64; zeros and what is not finite are discarded."""
    bins = ((rows.view(torch.int32) >> 20) & DISCARDED).long()
    return bins.masked_fill_((rows == 0) | ~torch.isfinite(rows), DISCARDED)


def _counted(groups: Tensor) -> Tensor:
    offsets = torch.arange(len(groups)).unsqueeze(1) * BIN_COUNT
    return _tallied(groups + offsets, len(groups))


def _tallied(keys: Tensor, groups: int) -> Tensor:
    counted = torch.bincount(keys.flatten(), minlength=groups * BIN_COUNT).view(groups, BIN_COUNT)
    counted[:, DISCARDED] = 0
    return counted


def covariance_of(rows: Tensor) -> tuple[Tensor, Tensor, int]:
    """Mean [F] and biased covariance [F, F] over the rows of finite values, and how many those are;
    NaN without any."""
    finite = rows[torch.isfinite(rows).all(1)]
    mean = finite.double().mean(0)
    centred = finite - mean.float()
    rest = centred.double().mean(0)
    covariance = (centred.t() @ centred).double().div_(max(1, len(finite)))
    covariance -= torch.outer(rest, rest)
    if not len(finite):
        covariance.fill_(float("nan"))
    return mean, covariance, len(finite)


def evenly(rows: int, most: int) -> Tensor:
    """Places of at most ``most`` and :data:`MAX_RAW_ROWS` of ``rows`` rows, spread evenly."""
    wanted = min(rows, most, MAX_RAW_ROWS)
    return torch.arange(wanted) * rows // max(1, wanted)
