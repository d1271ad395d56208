"""Tensor breakpoints: what the agent asks, when it waits, and where it has the debugger stop."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from typing import Any

import numpy as np
import pytest
import torch
from collector import Collector, Frame
from conftest import environment

# A debugger that notes where it was told to stop.
DEBUGGER = """
import json, sys, types
stops = []
def settrace(suspend, trace_only_current_thread, patch_multiprocessing, stop_at_frame):
    frame = stop_at_frame
    stops.append([frame.f_code.co_name, lines[frame.f_lineno - 1].split("#")[-1].strip()])
sys.modules["pydevd"] = types.SimpleNamespace(settrace=settrace)
lines = open(__file__).read().splitlines()
"""

TRAINING = """
import numpy, torch
from torch import nn
torch.manual_seed(0)
fault, at = sys.argv[1], 2
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.norm, self.last = nn.Linear(4, 6), nn.BatchNorm1d(6), nn.Linear(6, 1)
    def forward(self, x, step):
        x = self.first(x)
        if fault == "forward" and step == at:
            x[3, 2], x[5, 2], x[5, 4] = torch.nan, torch.inf, -torch.inf
        y = self.norm(x)  # FORWARD
        if fault == "backward" and step == at:
            y.register_hook(lambda gradient: gradient * torch.nan)
        return self.last(y)
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(5):
    optimizer.zero_grad()
    loss = net(torch.randn(8, 4), step).square().mean()
    loss.backward()  # BACKWARD
    optimizer.step()  # STEP
    if fault and step == at:
        break
torch.save([net.state_dict(), torch.get_rng_state()], "weights.pt")
print(json.dumps(stops))
"""


def verdict(stop: bool) -> Any:
    def answer(frame: Frame) -> dict[str, Any] | None:
        if frame.kind != "question":
            return None
        return {"kind": "verdict", "question": frame.body["question"], "stop": stop}

    return answer


@pytest.fixture
def debug(tmp_path, make_collector):
    """Trains under the debugger above; gives the collector and where it was to stop."""

    def run(
        fault: str,
        breakpoints: dict[str, bool] | None,
        answer: Any = None,
        debugger: str = DEBUGGER,
        **capture: Any,
    ) -> tuple[Collector, Any]:
        script = tmp_path / "train.py"
        head = debugger or "import json, sys\nstops = []\n"
        script.write_text(head + textwrap.dedent(TRAINING), encoding="utf-8")
        collector = make_collector()
        if breakpoints is not None:
            collector.greeting = [{"kind": "breakpoints", **breakpoints}]
        if answer is not None:
            collector.answer = answer
        done = subprocess.run(
            [sys.executable, str(script), fault],
            env=environment(collector, **capture),
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        collector.wait_for(lambda: all(one.ended for one in collector.connections))
        return collector, json.loads(done.stdout)

    return run


def questions(collector: Collector) -> list[dict[str, Any]]:
    return [frame.body for frame in collector.connections[0].of_kind("question")]


def test_values_that_are_not_finite_are_told_and_stop_the_users_frame(debug) -> None:
    only = {"steps": False, "nonFinite": True}
    collector, stops = debug("forward", only, verdict(True))
    first, *_ = questions(collector)
    assert stops[0] == ["forward", "FORWARD"]
    name = first.pop("name")
    assert name == "norm"
    assert first == {
        "kind": "question",
        "question": 0,
        "about": "nonfinite",
        "step": 2,
        "layer": first["layer"],
        "tap": "pre",
        "nan": 1,
        "positiveInfinity": 1,
        "negativeInfinity": 1,
        "elements": 48,
        "samples": [3, 5],
        "features": [2, 4],
    }


def test_gradients_stop_behind_the_backward_pass(debug) -> None:
    collector, stops = debug("backward", {"steps": False, "nonFinite": True}, verdict(True))
    asked = questions(collector)
    # The program spoils the gradient behind where the agent sees that of the output.
    assert [one["tap"] for one in asked] == ["gradPre"]
    assert stops == [["<module>", "BACKWARD"]]


def test_steps_between_captured_ones_are_looked_at_too(debug) -> None:
    # A budget of next to nothing captures the first ten steps only, so capture is off here.
    collector, stops = debug(
        "forward", {"steps": False, "nonFinite": True}, verdict(True), enabled=False
    )
    assert collector.connections[0].of_kind("step") == []
    assert stops[0] == ["forward", "FORWARD"]


def test_each_captured_step_is_asked_about_once_and_behind_it(debug) -> None:
    collector, stops = debug("", {"steps": True, "nonFinite": False}, verdict(True))
    kinds = [f.kind for f in collector.connections[0].frames if f.kind in ("step", "question")]
    assert kinds == ["step", "question"] * 5
    assert [one["step"] for one in questions(collector)] == [0, 1, 2, 3, 4]
    assert stops == [["<module>", "STEP"]] * 5


def test_an_answer_of_no_stops_nothing(debug) -> None:
    collector, stops = debug("forward", {"steps": True, "nonFinite": True}, verdict(False))
    assert questions(collector)
    assert stops == []


@pytest.mark.parametrize("debugger", [DEBUGGER, ""])
def test_without_breakpoints_or_a_debugger_nothing_is_asked(debug, debugger) -> None:
    told = {"steps": not debugger, "nonFinite": not debugger}
    collector, _ = debug("forward", told, verdict(True), debugger)
    assert questions(collector) == []
    assert collector.connections[0].of_kind("step")


def test_a_collector_that_does_not_answer_holds_training_up_once(debug) -> None:
    collector, stops = debug("", {"steps": True, "nonFinite": False})
    assert len(questions(collector)) == 1
    assert stops == []
    messages = [one.body["message"] for one in collector.connections[0].of_kind("event")]
    assert any("did not answer" in message for message in messages)


def test_training_is_the_same_with_breakpoints(debug, tmp_path) -> None:
    def weights() -> list[np.ndarray]:
        state, random = torch.load(tmp_path / "weights.pt", weights_only=False)
        return [*(value.numpy() for value in state.values()), random.numpy()]

    debug("", {"steps": True, "nonFinite": True}, verdict(True))
    with_breakpoints = weights()
    (tmp_path / "weights.pt").unlink()
    script = tmp_path / "train.py"
    plain = {key: value for key, value in os.environ.items() if not key.startswith("NORMSCOPE")}
    subprocess.run(
        [sys.executable, str(script), ""],
        env={**plain, "OMP_NUM_THREADS": "1"},
        cwd=tmp_path,
        check=True,
        capture_output=True,
        timeout=120,
    )
    for one, other in zip(with_breakpoints, weights()):
        np.testing.assert_array_equal(one, other)
