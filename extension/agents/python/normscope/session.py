"""The agent's side of one connection: frames out, what was sent and dropped, the end."""

from __future__ import annotations

import time
from typing import Any, Callable

from .frames import clip, encode
from .hello import hello
from .packing import Packed
from .transport import Sender

#: A collector that reads gets everything within this time at exit; one that does not, not.
_FINISH_SECONDS = 3.0
#: For the only words of a process that never connected.
_LAST_WORDS_SECONDS = 1.0


class Session:
    """Connects at the first word; before that, and after the end, it is silent."""

    def __init__(self, address: str, token: str) -> None:
        self.started_at = int(time.time() * 1000)
        self.dropped = 0
        self.open = False
        self._clock = time.monotonic()
        self._sender = Sender(address, token)
        self._over = False

    def listen(
        self,
        commanded: Callable[[dict[str, Any]], None],
        closed: Callable[[], None],
        not_encoded: Callable[[Exception], None],
    ) -> None:
        """Says who is told of commands, of the connection's end, and of steps that were lost."""
        self._sender.commanded = commanded
        self._sender.closed = closed
        self._sender.not_encoded = not_encoded

    @property
    def milliseconds(self) -> float:
        """Time since the start."""
        return round((time.monotonic() - self._clock) * 1000, 3)

    def connect(self, device: str) -> None:
        """Begins to connect, once."""
        if self.open or self._over:
            return
        self.open = True
        self._sender.start(encode(hello(device, self.started_at)))

    def tell(self, event: str, message: str) -> None:
        """Sends a sentence for the person."""
        self.frame(_event(event, message))

    def last_words(self, device: str, event: str, message: str, errors: int) -> None:
        """Says all there is to say of a process that ends and never had a reason to connect."""
        if self.open or self._over:
            return
        self._over = True
        bye = {"kind": "bye", "steps": 0, "sent": 0, "dropped": 0, "skipped": 0, "errors": errors}
        frames = [encode(hello(device, self.started_at)), _event(event, message), encode(bye)]
        self._sender.send_at_once(frames, _LAST_WORDS_SECONDS)

    def frame(self, frame: bytes) -> bool:
        """Sends an encoded frame, if there is a connection."""
        return self.open and self._sender.put(frame)

    @property
    def has_room(self) -> bool:
        """Whether a step would be taken now."""
        return self.open and self._sender.has_room

    def step(self, packed: Packed) -> bool:
        """Sends a step or counts it as dropped; whether it was sent."""
        sent = self.open and self._sender.put(packed)
        self.dropped += not sent
        return sent

    def later(self, make: Callable[[], bytes]) -> bool:
        """Sends a frame that is made on the sender's thread, if there is a connection."""
        return self.open and self._sender.put(make)

    def spent(self) -> float:
        """Seconds that the sender's thread was busy since the last time this was asked."""
        return self._sender.spent()

    def end(self, steps: int, skipped: int, errors: int) -> None:
        """Says goodbye and waits a little for what is still on its way."""
        self._over = True
        if not self.open:
            return
        sender = self._sender

        def bye() -> bytes:
            return encode(
                {
                    "kind": "bye",
                    "steps": steps,
                    "sent": sender.sent,
                    "dropped": self.dropped,
                    "skipped": skipped,
                    "errors": errors,
                }
            )

        sender.put(bye)
        sender.finish(_FINISH_SECONDS)
        self.open = False

    def abandon(self) -> None:
        """For a forked child."""
        self._over = True
        self.open = False
        self._sender.abandon()


def _event(event: str, message: str) -> bytes:
    return encode({"kind": "event", "event": event, "message": clip(message)})
