"""The background threads that encode, send and receive. Training never waits for them."""

from __future__ import annotations

import threading
import time
from collections import deque
from typing import Any, Callable, Union

from .channels import Channel, connect
from .encoding import step_frame
from .frames import CommandReader
from .packing import Packed

#: Steps that may wait for a slow collector; the next ones are dropped.
MAX_WAITING_STEPS = 8
_MAX_WAITING_FRAMES = 256

#: A frame, a step that is encoded when its turn comes, or a frame made when its turn comes.
Item = Union[bytes, Packed, Callable[[], bytes]]


class Sender:
    """Connects on its own thread, then sends what it is given in order."""

    def __init__(self, address: str, token: str) -> None:
        self.commanded: Callable[[dict[str, Any]], None] = lambda body: None
        self.closed: Callable[[], None] = lambda: None
        self.not_encoded: Callable[[Exception], None] = lambda error: None
        self.sent = 0
        self.failed = False
        self._address = address
        self._token = token
        self._queue: deque[Item] = deque()
        self._waiting_steps = 0
        self._wake = threading.Condition()
        self._finishing = False
        self._channel: Channel | None = None
        self._threads: list[threading.Thread] = []
        self._spent = 0.0

    def spent(self) -> float:
        """Seconds of a processor's time that frames took since the last time this was asked."""
        seconds, self._spent = self._spent, 0.0
        return seconds

    def start(self, hello: bytes) -> None:
        """Begins to connect; ``hello`` is the first frame."""
        self._queue.append(hello)
        self._spawn("normscope-sender", self._send_all)

    def _spawn(self, name: str, run: Callable[[], None]) -> None:
        thread = threading.Thread(target=run, name=name, daemon=True)
        # pydevd neither traces nor suspends a thread that carries these.
        thread.pydev_do_not_trace = True  # type: ignore[attr-defined]
        thread.is_pydev_daemon_thread = True  # type: ignore[attr-defined]
        self._threads.append(thread)
        thread.start()

    @property
    def has_room(self) -> bool:
        """Whether another step would be taken."""
        return not self.failed and self._waiting_steps < MAX_WAITING_STEPS

    def put(self, item: Item) -> bool:
        """Hands over a frame or a step; false when it had to be dropped."""
        with self._wake:
            is_step = isinstance(item, Packed)
            full = is_step and self._waiting_steps >= MAX_WAITING_STEPS
            if self.failed or full or len(self._queue) >= _MAX_WAITING_FRAMES:
                return False
            self._waiting_steps += is_step
            self._queue.append(item)
            self._wake.notify()
        return True

    def finish(self, seconds: float) -> None:
        """Waits until all is sent, at most ``seconds``, and closes the connection."""
        deadline = time.monotonic() + seconds
        with self._wake:
            self._finishing = True
            self._wake.notify()
        for thread in self._threads[:1]:
            thread.join(max(0.0, deadline - time.monotonic()))
        if self._channel is not None:
            self._channel.close()
        for thread in self._threads:
            thread.join(0.5)

    def send_at_once(self, frames: list[bytes], seconds: float) -> None:
        """Connects, sends and closes on the caller's thread, where no thread can be started any
        more; takes about ``seconds`` at most."""
        try:
            channel = connect(self._address, seconds / 2)
            channel.send(self._token.encode("ascii") + b"".join(frames))
            channel.close_when_read(seconds / 2)
        except Exception:
            self.failed = True

    def abandon(self) -> None:
        """For a forked child: lets go of the parent's connection; takes no lock."""
        self.failed = True
        if self._channel is not None:
            self._channel.abandon()

    def _next(self) -> Item | None:
        with self._wake:
            while not self._queue and not self._finishing:
                self._wake.wait()
            if not self._queue:
                return None
            item = self._queue.popleft()
            self._waiting_steps -= isinstance(item, Packed)
            return item

    def _send_all(self) -> None:
        try:
            channel = self._channel = connect(self._address)
            channel.send(self._token.encode("ascii"))
            self._spawn("normscope-receiver", self._receive_all)
            while (item := self._next()) is not None:
                began = time.thread_time()
                frame = self._encoded(item)
                if frame is not None:
                    channel.send(frame)
                    self.sent += isinstance(item, Packed)
                self._spent += time.thread_time() - began
        except Exception:
            self._fail()

    def _encoded(self, item: Item) -> bytes | None:
        try:
            if isinstance(item, bytes):
                return item
            return step_frame(item) if isinstance(item, Packed) else item()
        except Exception as error:
            self.not_encoded(error)
            return None

    def _receive_all(self) -> None:
        reader = CommandReader()
        channel = self._channel
        try:
            while channel is not None and (data := channel.receive()):
                for body in reader.push(data):
                    self.commanded(body)
        except Exception:
            pass
        self._fail()

    def _fail(self) -> None:
        """The collector is gone or is not one: stop for good, quietly."""
        with self._wake:
            if self._finishing or self.failed:
                return
            self.failed = True
            self._queue.clear()
            self._finishing = True
            self._wake.notify()
        if self._channel is not None:
            self._channel.close()
        self.closed()
