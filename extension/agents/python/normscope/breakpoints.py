"""Tensor breakpoints: the extension judges, and the program stops where it is.

What was measured goes to the extension anyway, which knows rules and conditions; so the agent asks
it and waits for the answer, once a captured step, and at once where a tensor holds NaN or infinite
values. Without breakpoints nothing is asked.
"""

from __future__ import annotations

import threading
from typing import Any, Callable

from .stopping import debugged, stop_in_user_frame

#: The extension answers within milliseconds; one that does not must not hold training up.
_ANSWER_SECONDS = 5.0
_FIRST_SECONDS = 2.0
_NO_ANSWER = (
    "NormScope did not answer a tensor breakpoint in time, so the program was not stopped; set the "
    "breakpoint again."
)


class Breakpoints:
    """Asks whether to stop, and stops."""

    def __init__(self) -> None:
        #: Whether to ask when a captured step is over.
        self.steps = False
        #: Whether to look for NaN and infinite values at every tap.
        self.nonfinite = False
        #: Sends a question; false where that is not possible.
        self.send: Callable[[dict[str, Any]], bool] = lambda body: False
        #: Tells the person a sentence, once.
        self.tell: Callable[[str, str], None] = lambda event, message: None
        #: Told that ``nonfinite`` changed.
        self.changed: Callable[[], None] = lambda: None
        self._known = threading.Event()
        self._answered = threading.Condition()
        self._answers: dict[int, bool] = {}
        self._open: set[int] = set()
        self._asked = 0
        self._gone = False
        #: A stop that waits for a thread with a frame of the user's.
        self._owed = False

    def command(self, body: dict[str, Any]) -> None:
        """Runs on the receiving thread."""
        kind = body.get("kind")
        if kind == "breakpoints":
            here = debugged()
            self.steps = here and body.get("steps") is True
            self.nonfinite = here and body.get("nonFinite") is True
            self.changed()
            self._known.set()
        elif kind == "verdict":
            number, stop = body.get("question"), body.get("stop")
            with self._answered:
                if number in self._open and type(number) is int and type(stop) is bool:
                    self._answers[number] = stop
                    self._answered.notify_all()

    def gone(self) -> None:
        """There is nobody to ask any more."""
        self.steps = self.nonfinite = False
        self._gone = True
        self.changed()
        self._known.set()
        with self._answered:
            self._answered.notify_all()

    def await_first(self) -> None:
        """Waits, once and briefly, until it is known what may stop the program; under a debugger
        only. Else its first steps would run before that is."""
        if debugged():
            self._known.wait(_FIRST_SECONDS)
            self._known.set()

    def ask(self, body: dict[str, Any]) -> None:
        """Asks and, where the answer is yes, stops in the user's frame."""
        if self._gone or not debugged():
            return
        with self._answered:
            number = self._asked
            self._asked += 1
            self._open.add(number)
        sent = self.send({"kind": "question", "question": number, **body})
        if sent and self._verdict(number):
            self._owed = not stop_in_user_frame()
        with self._answered:
            self._open.discard(number)

    def settle(self) -> None:
        """Stops now, if it had to be put off on a thread of PyTorch's own."""
        if self._owed:
            self._owed = not stop_in_user_frame()

    def _verdict(self, number: int) -> bool:
        with self._answered:
            came = self._answered.wait_for(
                lambda: number in self._answers or self._gone, _ANSWER_SECONDS
            )
            stop = self._answers.pop(number, False)
        if not came:
            self.steps = self.nonfinite = False
            self.changed()
            self.tell("breakpoint-unanswered", _NO_ANSWER)
        return stop
