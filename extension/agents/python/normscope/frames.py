"""The wire's blob format: 8-byte little-endian header length, JSON header, data (safetensors)."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from typing import Any

MAX_HEADER_BYTES = 8 * 1024 * 1024
MAX_DATA_BYTES = 64 * 1024 * 1024
MAX_TEXT = 4096

_WIDTH = {"F64": 8, "F32": 4, "U32": 4, "I32": 4, "U16": 2, "U8": 1}

#: Name, dtype and raw little-endian bytes of one tensor.
Tensor = tuple[str, str, bytes]


class MalformedFrame(ValueError):
    """The peer sent bytes that are no frame."""


def encode(body: dict[str, Any], tensors: tuple[Tensor, ...] = ()) -> bytes:
    """Encodes a body, which holds ``kind``, and its one-dimensional tensors.

    Wider dtypes come first and the header is padded to eight bytes, so that a reader can view
    every tensor in place.
    """
    ordered = sorted(tensors, key=lambda tensor: -_WIDTH[tensor[1]])
    text = json.dumps(body, separators=(",", ":"), allow_nan=False)
    header: dict[str, Any] = {"__metadata__": {"kind": body["kind"], "body": text}}
    offset = 0
    for name, dtype, data in ordered:
        header[name] = {
            "dtype": dtype,
            "shape": [len(data) // _WIDTH[dtype]],
            "data_offsets": [offset, offset + len(data)],
        }
        offset += len(data)
    head = json.dumps(header, separators=(",", ":")).encode("ascii")
    head += b" " * (-len(head) % 8)
    return b"".join([struct.pack("<Q", len(head)), head, *(data for _, _, data in ordered)])


class CommandReader:
    """Cuts the collector's byte stream into command bodies. Commands carry no tensors."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def push(self, data: bytes) -> Iterator[dict[str, Any]]:
        """Takes bytes, yields the bodies they complete; raises :class:`MalformedFrame`."""
        self._buffer += data
        while len(self._buffer) >= 8:
            (length,) = struct.unpack_from("<Q", self._buffer)
            if length > MAX_HEADER_BYTES:
                raise MalformedFrame("a command's header is too long")
            if len(self._buffer) < 8 + length:
                return
            head = bytes(self._buffer[8 : 8 + length])
            del self._buffer[: 8 + length]
            yield _body_of(head)


def _body_of(head: bytes) -> dict[str, Any]:
    try:
        header = json.loads(head)
        if set(header) - {"__metadata__"}:
            raise MalformedFrame("a command carries tensors")
        body = json.loads(header["__metadata__"]["body"])
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise MalformedFrame("a command is not valid JSON") from error
    if not isinstance(body, dict):
        raise MalformedFrame("a command is not an object")
    return body


def clip(text: str) -> str:
    """Text within the protocol's bound."""
    return text if len(text) <= MAX_TEXT // 2 else text[: MAX_TEXT // 2 - 1] + "…"
