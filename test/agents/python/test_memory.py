"""The agent keeps nothing of the steps that are over."""

from __future__ import annotations

import json
import sys

import pytest

TRAINING = """
import json, torch
from torch import nn

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096

model = nn.Sequential(nn.LayerNorm(4), nn.Linear(4, 4), nn.BatchNorm1d(4))
optimizer = torch.optim.SGD(model.parameters(), 0.001)
x = torch.randn(4, 4)
sizes = []
for step in range(10001):
    optimizer.zero_grad()
    model(x).square().sum().backward()
    optimizer.step()
    if step % 2000 == 0:
        sizes.append(resident())
print(json.dumps(sizes))
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_resident_memory_is_flat_over_ten_thousand_steps(train) -> None:
    outcome = train(TRAINING)
    sizes = json.loads(outcome.stdout)
    assert outcome.run.bye["steps"] == 10_001
    assert outcome.run.bye["sent"] + outcome.run.bye["dropped"] > 5_000
    grown = [(size - sizes[1]) / 2**20 for size in sizes[2:]]
    assert max(grown) < 8, f"MiB grown since step 2,000: {grown}"
