"""Passes of every mode: what is captured of them, and what the status says."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from reading import TAPS, assert_statistics, reference_histogram

TINY = 1.2e-38


def codes(layer: dict) -> list[str]:
    return [status["code"] for status in layer["status"]]


MICRO = """
import torch, numpy
from torch import nn
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 6), nn.LayerNorm(6), nn.Linear(6, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
saved = {}
net[1].register_forward_hook(lambda m, a, y: inputs.append(a[0].detach().numpy().copy()))
for step, sizes in enumerate([[5, 3, 2], [4]]):
    inputs, losses = [], []
    for size in sizes:
        loss = net(torch.randn(size, 4)).square().mean()
        loss.backward()
        losses.append(loss.item())
    optimizer.step(); optimizer.zero_grad()
    saved[f"x{step}"] = numpy.concatenate(inputs)
    saved[f"loss{step}"] = numpy.mean(losses)
numpy.savez("saved.npz", **saved)
"""


def test_micro_batches_are_merged_into_one_step(train, tmp_path) -> None:
    run = train(MICRO).run
    saved = np.load(tmp_path / "saved.npz")
    assert [step.body["microBatches"] for step in run.steps] == [3, 1]
    assert [step.body["step"] for step in run.steps] == [0, 1]
    for step, calls in enumerate([3, 1]):
        x = saved[f"x{step}"]
        got = run.tap(step, "1", "pre")
        assert got["counts"][0] == calls
        got["counts"] = got["counts"].copy()
        got["counts"][0] = 1
        assert_statistics(got, x, (1,), TINY)
        assert run.histogram(step, "1", "pre") == reference_histogram(x)
        assert abs(run.steps[step].body["loss"] / saved[f"loss{step}"] - 1) < 1e-6
    assert [s["code"] for s in run.layer("1")["status"]] == ["accumulated"]


def test_checkpointed_layers_are_counted_once_in_both_kinds(train) -> None:
    run = train("""
        import torch
        from torch import nn
        from torch.utils.checkpoint import checkpoint
        torch.manual_seed(0)
        net = nn.ModuleDict({k: nn.Sequential(nn.Linear(4, 4), nn.LayerNorm(4), nn.Linear(4, 4))
                             for k in ("plain", "modern", "reentrant")})
        for k in ("modern", "reentrant"):
            net[k].load_state_dict(net["plain"].state_dict())
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        for step in range(2):
            x = torch.randn(8, 4, requires_grad=True)
            loss = net["plain"](x).square().mean()
            loss = loss + checkpoint(net["modern"], x, use_reentrant=False).square().mean()
            loss = loss + checkpoint(net["reentrant"], x, use_reentrant=True).square().mean()
            optimizer.zero_grad(); loss.backward(); optimizer.step()
    """).run
    assert [step.body["microBatches"] for step in run.steps] == [1, 1]
    for step in range(2):
        for tap in TAPS:
            plain = run.tap(step, "plain.1", tap)
            for kind in ("modern", "reentrant"):
                for statistic, values in run.tap(step, f"{kind}.1", tap).items():
                    np.testing.assert_allclose(values, plain[statistic], rtol=1e-5, atol=1e-9)
    for kind in ("modern", "reentrant"):
        assert [s["code"] for s in run.layer(f"{kind}.1")["status"]] == ["recomputed"]
    assert run.layer("plain.1")["status"] == []


def test_evaluation_passes_are_not_mixed_in(train) -> None:
    run = train("""
        import torch
        from torch import nn
        net = nn.Sequential(nn.BatchNorm1d(4), nn.Linear(4, 4), nn.LayerNorm(4))
        frozen = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4)).eval()
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        for step in range(2):
            net(frozen(torch.randn(8, 4))).sum().backward()
            with torch.no_grad():
                net(torch.full((64, 4), 100.0))
            net.eval(); net(torch.full((64, 4), 100.0)); net.train()
            optimizer.step()
    """).run
    for step in range(2):
        assert run.counts(step, "0", "pre")["samples"] == 8
        assert run.tap(step, "0", "pre")["featureMax"].max() < 100
    assert run.layer("0")["status"] == []
    frozen = run.layer("1")
    assert [s["code"] for s in frozen["status"]] == ["eval"]
    assert "eval mode" in frozen["status"][0]["reason"]
    assert run.tap(1, "1", "pre") == {}


def test_half_precision_and_autocast(train) -> None:
    outcome = train("""
        import torch
        from torch import nn
        net = nn.Sequential(nn.Linear(8, 8), nn.LayerNorm(8), nn.Linear(8, 8), nn.LayerNorm(8))
        optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
        for step in range(2):
            with torch.autocast("cpu", dtype=torch.bfloat16):
                loss = net(torch.randn(4, 5, 8)).float().square().mean()
            optimizer.zero_grad(); loss.backward(); optimizer.step()
    """)
    run = outcome.run
    assert run.layer("1")["dtype"] == "bfloat16"
    for name in ("1", "3"):
        for tap in TAPS:
            assert run.counts(1, name, tap)["calls"] == 1
            assert np.isfinite(run.tap(1, name, tap)["featureVariance"]).all()
    assert run.bye["errors"] == 0


HEAD = """
import torch
from torch import nn
torch.manual_seed(0)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear, self.bn, self.ln = nn.Linear(4, 6), nn.BatchNorm1d(6), nn.LayerNorm(6)
        self.head = nn.Linear(6, 1)
    def forward(self, x):
        return self.head(self.ln(self.bn(self.linear(x))))
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
def step(x):
    optimizer.zero_grad(); net(x).square().mean().backward(); optimizer.step()
