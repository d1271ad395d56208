"""Turns a packed step into its frame, on the sender's thread and without numpy."""

from __future__ import annotations

import math
import struct
from functools import lru_cache

import torch
from torch import Tensor

from .bins import BIN_BITS, BIN_COUNT
from .frames import encode
from .host_bytes import raw_bytes
from .layout import COUNTS
from .packing import KNOWN_COUNTS, Packed

#: Elements of an operation that PyTorch leaves to one thread.
_ALONE = 32_767


def step_frame(packed: Packed) -> bytes:
    """Waits for the copy to the host, if there is one, and encodes the step."""
    if packed.event is not None:
        packed.event.synchronize()
    with torch.no_grad():
        block = bytearray(raw_bytes(packed.block.to("cpu")))
        per_tap = [taps.histograms for taps in packed.layout.taps]
        splits, bins, counts = sparse(packed.histograms, per_tap)
    total, inverse = struct.unpack_from("<2f", block, len(block) - 8)
    del block[-8:]
    packed.learned(inverse)
    for slots, known in zip(packed.layout.taps, packed.known_counts):
        struct.pack_into(f"<{KNOWN_COUNTS}f", block, 4 * slots.offset, *known)
        if known[0] == 0:
            none = [0.0] * (COUNTS - KNOWN_COUNTS)
            struct.pack_into(f"<{len(none)}f", block, 4 * (slots.offset + KNOWN_COUNTS), *none)
    loss = total / packed.losses if packed.losses else math.nan
    body = {
        "kind": "step",
        "layoutId": packed.layout.number,
        **packed.fields,
        "loss": loss if math.isfinite(loss) else None,
        "lossScale": 1 / inverse if 0 < inverse < math.inf else None,
    }
    tensors = (
        ("block", "F32", bytes(block)),
        ("splits", "U32", splits),
        ("counts", "U32", counts),
        ("bins", "U16", bins),
    )
    return encode(body, tensors)


def sparse(taps: list[Tensor | None], rows: list[int]) -> tuple[bytes, bytes, bytes]:
    """Splits (uint32), bins (uint16) and counts (uint32) of compressed sparse rows, of each tap's
    ``rows`` histograms.

    Every operation stays below the size from which PyTorch would start threads of its own: those of
    this thread would compete with training's, even after the operation is over.
    """
    joined = _Joined()
    first_row = 0
    for histograms, known in zip(taps, rows):
        if histograms is not None:
            counted = torch.mul(histograms.to("cpu"), _kept(known, histograms.dtype)).view(-1)
            filled = counted.nonzero().view(-1)
            joined.add(filled, counted.index_select(0, filled), first_row)
        first_row += known
    joined.join()
    per_row = torch.zeros(first_row + 1, dtype=torch.int32, device="cpu")
    for begin, own in joined.per_row:
        per_row[begin + 1 : begin + 1 + len(own)] = own
    splits = torch.cumsum(per_row, 0, dtype=torch.int32)
    return raw_bytes(splits), b"".join(joined.bins), b"".join(joined.counts)


class _Joined:
    """The filled bins of taps, encoded for some taps at a time."""

    def __init__(self) -> None:
        self.bins: list[bytes] = []
        self.counts: list[bytes] = []
        #: First row of some taps, and how many bins each row from there on has.
        self.per_row: list[tuple[int, Tensor]] = []
        self._waiting: list[tuple[Tensor, Tensor]] = []
        self._first_row = self._size = 0

    def add(self, filled: Tensor, counts: Tensor, first_row: int) -> None:
        """Takes the filled bins of a tap whose rows begin at ``first_row``."""
        if self._size + len(filled) > _ALONE:
            self.join()
        if not self._waiting:
            self._first_row = first_row
        self._size += len(filled)
        place = filled.add_((first_row - self._first_row) * BIN_COUNT)
        self._waiting.append((place, counts))

    def join(self) -> None:
        """Encodes what waits."""
        if not self._waiting:
            return
        place, count = (torch.cat(parts) for parts in zip(*self._waiting))
        self._waiting, self._size = [], 0
        self.per_row.append((self._first_row, torch.bincount(place.bitwise_right_shift(BIN_BITS))))
        self.bins.append(raw_bytes(place.bitwise_and_(BIN_COUNT - 1).to(torch.int16)))
        self.counts.append(raw_bytes(count.to(torch.int32)))


@lru_cache(maxsize=8)
def _kept(rows: int, dtype: torch.dtype) -> Tensor:
    """1 for bins that are sent, 0 for others, [rows, 4096]: those of NaN and Inf, whose exponent
    bits are all ones, and of means and variances those of zeros and of the smallest subnormals, of
    either sign."""
    half = BIN_COUNT // 2
    kept = torch.ones((rows, 2, half), dtype=dtype, device="cpu")
    kept[:, :, -8:] = 0
    kept[1:, :, 0] = 0
    return kept.view(rows, BIN_COUNT)
