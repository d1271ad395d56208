"""Modules that a model calls several times in a pass: told apart by the order of their calls."""

from __future__ import annotations

import numpy as np
from reading import TAPS, assert_statistics

TINY = 1.2e-38

HEAD = """
import numpy, torch
from torch import nn
from torch.utils.checkpoint import checkpoint
torch.manual_seed(0)
class Shared(nn.Module):
    def __init__(self, times=3):
        super().__init__()
        self.norm, self.linear, self.times = nn.LayerNorm(4), nn.Linear(4, 4), times
        self.seen = []
    def forward(self, x):
        for _ in range(self.times):
            x = self.linear(x)
            y = self.norm(x)
            if y.requires_grad:
                y.retain_grad()
                self.seen.append((x.detach(), y))
            x = torch.tanh(y)
        return x
net = Shared()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
def step(*batches):
    optimizer.zero_grad()
    for x in batches:
        net(x).square().sum().backward()
    optimizer.step()
"""


def codes(layer: dict) -> list[str]:
    return [status["code"] for status in layer["status"]]


def test_each_call_of_a_pass_is_a_layer_with_its_own_numbers(train, tmp_path) -> None:
    outcome = train(
        HEAD
        + """
step(torch.randn(8, 4)); net.seen.clear(); step(torch.randn(8, 4))
numpy.savez("saved.npz", **{f"{tap}{i}": value.detach().numpy() for i, (x, y) in
                            enumerate(net.seen) for tap, value in
                            (("pre", x), ("post", y), ("gradPost", y.grad))})
"""
    )
    assert outcome.returncode == 0, outcome.stderr
    run = outcome.run
    names = ["norm", "norm (call 2)", "norm (call 3)"]
    assert [layer["name"] for layer in run.layers] == names
    assert [layer["call"] for layer in run.layers] == [0, 1, 2]
    assert len({layer["id"] for layer in run.layers}) == 3
    saved = np.load(tmp_path / "saved.npz")
    for index, name in enumerate(names):
        assert codes(run.layer(name)) == ["shared"]
        assert run.layer(name)["className"] == "LayerNorm"
        for tap in TAPS:
            assert run.counts(1, name, tap)["calls"] == 1
        for tap in TAPS[:3]:
            assert_statistics(run.tap(1, name, tap), saved[f"{tap}{index}"], (1,), TINY)
    assert run.bye["errors"] == 0
    assert len(run.layouts) == 1


def test_passes_are_not_mixed_up(train) -> None:
    """Accumulated, evaluated and twin passes: a call keeps its number in each."""
    run = train(
        HEAD
        + """
for _ in range(2):
    step(torch.randn(8, 4), torch.randn(3, 4))
    with torch.no_grad():
        net(torch.randn(64, 4))
    optimizer.zero_grad()
    (net(torch.randn(8, 4)) - net(torch.randn(8, 4))).square().sum().backward()
    optimizer.step()
"""
    ).run
    names = ["norm", "norm (call 2)", "norm (call 3)"]
    assert [layer["name"] for layer in run.layers] == names
    for name in names:
        for tap in TAPS:
            assert run.counts(2, name, tap)["calls"] == 2
            assert run.counts(2, name, tap)["samples"] == 11
            assert run.counts(3, name, tap)["samples"] == 16
        assert sorted(codes(run.layer(name))) == ["accumulated", "shared"]


def test_norms_without_a_model_around_them_are_counted_up_to_the_backward_pass(train) -> None:
    run = train(
        HEAD
        + """
def run(x):
    return net.norm(torch.tanh(net.norm(net.linear(x))))
for _ in range(3):
    run(torch.randn(8, 4)).square().sum().backward(); optimizer.step()
"""
    ).run
    assert [layer["call"] for layer in run.layers] == [0, 1]
    assert run.counts(2, "norm (call 2)", "gradPost")["calls"] == 1


def test_a_module_called_in_a_long_loop_is_one_layer_again(train) -> None:
    outcome = train(
        HEAD
        + """
net.times = 12
for _ in range(3):
    step(torch.randn(8, 4), torch.randn(8, 4))
"""
    )
    assert outcome.returncode == 0, outcome.stderr
    run = outcome.run
    (layer,) = run.layers
    assert (layer["name"], layer["call"]) == ("norm", 0)
    assert "shared" in codes(layer)
    for step in range(3):
        for tap in TAPS:
            assert run.counts(step, "norm", tap)["calls"] == 24, (step, tap)
            assert run.counts(step, "norm", tap)["elements"] == 24 * 32
    assert len(run.layouts) == 1
    assert run.bye["errors"] == 0


def test_recomputed_calls_are_not_counted_twice(train) -> None:
    for reentrant in (False, True):
        outcome = train(
            HEAD
            + f"""
for _ in range(2):
    x = torch.randn(8, 4, requires_grad=True)
    optimizer.zero_grad()
    checkpoint(net, x, use_reentrant={reentrant}).square().sum().backward()
    optimizer.step()
""",
            name=f"reentrant{reentrant}.py",
        )
        assert outcome.returncode == 0, outcome.stderr
        run = outcome.run
        assert all("recomputed" in codes(layer) for layer in run.layers)
        for tap in TAPS:
            counts = [run.counts(1, layer["name"], tap)["calls"] for layer in run.layers]
            assert sum(counts) == 3, (reentrant, tap)
            # In the other kind the pieces come in the order of the backward pass.
            assert len(counts) == (1 if reentrant else 3)


def test_a_functional_call_in_a_loop_is_told_apart_likewise(train) -> None:
    run = train("""
        import torch
        import torch.nn.functional as F
        from torch import nn
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.linear = nn.Linear(4, 4)
            def forward(self, x):
                for _ in range(2):
                    x = F.layer_norm(self.linear(x), (4,))
                return x
        net = Net()
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        for _ in range(2):
            net(torch.randn(8, 4)).pow(3).sum().backward(); optimizer.step()
    """).run
    assert [layer["name"] for layer in run.layers] == ["F.layer_norm", "F.layer_norm (call 2)"]
    assert run.counts(1, "F.layer_norm (call 2)", "gradPre")["calls"] == 1
    assert codes(run.layers[1]) == ["functional", "shared"]


def test_calls_of_a_model_whose_forward_is_replaced_in_the_instance(train) -> None:
    run = train(
        HEAD
        + """
import functools
plain = net.forward
net.forward = functools.wraps(plain)(lambda *args: plain(*args))
for _ in range(2):
    step(torch.randn(8, 4))
"""
    ).run
    assert [layer["call"] for layer in run.layers] == [0, 1, 2]
    assert run.counts(1, "norm", "pre")["calls"] == 1
