"""Turns a packed step into its frame, on the sender's thread and without numpy."""

from __future__ import annotations

import ctypes
import math
import struct

import torch
from torch import Tensor

from .frames import encode
from .packing import KNOWN_COUNTS, Packed

#: Bins of NaN and Inf: exponent bits all ones, either sign.
_NOT_FINITE = (slice(2040, 2048), slice(4088, 4096))


def step_frame(packed: Packed) -> bytes:
    """Waits for the copy to the host, if there is one, and encodes the step."""
    if packed.event is not None:
        packed.event.synchronize()
    with torch.no_grad():
        block = bytearray(raw_bytes(packed.block.to("cpu")))
        splits, bins, counts = _sparse(packed.histograms)
    total, inverse = struct.unpack_from("<2f", block, len(block) - 8)
    del block[-8:]
    packed.learned(inverse)
    for slots, known in zip(packed.layout.taps, packed.known_counts):
        struct.pack_into(f"<{KNOWN_COUNTS}f", block, 4 * slots.offset, *known)
        if known[0] == 0:
            struct.pack_into("<5f", block, 4 * (slots.offset + KNOWN_COUNTS), 0, 0, 0, 0, 0)
    loss = total / packed.losses if packed.losses else math.nan
    body = {
        "kind": "step",
        "layoutId": packed.layout.number,
        **packed.fields,
        "loss": loss if math.isfinite(loss) else None,
    }
    tensors = (
        ("block", "F32", bytes(block)),
        ("splits", "U32", struct.pack(f"<{len(splits)}I", *splits)),
        ("counts", "U32", counts),
        ("bins", "U16", bins),
    )
    return encode(body, tensors)


def raw_bytes(tensor: Tensor) -> bytes:
    """The memory of a tensor in host memory, in its own dtype."""
    whole = tensor.contiguous()
    size = whole.numel() * whole.element_size()
    return ctypes.string_at(whole.data_ptr(), size) if size else b""


def _sparse(rows: list[Tensor | None]) -> tuple[list[int], bytes, bytes]:
    """Compressed sparse rows. One row at a time stays below the size from which PyTorch would
    start threads of its own, which would compete with training's."""
    splits = [0]
    bins: list[bytes] = []
    counts: list[bytes] = []
    for row in rows:
        if row is None:
            splits.append(splits[-1])
            continue
        counted = row.to("cpu", dtype=torch.int32, copy=True)
        for part in _NOT_FINITE:
            counted[part] = 0
        filled = counted.nonzero().flatten()
        bins.append(raw_bytes(filled.to(torch.int16)))
        counts.append(raw_bytes(counted[filled]))
        splits.append(splits[-1] + filled.numel())
    return splits, b"".join(bins), b"".join(counts)
