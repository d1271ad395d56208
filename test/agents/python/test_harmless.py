"""Training with capture is the training without it, bit by bit."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest

MODELS = """
import gc, hashlib, torch
from torch import nn
torch.manual_seed(0)
torch.set_num_threads(1)
class TwoReads(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))
    def forward(self, x):
        return self.weight * (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6))
class TwoReadsRMSNorm(TwoReads):
    pass
class Block(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.norm, self.linear = norm(16), nn.Linear(16, 16)
    def forward(self, x):
        return x + torch.tanh(self.linear(self.norm(x)))
def model(norm):
    return nn.Sequential(nn.Linear(8, 16), Block(norm), Block(norm), nn.Linear(16, 1))
def digest(net):
    found = hashlib.sha256()
    for value in net.state_dict().values():
        found.update(value.detach().contiguous().numpy().tobytes())
    return found.hexdigest()
NORMS = {"rms": getattr(nn, "RMSNorm", TwoReadsRMSNorm), "two": TwoReadsRMSNorm,
         "layer": nn.LayerNorm, "batch": nn.BatchNorm1d}
"""

RESIDUAL = """
for name, norm in NORMS.items():
    net = model(norm)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    for _ in range(50):
        loss = net(torch.randn(32, 8)).square().mean()
        optimizer.zero_grad(); loss.backward(); optimizer.step()
    print(name, digest(net))
"""

PENALTY = """
for name, norm in NORMS.items():
    net = model(norm)
    optimizer = torch.optim.Adam(net.parameters())
    for _ in range(10):
        x = torch.randn(16, 8, requires_grad=True)
        y = net(x)
        (slope,) = torch.autograd.grad(y.sum(), x, create_graph=True)
        loss = y.square().mean() + (slope.norm(dim=1) - 1).square().mean()
        optimizer.zero_grad(); loss.backward(); optimizer.step()
    print(name, digest(net))
"""

IN_PLACE_FUNCTION = """
class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight):
        ctx.mark_dirty(x)
        ctx.save_for_backward(weight)
        return x.mul_(weight)
    @staticmethod
    def backward(ctx, gradient):
        return gradient * ctx.saved_tensors[0], None
class InPlaceNorm(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.full((16,), 1.3))
    def forward(self, x):
        return Scale.apply(x, self.weight)
class SameNorm(InPlaceNorm):
    def forward(self, x):
        return x
net = nn.Sequential(nn.Linear(8, 16), InPlaceNorm(), SameNorm(), nn.Linear(16, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
for _ in range(5):
    net(torch.randn(32, 8)).square().mean().backward()
    optimizer.step()
print(digest(net))
"""

FUNCTION_MODE = """
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode
class Noise(TorchFunctionMode):
    def __torch_function__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        if getattr(function, "__name__", "") in ("sum", "sub", "mul", "linear", "layer_norm"):
            return result + torch.randn_like(result) * 1e-3
        return result
class Count(TorchDispatchMode):
    calls = 0
    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        Count.calls += 1
        return function(*args, **(kwargs or {}))
for mode in (Noise, Count):
    net = model(nn.LayerNorm)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
    with mode():
        for _ in range(3):
            net(torch.randn(32, 8)).square().mean().backward()
            optimizer.step()
    print(digest(net), Count.calls)
"""

GRADIENT = """
import numpy
net = model(NORMS[name])
def keep(module, args, output):
    output.retain_grad()
    module.seen = (args[0].detach().double(), output)
norms = [net[1].norm, net[2].norm]
for norm in norms:
    norm.register_forward_hook(keep)
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
net(torch.randn(32, 8)).square().mean().backward()
eps = 1e-6 if name == "two" else torch.finfo(torch.float32).eps
saved = {}
for index, norm in enumerate(norms):
    x, y = norm.seen
    x.requires_grad_()
    wide = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps) * norm.weight.detach().double()
    saved[str(index)] = torch.autograd.grad(wide, x, y.grad.double())[0].numpy()
optimizer.step()
numpy.savez("saved.npz", **saved)
"""


@pytest.mark.parametrize("training", [RESIDUAL, PENALTY, IN_PLACE_FUNCTION, FUNCTION_MODE],
                         ids=["residual", "penalty", "in place", "modes"])  # fmt: skip
def test_weights_are_bit_identical_to_those_without_capture(train, training) -> None:
    outcome = train(MODELS + training)
    assert outcome.returncode == 0, outcome.stderr
    plain = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(MODELS + training)],
        env={key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
        | {"OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert plain.returncode == 0, plain.stderr
    assert outcome.stdout == plain.stdout and outcome.stdout
    assert outcome.run.bye["errors"] == 0
    if training in (RESIDUAL, PENALTY):
        assert all(outcome.run.counts(-1, layer["name"], "gradPost")["calls"] == 1
                   for layer in outcome.run.layers[-2:])  # fmt: skip


@pytest.mark.parametrize("name", ["rms", "two"])
def test_gradient_before_an_rms_norm_is_the_one_through_it_alone(train, tmp_path, name) -> None:
    outcome = train(MODELS + f"name = {name!r}" + GRADIENT)
    assert outcome.returncode == 0, outcome.stderr
    saved = np.load(tmp_path / "saved.npz")
    for index in range(2):
        wanted = saved[str(index)]
        got = outcome.run.tap(0, f"{index + 1}.norm", "gradPre")
        size = np.abs(wanted).max()
        assert got["counts"][0] == 1
        np.testing.assert_allclose(got["featureMean"], wanted.mean(0), 1e-4, 1e-6 * size)
        np.testing.assert_allclose(got["featureVariance"], wanted.var(0), rtol=1e-4)


def test_graphs_are_let_go_of(train) -> None:
    outcome = train(
        MODELS
        + """
gc.disable()
net = model(NORMS["rms"])
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
def tensors():
    return sum(issubclass(type(one), torch.Tensor) for one in gc.get_objects())
for step in range(201):
    optimizer.zero_grad()
    net(torch.randn(32, 8)).square().mean().backward()
    if step % 2:
        net(torch.randn(32, 8))
    optimizer.step()
    if step == 20:
        early = tensors()
print(tensors() - early)
"""
    )
    assert outcome.returncode == 0, outcome.stderr
    assert int(outcome.stdout) <= 60, "tensors of past steps are alive"