"""


def test_a_plain_training_pass_has_no_status(train) -> None:
    run = train(HEAD + "step(torch.randn(8, 4)); step(torch.randn(8, 4))").run
    assert [codes(layer) for layer in run.layers] == [[], []]


@pytest.mark.parametrize(
    ("context", "word"),
    [("torch.no_grad()", "gradients off"), ("torch.inference_mode()", "gradients off")],
)
def test_passes_without_gradients_are_kept_apart(train, context, word) -> None:
    run = train(
        HEAD
        + f"""
with {context}:
    net(torch.full((64, 4), 100.0))
other = nn.Sequential(nn.LayerNorm(4))
with {context}:
    other(torch.randn(8, 4))
for _ in range(2):
    step(torch.randn(8, 4))
    with {context}:
        net(torch.full((64, 4), 100.0))
"""
    ).run
    assert run.counts(1, "bn", "pre")["samples"] == 8
    assert run.tap(1, "bn", "pre")["featureMax"].max() < 50
    assert codes(run.layer("bn")) == []
    (status,) = run.layer("0")["status"]
    assert status["code"] == "eval" and word in status["reason"]
    assert run.tap(1, "0", "pre") == {}


def test_a_batch_norm_in_eval_mode_inside_a_model_that_trains_is_captured_and_said(train) -> None:
    run = train(
        HEAD
        + """
net.bn.eval()
for _ in range(3):
    step(torch.randn(8, 4))
net.bn.train()
net.eval()
net(torch.randn(64, 4)).sum().backward()
net.train(); net.bn.eval()
step(torch.randn(8, 4))
"""
    ).run
    assert codes(run.layer("bn")) == ["eval", "accumulated"]
    assert "running statistics" in run.layer("bn")["status"][0]["reason"]
    assert codes(run.layer("ln")) == ["accumulated"]
    for step, samples in enumerate([8, 8, 8, 8]):
        for tap in TAPS:
            assert run.counts(step, "bn", tap)["samples"] == samples


def test_statistics_that_are_given_are_said_however_they_are_kept(train) -> None:
    run = train("""
import torch
import torch.nn.functional as F
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.averaging = nn.BatchNorm1d(4, momentum=None)
        self.untracked = nn.BatchNorm1d(4, track_running_stats=False)
        self.linear = nn.Linear(4, 4)
    def forward(self, x):
        x = self.untracked(self.averaging(self.linear(x)))
        return F.batch_norm(x, torch.zeros(4), torch.ones(4), training=False)
net = Net()
net.averaging.eval(); net.untracked.eval()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    net(torch.randn(8, 4)).square().sum().backward()
    optimizer.step()
""").run
    assert "eval" in codes(run.layer("averaging"))
    assert "eval" not in codes(run.layer("untracked"))
    [function] = [layer for layer in run.layers if layer["className"] == "F.batch_norm"]
    assert "eval" in codes(function)


def test_an_eval_part_of_a_model_whose_forward_was_replaced_trains_with_it(train) -> None:
    run = train(
        HEAD
        + """
net.forward = (lambda forward: lambda *a: forward(*a))(net.forward)
class Part(nn.Module):
    def __init__(self, bn):
        super().__init__()
        self.bn = bn
    def forward(self, x):
        return self.bn(x)
net.bn = Part(net.bn)
net.bn.eval()
step(torch.randn(8, 4))
"""
    ).run
    assert run.counts(0, "bn.bn", "pre")["calls"] == 1
    assert codes(run.layer("bn.bn")) == ["eval"]


def test_an_activation_within_a_norm_is_said(train) -> None:
    run = train("""
