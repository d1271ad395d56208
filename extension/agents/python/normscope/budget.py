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
#: Captures that may be saved up.
_MOST_SAVED = 2.0
#: Captures that may be owed, as after one during a pause, or where the program asks for each step.
_MOST_OWED = 8.0
#: No step earns more than so many usual ones: a pause at a breakpoint is none of them.
_MOST_USUAL = 4.0
#: Below this there is no limit.
_LEAST_PERCENT = 1e-6
#: Below this the clock says little, in seconds.
_LEAST_STEP = 1e-6
#: No step takes longer, in seconds.
_LONGEST = 1e9


class Budget:
    """Chooses the steps that are captured.

    The first 10 steps of a run are captured whatever they cost; the budget holds from then on.

    Each step adds its share of time to an account, capture is paid from it, and a step is captured
    when the account holds what one is expected to cost: the median C of the last ones. So the whole
    stays within the budget where C is wrong by less than eight times. With a median time T of the
    last steps, less the agent's part, one in k = C/(budget·T) steps is captured; k need not be
    whole. Times are in seconds; one that is no number or negative counts as none.

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
        #: Seconds that are saved for capture; negative where more was spent.
        self._saved = 0.0
        self._since_capture = 0
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
        agent_seconds, elsewhere = _time(agent_seconds), _time(elsewhere)
        program = _time(seconds - agent_seconds)
        self._elsewhere += elsewhere
        self._times.append(program)
        self._window.append((program, agent_seconds + elsewhere))
        while len(self._window) > max(_WINDOW, _INTERVALS * self.interval):
            self._window.popleft()
        self._since_capture = 0 if captured else self._since_capture + 1
        if self._captured >= _WARM_UP:
            # The first steps are free, also what is still to be sent of them; and what is no
            # capture, as a watch for NaN, is not paid for.
            sending = elsewhere if self._captured > _WARM_UP else 0.0
            self._account(program, (agent_seconds if captured else 0.0) + sending)
        if captured:
            self._captured += 1
            self._costs.append(agent_seconds + self._elsewhere)
            self._elsewhere = 0.0
            self._measure()
            if self._captured == _WARM_UP:
                self._window.clear()
        return self._due()

    @property
    def _usual(self) -> float:
        return max(_median(self._times), _LEAST_STEP)

    def _account(self, program: float, spent: float) -> None:
        cost = _median(self._costs)
        earned = self.percent / 100 * min(program, _MOST_USUAL * self._usual)
        saved = self._saved + earned - spent
        self._saved = max(-_MOST_OWED * cost, min(saved, _MOST_SAVED * cost))

    def _due(self) -> bool:
        if self.percent < _LEAST_PERCENT or self._captured < _WARM_UP:
            self.interval, self._saved = 1, 0.0
            return True
        cost, share = _median(self._costs), self.percent / 100 * self._usual
        self.interval = round(max(1.0, min(MAX_INTERVAL, cost / share)))
        # Equal shares may add up to a rounding error less than the cost.
        enough = self._saved + share >= cost * (1 - 1e-9)
        return enough or self._since_capture >= MAX_INTERVAL

    def _measure(self) -> None:
        program = sum(step for step, _ in self._window)
        if len(self._window) >= _INTERVALS and program > 0:
            self.overhead_percent = 100 * sum(cost for _, cost in self._window) / program


def _time(seconds: float) -> float:
    return seconds if 0.0 < seconds < _LONGEST else 0.0


def _median(values: Iterable[float]) -> float:
    ordered = sorted(values)
    return ordered[len(ordered) // 2]
