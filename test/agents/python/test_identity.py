"""Training with capture on is the same, bit for bit, as without."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from conftest import environment

CNN = """
net = nn.Sequential(nn.Conv2d(1, 6, 3, bias=False), nn.BatchNorm2d(6), nn.ReLU(inplace=True),
                    nn.Conv2d(6, 8, 3), nn.GroupNorm(2, 8), nn.ReLU(), nn.Dropout(0.2),
                    nn.Flatten(), nn.LazyLinear(5))
net(torch.randn(2, 1, 8, 8))
def batch(): return torch.randn(8, 1, 8, 8)
def loss_of(y): return F.cross_entropy(y, torch.randint(5, (8,)))
"""

TRANSFORMER = """
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(16), nn.LayerNorm(16)
        self.attention = nn.MultiheadAttention(16, 2, dropout=0.1, batch_first=True)
        self.mlp = nn.Sequential(nn.Linear(16, 32), nn.GELU(), nn.Dropout(0.1), nn.Linear(32, 16))
    def forward(self, x):
        y = self.norm1(x)
        x = x + self.attention(y, y, y, need_weights=False)[0]
        return x + self.mlp(self.norm2(x))
net = nn.Sequential(Block(), Block(), nn.LayerNorm(16), nn.Linear(16, 4))
def batch(): return torch.randn(4, 6, 16)
def loss_of(y): return y.square().mean() + y.mean()
"""

LOOP = """
import hashlib, torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(11)
{model}
optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3)
for step in range(200):
    loss = loss_of(net(batch()))
    optimizer.zero_grad(); loss.backward(); optimizer.step()
digest = hashlib.sha256()
for name, value in sorted(net.state_dict().items()):
    digest.update(value.numpy().tobytes())
digest.update(torch.get_rng_state().numpy().tobytes())
print(digest.hexdigest(), loss.item())
"""


@pytest.mark.parametrize("model", [CNN, TRANSFORMER], ids=["cnn", "transformer"])
def test_weights_and_random_state_after_200_steps(model, train, make_collector, tmp_path) -> None:
    source = LOOP.format(model=model)
    captured = train(source)
    assert captured.returncode == 0, captured.stderr
    assert captured.run.bye["errors"] == 0
    assert captured.run.bye["sent"] + captured.run.bye["dropped"] == 200
    plain_environment = environment(make_collector())
    for name in ("PYTHONPATH", "NORMSCOPE_ADDRESS", "NORMSCOPE_TOKEN"):
        plain_environment.pop(name)
    plain = subprocess.run([sys.executable, os.fspath(tmp_path / "script.py")], text=True,
                           env=plain_environment, capture_output=True, timeout=600)  # fmt: skip
    assert plain.stdout == captured.stdout
