"""How much may be read of each of many tensors that are shown at once."""

from __future__ import annotations

import time

#: Seconds of reading after which less is read, and how many elements then: never so few that the
#: call itself costs more.
_STAGES = ((0.25, 1 << 12), (0.12, 1 << 13), (0.05, 1 << 14))


class Pace:
    """Time spent lately: what was spent is forgiven as time passes without reading."""

    def __init__(self) -> None:
        self._spent = 0.0
        self._last = time.monotonic()

    def limit(self) -> int | None:
        """Elements to read at most of the next tensor; None for as many as the settings give."""
        now = time.monotonic()
        self._spent = max(0.0, self._spent - (now - self._last))
        self._last = now
        return next((most for spent, most in _STAGES if self._spent > spent), None)

    def spent(self, seconds: float) -> None:
        self._spent = min(1.0, self._spent + 2 * seconds)


PACE = Pace()
