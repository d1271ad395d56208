"""Byte streams to the collector: Unix socket, loopback TCP, Windows named pipe."""

from __future__ import annotations

import os
import socket
import time
from typing import Any, Protocol

_CHUNK = 65536
_POLL_SECONDS = 0.1
_CONNECT_SECONDS = 5.0


class Channel(Protocol):
    """A connected byte stream; one thread sends while another receives."""

    def send(self, data: bytes) -> None:
        """Sends all of ``data``; raises OSError."""

    def receive(self) -> bytes:
        """Waits for bytes; empty at the end of the stream."""

    def close(self) -> None:
        """Ends both directions; wakes a waiting thread."""

    def close_when_read(self, seconds: float) -> None:
        """Ends our direction, waits until the other side ended its own, and closes. What it sent
        meanwhile is taken: unread bytes could cost it the last of ours."""

    def abandon(self) -> None:
        """Drops this process's handle without touching the connection, as a forked child must."""


class SocketChannel:
    """Unix or TCP."""

    def __init__(self, connected: socket.socket) -> None:
        connected.settimeout(None)
        self._socket = connected

    def send(self, data: bytes) -> None:
        self._socket.sendall(data)

    def receive(self) -> bytes:
        return self._socket.recv(_CHUNK)

    def close(self) -> None:
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self._socket.close()

    def close_when_read(self, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        try:
            self._socket.shutdown(socket.SHUT_WR)
            while (left := deadline - time.monotonic()) > 0:
                self._socket.settimeout(left)
                if not self._socket.recv(_CHUNK):
                    break
        except OSError:
            pass
        self._socket.close()

    def abandon(self) -> None:
        self._socket.close()


class PipeChannel:
    """A Windows named pipe. A read that waits would hold up writes on the same handle, so arriving
    bytes are looked for, not waited for."""

    def __init__(self, path: str) -> None:
        import msvcrt

        self._file: Any = open(path, "r+b", buffering=0)  # noqa: SIM115 - closed by close()
        self._handle = msvcrt.get_osfhandle(self._file.fileno())  # type: ignore[attr-defined]

    def send(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            written = self._file.write(view[:_CHUNK])
            view = view[written:]

    def receive(self) -> bytes:
        import _winapi

        while True:
            ready = _winapi.PeekNamedPipe(self._handle, 0)[0]  # type: ignore[attr-defined]
            if ready:
                return self._file.read(min(ready, _CHUNK))
            time.sleep(_POLL_SECONDS)

    def close(self) -> None:
        self._file.close()

    def close_when_read(self, seconds: float) -> None:
        # What was written to a pipe stays readable.
        self._file.close()

    def abandon(self) -> None:
        self._file.close()


def connect(address: str, seconds: float = _CONNECT_SECONDS) -> Channel:
    """Connects to an endpoint as ``environment.ts`` writes it; raises OSError or ValueError."""
    kind, _, rest = address.partition(":")
    if kind == "pipe":
        return PipeChannel(rest)
    if kind == "tcp":
        host, _, port = rest.rpartition(":")
        host = host.strip("[]")
        if host not in ("127.0.0.1", "::1", "localhost"):
            raise ValueError("the collector is not on this machine")
        stream = socket.create_connection((host, int(port)), timeout=seconds)
        stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return SocketChannel(stream)
    if kind == "unix" and hasattr(socket, "AF_UNIX"):
        stream = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        stream.settimeout(seconds)
        try:
            stream.connect(os.fspath(rest))
        except OSError:
            stream.close()
            raise
        return SocketChannel(stream)
    raise ValueError("the collector's address is of an unknown kind")
