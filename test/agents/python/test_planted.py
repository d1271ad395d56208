"""Exceptions planted in the agent's functions never reach the program, nor change its training."""

from __future__ import annotations

import json
import os
import subprocess
import sys

PROGRAM = """
import hashlib, inspect, json, sys, torch
import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(4, 4), nn.Linear(4, 4)
        self.bn, self.ln = nn.BatchNorm1d(4), nn.LayerNorm(4)
        self.drop = nn.Dropout(0.2)
    def forward(self, x, padding_mask=None):
        x = self.ln(self.bn(self.first(x)))
        x = self.drop(self.ln(x) + F.layer_norm(x, (4,)))
        return checkpoint(lambda h: self.ln(self.second(h)), x, use_reentrant=False)
def train(steps):
    torch.manual_seed(0)
    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
    scaler = torch.amp.GradScaler("cpu") if hasattr(torch.amp, "GradScaler") else None
    for step in range(steps):
        optimizer.zero_grad()
        loss = net(torch.randn(6, 4), torch.zeros(2, 3, dtype=torch.bool)).square().mean()
        if scaler is None:
            loss.backward(); optimizer.step()
        else:
            scaler.scale(loss).backward(); scaler.step(optimizer); scaler.update()
    digest = hashlib.sha256()
    for value in net.state_dict().values():
        digest.update(value.numpy().tobytes())
    digest.update(torch.get_rng_state().numpy().tobytes())
    return digest.hexdigest()
"""

PLANTING = """
import types
# The boundaries themselves, which the program calls in place of PyTorch's own functions, are
# closures; everything that they call is replaced.
SKIPPED = {"bootstrap", "import_hook", "transport", "frames", "channels"}
reached = set()
class Planted(Exception):
    pass
def planted(name):
    def broken(*args, **kwargs):
        reached.add(name)
        raise Planted(name)
    return broken
def targets():
    for full, module in sorted(sys.modules.items()):
        if not full.startswith("_normscope_agent.") or full.split(".")[1] in SKIPPED:
            continue
        for name, value in sorted(vars(module).items()):
            if isinstance(value, types.FunctionType) and value.__module__ == full:
                # Where it is used, as imported by name.
                for user in [m for n, m in sorted(sys.modules.items())
                             if n.startswith("_normscope_agent.") and vars(m).get(name) is value]:
                    yield user, name, f"{user.__name__}.{name}"
            if isinstance(value, type) and value.__module__ == full:
                for method, function in sorted(vars(value).items()):
                    if isinstance(function, types.FunctionType) and not method.startswith("__"):
                        yield value, method, f"{full}.{name}.{method}"
import _normscope_agent.bootstrap as bootstrap
wanted = train(3)
wrong, count = [], 0
for holder, name, label in list(targets()):
    original = vars(holder)[name]
    setattr(holder, name, planted(label))
    count += 1
    try:
        if train(3) != wanted:
            wrong.append([label, "other weights"])
    except BaseException as error:
        wrong.append([label, repr(error)])
    finally:
        setattr(holder, name, original)
print(json.dumps({"digest": wanted, "wrong": wrong, "count": count, "reached": len(reached)}))
"""


def test_no_planted_exception_reaches_the_program(train, tmp_path) -> None:
    outcome = train(PROGRAM + PLANTING)
    assert outcome.returncode == 0, outcome.stderr
    found = json.loads(outcome.stdout)
    assert found["wrong"] == []
    assert found["count"] > 200
    assert found["reached"] > 80
    plain = subprocess.run(
        [sys.executable, "-c", PROGRAM + "print(train(3))"],
        env={k: v for k, v in os.environ.items() if k != "PYTHONPATH"} | {"OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert plain.stdout.strip() == found["digest"], plain.stderr
