"""Nothing that runs inside the program's own operations may wait for a device."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
import torch
from conftest import AGENT

#: All that is reached from a hook or at a step's end. Decisions by value are in `host_values`,
#: whose callers stay on tensors in host memory.
HOT = (
    "axes",
    "bins",
    "called",
    "classes",
    "completing",
    "deep_copy",
    "functional",
    "gain",
    "geometry",
    "gradient_taps",
    "input_gradient",
    "masked",
    "merge",
    "output_gradient",
    "packing",
    "padding",
    "parameters",
    "passes",
    "readiness",
    "reading",
    "reducers",
    "rooms",
    "rows",
    "sampling",
    "scratch",
    "second_pass",
    "stacking",
    "statistics",
    "summary",
    "sums",
    "taps",
    "together",
)
#: What those import that reads no tensors, or not in a hook: decisions by value in host memory,
#: what happens once for a class, a module or a process, and what the sender's thread does.
COLD = {
    "boundaries",
    "compiling",
    "deep",
    "discovery",
    "finite_check",
    "frames",
    "guard",
    "host_values",
    "layers",
    "layout",
    "locations",
    "settings",
    "steps",
}
WAITING = {
    "item",
    "cpu",
    "tolist",
    "numpy",
    "synchronize",
    "nonzero",
    "argwhere",
    "unique",
    "masked_select",
    "equal",
    "allclose",
    "is_nonzero",
}


def waiting_calls(source: str) -> list[str]:
    """Calls that read a value of a tensor, with their lines."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        name = node.func
        if isinstance(name, ast.Attribute) and name.attr in WAITING:
            found.append(f"{node.lineno}: .{name.attr}()")
        elif isinstance(name, ast.Name) and name.id == "bool":
            found.append(f"{node.lineno}: bool()")
        elif (
            isinstance(name, ast.Name)
            and name.id in ("float", "int")
            and not all(known_here(argument) for argument in node.args)
        ):
            found.append(f"{node.lineno}: {name.id}()")
    return found


def known_here(argument: ast.expr) -> bool:
    """A text, a count of the program's own, or a number out of its bytes."""
    text = ast.unparse(argument)
    return isinstance(argument, ast.Constant) or text.startswith(
        ("struct.", "some.values", "number")
    )


@pytest.mark.parametrize("module", HOT)
def test_hot_files_read_no_value_of_a_tensor(module) -> None:
    source = (AGENT / "normscope" / f"{module}.py").read_text(encoding="utf-8")
    assert waiting_calls(source) == []


def test_the_check_finds_what_it_is_for() -> None:
    source = "a = x.sum().item()\nif bool(x):\n    y.cpu().tolist()\nfloat(x)\nfloat('nan')\n"
    assert len(waiting_calls(source)) == 5


def test_hot_files_are_all_that_hooks_reach() -> None:
    """Every module that the taps import is hot too, or one of those named that are not."""
    folder = Path(AGENT) / "normscope"
    reached, pending = set(), ["taps", "packing"]
    while pending:
        name = pending.pop()
        tree = ast.parse((folder / f"{name}.py").read_text(encoding="utf-8"))
        reached.add(name)
        for node in ast.walk(tree):
            module = node.module if isinstance(node, ast.ImportFrom) and node.level == 1 else None
            if module and module not in reached | COLD:
                pending.append(module)
    assert reached <= set(HOT)


GPU = """
import sys, torch
from torch import nn
taps = sys.modules["_normscope_agent.taps"].Taps
packing = sys.modules["_normscope_agent.agent"]

def strict(function):
    def guarded(*args, **kwargs):
        torch.cuda.set_sync_debug_mode("error")
        try:
            return function(*args, **kwargs)
        finally:
            torch.cuda.set_sync_debug_mode("default")
    return guarded

taps._measure = strict(taps._measure)
taps._measure_gradient = strict(taps._measure_gradient)
packing.pack = strict(packing.pack)
model = nn.Sequential(nn.LayerNorm(64), nn.Linear(64, 64), nn.BatchNorm1d(64)).cuda()
optimizer = torch.optim.Adam(model.parameters())
for step in range(5):
    model(torch.randn(32, 64, device="cuda")).square().mean().backward()
    optimizer.step()
    optimizer.zero_grad()
"""


if torch.cuda.is_available():

    def test_nothing_waits_for_a_cuda_device_in_a_hook(train) -> None:
        outcome = train(GPU)
        assert outcome.returncode == 0, outcome.stderr
        assert outcome.run.bye["errors"] == 0
        assert len(outcome.run.steps) == 5
        assert outcome.run.counts(4, "2", "gradPre")["elements"] == 32 * 64