import torch
from torch import nn
class BatchNormAct1d(nn.BatchNorm1d):
    def __init__(self, features, act):
        super().__init__(features)
        self.act = act
    def forward(self, x):
        return self.act(super().forward(x))
net = nn.Sequential(nn.Linear(4, 4), BatchNormAct1d(4, nn.ReLU()), nn.Linear(4, 4),
                    BatchNormAct1d(4, nn.Identity()))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
net(torch.randn(8, 4)).square().sum().backward()
optimizer.step()
""").run
    assert codes(run.layer("1")) == ["fused"]
    assert codes(run.layer("3")) == []


def test_a_layer_put_back_into_training_mode_loses_its_status(train) -> None:
    run = train(
        HEAD
        + """
net.bn.eval(); step(torch.randn(8, 4)); step(torch.randn(8, 4))
net.bn.train(); step(torch.randn(8, 4))
"""
    ).run
    assert "eval" in [s["code"] for s in run.layouts[0]["layers"][0]["status"]]
    assert codes(run.layer("bn")) == []


def test_layers_made_after_training_began_are_captured(train) -> None:
    run = train(
        HEAD
        + """
step(torch.randn(8, 4))
net.ln = nn.Sequential(nn.LayerNorm(6), nn.BatchNorm1d(6))
step(torch.randn(8, 4))
"""
    ).run
    assert [layer["name"] for layer in run.layers] == ["bn", "ln.0", "ln.1"]
    assert run.counts(1, "ln.1", "gradPre")["calls"] == 1


SCALER = hasattr(getattr(torch, "amp", None), "GradScaler")


@pytest.mark.skipif(not SCALER, reason="no scaler for host memory")
def test_a_gradient_scaler_is_said(train) -> None:
    run = train(
        HEAD
        + """
scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
for _ in range(2):
    optimizer.zero_grad()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = net(torch.randn(8, 4)).float().square().mean()
    scaler.scale(loss).backward(); scaler.step(optimizer); scaler.update()
"""
    ).run
    for name in ("bn", "ln"):
        (status,) = run.layer(name)["status"]
        assert status["code"] == "scaled" and "1024" in status["reason"]


def test_a_compiled_part_is_said_and_the_rest_captured(train) -> None:
    if not hasattr(torch, "compile"):
        pytest.skip("no compiler in this PyTorch")
    outcome = train(
        HEAD
        + """
net.ln.compile(backend="eager") if hasattr(net.ln, "compile") else None
part = torch.compile(net.bn, backend="eager")
net.bn = part
for _ in range(3):
    step(torch.randn(8, 4))
"""
    )
    assert outcome.returncode == 0, outcome.stderr
    run = outcome.run
    assert run.bye["errors"] == 0
    for layer in run.layers:
        fired = run.tap(2, layer["name"], "pre") != {}
        assert fired != ("compiled" in codes(layer)), layer["name"]


def test_a_layer_that_is_compiled_after_it_was_captured_is_said(train) -> None:
    if not hasattr(torch.nn.Module, "compile"):
        pytest.skip("modules can not be compiled in place in this PyTorch")
    outcome = train(
        HEAD
        + """
for _ in range(2):
    step(torch.randn(8, 4))
net.compile(backend="eager")
for _ in range(5):
    step(torch.randn(8, 4))
"""
    )
    assert outcome.returncode == 0, outcome.stderr
    run = outcome.run
    calls = [run.counts(step, "ln", "pre")["calls"] for step in (1, 6)]
    assert calls == [1, 0]
    for layer in run.layers:
        (status,) = layer["status"]
        assert status["code"] == "compiled" and "was captured until" in status["reason"]


@pytest.mark.parametrize(
    "elsewhere", ["", "torch.compile(torch.sin, backend='eager')(net.bn.bias)"]
)
def test_a_layer_that_is_called_no_more_is_not_said_to_be_compiled(train, elsewhere) -> None:
    if elsewhere and not hasattr(torch, "compile"):
        pytest.skip("no compiler in this PyTorch")
    run = train(
        HEAD
        + f"""
step(torch.randn(8, 4))
net.spare, net.ln = net.ln, nn.Identity()
{elsewhere}
for _ in range(5):
    step(torch.randn(8, 4))
"""
    ).run
    assert run.counts(5, "spare", "pre")["calls"] == 0
    assert [codes(layer) for layer in run.layers] == [[], []]
