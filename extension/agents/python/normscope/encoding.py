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
    ``rows`` histograms. One tap at a time stays below the size from which PyTorch would start
    threads of its own, which would compete with training's."""
    places: list[Tensor] = []
    counts: list[Tensor] = []
    first_row = 0
    for histograms, known in zip(taps, rows):
        if histograms is not None:
            counted = torch.mul(histograms.to("cpu"), _kept(known, histograms.dtype)).view(-1)
            filled = counted.nonzero().view(-1)
            counts.append(counted[filled])
            places.append(filled.add_(first_row * BIN_COUNT))
        first_row += known
    splits = torch.zeros(first_row + 1, dtype=torch.int32, device="cpu")
    if not places:
        return raw_bytes(splits), b"", b""
    place, count = torch.cat(places), torch.cat(counts)
    row = place.bitwise_right_shift(BIN_BITS)
    torch.cumsum(torch.bincount(row, minlength=first_row), 0, dtype=torch.int32, out=splits[1:])
    bins = place.bitwise_and_(BIN_COUNT - 1).to(torch.int16)
    return raw_bytes(splits), raw_bytes(bins), raw_bytes(count.to(torch.int32))


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
