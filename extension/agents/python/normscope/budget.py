"""Keeps capture within its share of a step's time by choosing which steps to capture."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

MAX_INTERVAL = 1000
#: Captured steps before the interval is chosen: the first ones are slow, and a person who has just
#: started wants to see something.
_WARM_UP = 10
_RECENT_STEPS = 16
_RECENT_COSTS = 8
#: The overhead is measured over at least this many steps, and over several intervals.
_WINDOW = 32
_INTERVALS = 4
#: Captured steps that may be due at once.
_MOST_DUE = 2.0
#: Below this the clock says little, in seconds.
_LEAST_STEP = 1e-6


class Budget:
    """Chooses every how manyeth step is captured.

    The first 10 steps of a run are captured whatever they cost; the budget holds from then on.

    With a median cost C of the last captured steps and a median time T of the last steps without
    the agent's part, capturing one in k steps takes C/(k·T) of the program's time; k is what makes
    this the budget, at least 1 and not always whole: one in 2½ steps is every second and every
    third by turns. Medians, so that a pause at a breakpoint or one slow step does not count. Times
    are in seconds.

    The overhead is the agent's time divided by the program's own time (the steps' whole time less
    the agent's) over the last steps after the first 10: 32, or four intervals if that is more.
    """

    def __init__(self, percent: float) -> None:
        #: Share of the program's time that capture may take; 0 captures every step.
        self.percent = percent
        #: The nearest whole number to k.
        self.interval = 1
        #: Capture's measured share of the program's time; None before it is known.
        self.overhead_percent: float | None = None
        self._steps_each = 1.0
        #: Share of the way to the next captured step.
        self._progress = 0.0
        self._costs: deque[float] = deque(maxlen=_RECENT_COSTS)
        self._times: deque[float] = deque(maxlen=_RECENT_STEPS)
        self._window: deque[tuple[float, float]] = deque()
        self._captured = 0
        #: Seconds on other threads since the last captured step, which are its cost: they come
        #: when it is sent, during the steps behind it.
        self._elsewhere = 0.0

    def step_ended(
        self, seconds: float, agent_seconds: float, captured: bool, elsewhere: float = 0.0
    ) -> bool:
        """Takes a step's whole time and the agent's part of it, and what the agent spent meanwhile
        on other threads; returns whether to capture the next."""
        program = max(0.0, seconds - agent_seconds)
        self._elsewhere += elsewhere
        self._times.append(program)
        self._window.append((program, agent_seconds + elsewhere))
        while len(self._window) > max(_WINDOW, _INTERVALS * self.interval):
            self._window.popleft()
        if captured:
            self._captured += 1
            self._costs.append(agent_seconds + self._elsewhere)
            self._elsewhere = 0.0
            self._measure()
            if self._captured == _WARM_UP:
                self._window.clear()
        if captured or self.percent <= 0:
            self._steps_each = self._wanted()
            self.interval = round(self._steps_each)
        if captured:
            self._progress = max(0.0, self._progress - 1)
        # A step that was due and not captured, as while capture is off, leaves no debt.
        self._progress = min(_MOST_DUE, self._progress + 1 / self._steps_each)
        # A whole number of equal shares may come out a rounding error below 1.
        return self._progress > 1 - 1e-9

    def _wanted(self) -> float:
        if self.percent <= 0 or self._captured < _WARM_UP:
            return 1.0
        share = 100 * _median(self._costs) / max(_median(self._times), _LEAST_STEP)
        return max(1.0, min(float(MAX_INTERVAL), share / self.percent))

    def _measure(self) -> None:
        program = sum(step for step, _ in self._window)
        if len(self._window) >= _INTERVALS and program > 0:
            self.overhead_percent = 100 * sum(cost for _, cost in self._window) / program


def _median(values: Iterable[float]) -> float:
    ordered = sorted(values)
    return ordered[len(ordered) // 2]
