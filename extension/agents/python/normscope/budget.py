"""Keeps capture within its share of a step's time by choosing which steps to capture."""

from __future__ import annotations

import math

MAX_INTERVAL = 1000
#: Updates whose times say nothing about later ones: first calls, first layout.
_WARM_UP = 1
_SMOOTHING = 0.3


class Budget:
    """Measures agent time against step time. Times are in seconds, on the training threads."""

    def __init__(self, percent: float) -> None:
        #: 0 captures every step.
        self.percent = percent
        self.interval = 1
        self._seen = 0
        self._since_captured = 0
        self._cost: float | None = None
        self._plain: float | None = None
        self._spent = 0.0
        self._passed = 0.0

    @property
    def overhead_percent(self) -> float | None:
        """Capture's share of the last steps' time; None before it is known."""
        return None if self._passed <= 0 else min(100.0, 100 * self._spent / self._passed)

    def step_ended(self, seconds: float, agent_seconds: float, captured: bool) -> bool:
        """Takes a step's whole time and the agent's part; returns whether to capture the next."""
        self._seen += 1
        if self._seen > _WARM_UP:
            self._learn(seconds, agent_seconds, captured)
        self.interval = self._wanted()
        self._since_captured = 0 if captured else self._since_captured + 1
        return self._since_captured + 1 >= self.interval

    def _learn(self, seconds: float, agent_seconds: float, captured: bool) -> None:
        keep = 1 - 1 / max(16, 4 * self.interval)
        self._spent = self._spent * keep + agent_seconds
        self._passed = self._passed * keep + seconds
        self._plain = _smoothed(self._plain, max(seconds - agent_seconds, 1e-6))
        if captured:
            self._cost = _smoothed(self._cost, agent_seconds)

    def _wanted(self) -> int:
        if self.percent <= 0 or self._cost is None or self._plain is None:
            return 1
        allowed = self._plain * self.percent / 100
        return max(1, min(MAX_INTERVAL, math.ceil(self._cost / allowed)))


def _smoothed(old: float | None, new: float) -> float:
    return new if old is None else old + _SMOOTHING * (new - old)
