"""What is announced to the collector, within its bounds."""

from __future__ import annotations

import json
import struct

import pytest
from normscope import announcing, layout
from normscope.announcing import Announcer
from normscope.discovery import Discovery
from normscope.frames import MAX_HEADER_BYTES
from normscope.layers import MAX_LAYERS, LayerTable
from torch import nn

LIMITED = """
import torch
import _normscope_agent.{module} as limited
limited.{name} = {value}
from torch import nn
"""

SWEEP = (
    LIMITED.format(module="announcing", name="MAX_LAYERS", value=10)
    + """
for trial in range(7):
    net = nn.Sequential(nn.Linear(4, 4), nn.LayerNorm(4), nn.Linear(4, 4), nn.LayerNorm(4))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(2):
        net(torch.randn(8, 4)).sum().backward(); optimizer.step()
    del net, optimizer
"""
)


def test_a_long_sweep_announces_no_more_ids_than_allowed_and_goes_on(train) -> None:
    outcome = train(SWEEP)
    assert outcome.returncode == 0, outcome.stderr
    run = outcome.run
    announced = [layer["id"] for body in run.layouts.values() for layer in body["layers"]]
    assert set(announced) == set(range(10)), "no id twice, none beyond the bound"
    assert run.events() == ["too-many-layers"]
    assert run.bye["steps"] == len(run.steps) == 14
    assert run.bye["errors"] == 0
    assert run.layers == []


def test_the_bounds_are_those_of_the_protocol() -> None:
    assert announcing.MAX_LAYERS == MAX_LAYERS == 4096
    assert layout.MAX_HEADER_BYTES == MAX_HEADER_BYTES == 8 * 1024 * 1024


BIG = """
net = nn.Sequential(*[m for _ in range(40) for m in (nn.Linear(4, 4), nn.LayerNorm(4))])
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    net(torch.randn(8, 4)).sum().backward(); optimizer.step()
import _normscope_agent.bootstrap as b
table = b._agent._table
print(sum(any(layer.taps) for layer in table), sum(layer.off for layer in table))
"""


@pytest.mark.parametrize("bound", [30_000, 100_000, 6_000, 200])
def test_a_header_too_long_leaves_layers_out_and_says_so(train, bound) -> None:
    limited = LIMITED.format(module="layout", name="MAX_HEADER_BYTES", value=bound)
    outcome = train(limited + BIG)
    assert outcome.returncode == 0, outcome.stderr
    run = outcome.run
    for frame in run.connection.of_kind("layout"):
        assert len(json.dumps(frame.body, separators=(",", ":"))) <= max(bound, 250)
    with_slots = {slot["layer"] for slot in run.layouts[0]["slots"]}
    without = [layer for layer in run.layers if layer["id"] not in with_slots]
    assert len(with_slots) < 40
    if bound == 100_000:
        assert with_slots and without
    assert len(run.layers) == 40 or bound < 30_000
    for layer in without:
        assert [s["code"] for s in layer["status"]] == ["unsupported"]
        assert "too many layers" in layer["status"][0]["reason"]
    assert run.events() == ["too-many-layers"]
    # The last layers are those left out, and nothing is computed for them.
    assert with_slots == set(range(len(with_slots)))
    assert outcome.stdout.split()[1] == str(40 - len(with_slots))
    assert len(run.layouts) == 1 and len(run.steps) == 3
    for step in run.steps:
        # Of each tap: its values, and the mean and the variance of its rows.
        assert len(step.tensors["splits"]) == 3 * 4 * len(with_slots) + 1


class RefusingSession:
    """Stands for a connection whose queue is full."""

    def __init__(self) -> None:
        self.full = True
        self.frames: list[bytes] = []

    def frame(self, frame: bytes) -> bool:
        if not self.full:
            self.frames.append(frame)
        return not self.full


def bodies(session: RefusingSession) -> list[dict]:
    found = []
    for frame in session.frames:
        (length,) = struct.unpack_from("<Q", frame)
        found.append(json.loads(json.loads(frame[8 : 8 + length])["__metadata__"]["body"]))
    return found


def test_a_layout_that_was_not_taken_is_announced_with_the_next_step() -> None:
    table = LayerTable()
    session = RefusingSession()
    discovery = Discovery(table, lambda cls: None)
    announcer = Announcer(table, discovery, session)  # type: ignore[arg-type]
    norms = [nn.LayerNorm(4) for _ in range(3)]

    def enter(norm: nn.Module) -> None:
        layer = table.add(norm, None)
        assert layer is not None
        layer.certain = True

    enter(norms[0])
    assert announcer.layout() is None
    session.full = False
    first = announcer.layout()
    assert first is not None and announcer.layout() is first
    enter(norms[1])
    session.full = True
    assert announcer.layout() is None and announcer.layout() is None
    session.full = False
    second = announcer.layout()
    assert second is not None and second.number == first.number + 1
    assert [len(body["layers"]) for body in bodies(session)] == [1, 2]
    session.frames.clear()
    enter(norms[2])

    def broken(frame: bytes) -> bool:
        raise OSError("broken on purpose")

    working, session.frame = session.frame, broken  # type: ignore[method-assign]
    with pytest.raises(OSError, match="on purpose"):
        announcer.layout()
    session.frame = working  # type: ignore[method-assign]
    assert announcer.layout() is not second
    assert [len(body["layers"]) for body in bodies(session)] == [3]
