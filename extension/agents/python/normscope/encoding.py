"""Turns a packed step into its frame, on the sender's thread and without numpy."""

from __future__ import annotations

import math
import struct

import torch
from torch import Tensor

from .frames import encode
from .host_bytes import raw_bytes
from .layout import COUNTS
from .packing import KNOWN_COUNTS, Packed

#: Bins of zeros and of the smallest subnormals, of either sign, lie this far apart.
_HALF = 2048
#: Bins of NaN and Inf: exponent bits all ones, either sign.
_NOT_FINITE = (slice(2040, 2048), slice(4088, 4096))


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
        ("splits", "U32", struct.pack(f"<{len(splits)}I", *splits)),
        ("counts", "U32", counts),
        ("bins", "U16", bins),
    )
    return encode(body, tensors)


def sparse(taps: list[Tensor | None], rows: list[int]) -> tuple[list[int], bytes, bytes]:
    """Compressed sparse rows of each tap's ``rows`` histograms. One tap at a time stays below the
    size from which PyTorch would start threads of its own, which would compete with training's."""
    splits = [0]
    bins: list[bytes] = []
    counts: list[bytes] = []
    for histograms, known in zip(taps, rows):
        if histograms is None:
            splits += [splits[-1]] * known
            continue
        counted = histograms.to("cpu", dtype=torch.int32, copy=True)
        for part in _NOT_FINITE:
            counted[:, part] = 0
        counted[1:, ::_HALF] = 0
        row, bin_ = counted.nonzero(as_tuple=True)
        bins.append(raw_bytes(bin_.to(torch.int16)))
        counts.append(raw_bytes(counted[row, bin_]))
        for filled in torch.bincount(row, minlength=known).tolist():
            splits.append(splits[-1] + filled)
    return splits, b"".join(bins), b"".join(counts)
