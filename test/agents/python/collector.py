"""A collector for tests: a real socket server that decodes what an agent sends."""

from __future__ import annotations

import json
import os
import socket
import struct
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

DTYPES = {"F32": "<f4", "F64": "<f8", "U32": "<u4", "U16": "<u2", "I32": "<i4", "U8": "u1"}


@dataclass
class Frame:
    kind: str
    body: dict[str, Any]
    tensors: dict[str, np.ndarray]


@dataclass
class Connection:
    token: str = ""
    frames: list[Frame] = field(default_factory=list)
    ended: bool = False
    socket: Any = None

    def of_kind(self, kind: str) -> list[Frame]:
        return [frame for frame in self.frames if frame.kind == kind]

    def send(self, body: dict[str, Any]) -> None:
        text = json.dumps({"__metadata__": {"kind": body["kind"], "body": json.dumps(body)}})
        head = text.encode()
        head += b" " * (-len(head) % 8)
        self.socket.sendall(struct.pack("<Q", len(head)) + head)


class Collector:
    """Listens on a Unix socket (or TCP); ``reads`` false accepts and then never reads."""

    def __init__(self, path: str | None, reads: bool = True) -> None:
        self.connections: list[Connection] = []
        self._reads = reads
        #: Sent to each process as it connects, and asked for the answer to each frame.
        self.greeting: list[dict[str, Any]] = []
        self.answer: Callable[[Frame], dict[str, Any] | None] = lambda frame: None
        if path is None:
            self._server = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
            self._server.bind(("127.0.0.1", 0))
            self.address = f"tcp:127.0.0.1:{self._server.getsockname()[1]}"
        else:
            self._server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            self._server.bind(path)
            self.address = f"unix:{path}"
        self._server.listen(16)
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                accepted, _ = self._server.accept()
            except OSError:
                return
            connection = Connection(socket=accepted)
            self.connections.append(connection)
            if self._reads:
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: Connection) -> None:
        stream = connection.socket.makefile("rb")
        try:
            connection.token = stream.read(64).decode("ascii")
            for body in self.greeting:
                connection.send(body)
            while (frame := read_frame(stream)) is not None:
                connection.frames.append(frame)
                answer = self.answer(frame)
                if answer is not None:
                    connection.send(answer)
        except OSError:
            pass
        connection.ended = True

    def wait_for(self, condition: Any, seconds: float = 60) -> None:
        deadline = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < deadline, "the collector did not get what it waited for"
            time.sleep(0.02)

    def close(self) -> None:
        self._server.close()
        for connection in self.connections:
            try:
                connection.socket.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            connection.socket.close()
        if self.address.startswith("unix:"):
            os.unlink(self.address[5:])


def read_frame(stream: Any) -> Frame | None:
    """Reads one safetensors blob; checks what the format promises."""
    prefix = stream.read(8)
    if len(prefix) < 8:
        return None
    (length,) = struct.unpack("<Q", prefix)
    assert length % 8 == 0, "data must start at a multiple of eight"
    header = json.loads(stream.read(length))
    metadata = header.pop("__metadata__")
    end = max((entry["data_offsets"][1] for entry in header.values()), default=0)
    data = stream.read(end)
    tensors = {}
    for name, entry in header.items():
        dtype = np.dtype(DTYPES[entry["dtype"]])
        begin, stop = entry["data_offsets"]
        assert begin % dtype.itemsize == 0, "tensors must be aligned"
        tensors[name] = np.frombuffer(data[begin:stop], dtype)
        assert tensors[name].shape == tuple(entry["shape"])
    body = json.loads(metadata["body"])
    assert body["kind"] == metadata["kind"]
    return Frame(metadata["kind"], body, tensors)
