"""Numbers at the four taps of real layers in real training scripts."""

from __future__ import annotations

import json

import numpy as np
from conftest import VECTORS
from reading import TAPS, assert_statistics, reference_histogram

TINY = 1.2e-38

VECTOR_SCRIPT = f"""
import json, torch
from torch import nn
cases = json.load(open({str(VECTORS / "norms.json")!r}))["cases"]
def build(case):
    shape = case["shape"]
    kind, eps = case["kind"], case["eps"]
    if kind == "batch_norm" and case["layout"] != "BSE":
        cls = {{"NC": nn.BatchNorm1d, "NCL": nn.BatchNorm1d, "NCHW": nn.BatchNorm2d}}
        return cls[case["layout"]](shape[1], eps=eps)
    if kind == "layer_norm":
        return nn.LayerNorm(shape[-1], eps=eps)
    if kind == "rms_norm" and hasattr(nn, "RMSNorm"):
        return nn.RMSNorm(shape[-1], eps=eps)
    if kind == "group_norm":
        return nn.GroupNorm(case["groups"], shape[1], eps=eps)
    if kind == "instance_norm":
        return nn.InstanceNorm2d(shape[1], eps=eps, affine=True)
layers, chosen = nn.ModuleDict(), []
for index, case in enumerate(cases):
    layer = build(case)
    if layer is not None:
        layer.double()
        with torch.no_grad():
            for name, ours in (("gamma", "weight"), ("beta", "bias")):
                value = case["params"].get(name)
                if value is not None and getattr(layer, ours, None) is not None:
                    getattr(layer, ours).copy_(torch.tensor(value, dtype=torch.float64))
        layers["case%d" % index] = layer
        chosen.append(index)
optimizer = torch.optim.SGD(layers.parameters(), lr=0.0)
total = 0
for index in chosen:
    case = cases[index]
    x = torch.tensor(case["x"], dtype=torch.float64).reshape(case["shape"]).requires_grad_()
    y = layers["case%d" % index](x)
    total = total + (y * torch.tensor(case["g"], dtype=torch.float64).reshape(case["shape"])).sum()
total.backward()
optimizer.step()
print(json.dumps(chosen))
"""


def test_all_taps_equal_the_shared_vectors(train, vectors) -> None:
    outcome = train(VECTOR_SCRIPT)
    assert outcome.returncode == 0, outcome.stderr
    cases = vectors("norms.json")["cases"]
    chosen = json.loads(outcome.stdout)
    families = set()
    for index in chosen:
        case = cases[index]
        name = f"case{index}"
        layer = outcome.run.layer(name)
        families.add(layer["family"])
        for tap, key in zip(TAPS, ("x", "y", "g", "dx")):
            array = np.array(case[key]).reshape(case["shape"])
            got = outcome.run.tap(0, name, tap)
            assert_statistics(got, array, tuple(layer["featureAxes"]), 2.3e-308)
            assert outcome.run.histogram(0, name, tap) == reference_histogram(array), (name, tap)
        assert layer["eps"] == case["eps"]
        assert layer["dtype"] == "float64"
    assert families == {"batch", "layer", "rms", "group", "instance"}
    assert outcome.run.bye["errors"] == 0


RESIDUAL = """
import sys, torch, numpy
from torch import nn
torch.manual_seed(3)
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(8)
        self.linear = nn.Linear(8, 8)
    def forward(self, x):
        self.x = x
        y = self.norm(x)
        self.y = y
        y.retain_grad()
        return x + self.linear(y)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.start = nn.Linear(8, 8)
        self.blocks = nn.ModuleList(Block() for _ in range(3))
    def forward(self, x):
        x = self.start(x)
        for block in self.blocks:
            x = block(x)
        return x
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
saved = {}
for step in range(3):
    gamma = [b.norm.weight.detach().clone() for b in net.blocks]
    loss = net(torch.randn(4, 20, 8)).square().mean()
    optimizer.zero_grad(); loss.backward(); optimizer.step()
    saved[f"loss{step}"] = loss.detach().numpy()
    for i, b in enumerate(net.blocks):
        g = b.y.grad
        x = b.x.detach().double().requires_grad_()
        centred = x - x.mean(-1, keepdim=True)
        plain = centred / (centred.square().mean(-1, keepdim=True) + 1e-5).sqrt()
        (dx,) = torch.autograd.grad(plain * gamma[i].double(), x, g.double())
        for key, value in (("pre", b.x), ("post", b.y), ("gradPost", g), ("gradPre", dx)):
            saved[f"{key}{step}{i}"] = value.detach().numpy().copy()
numpy.savez("saved.npz", **saved)
"""


def test_gradient_before_a_layer_is_the_one_through_it_despite_a_residual(train, tmp_path) -> None:
    outcome = train(RESIDUAL)
    assert outcome.returncode == 0, outcome.stderr
    saved = np.load(tmp_path / "saved.npz")
    run = outcome.run
    assert [layer["name"] for layer in run.layers] == [f"blocks.{i}.norm" for i in range(3)]
    for step in range(3):
        assert abs(run.steps[step].body["loss"] / saved[f"loss{step}"] - 1) < 1e-6
        for i in range(3):
            for tap in TAPS[:3]:
                got = run.tap(step, f"blocks.{i}.norm", tap)
                assert_statistics(got, saved[f"{tap}{step}{i}"], (2,), TINY)
            # Float32 gradients against float64 ones: absolute rounding of the layer's backward.
            got = run.tap(step, f"blocks.{i}.norm", "gradPre")
            dx = saved[f"gradPre{step}{i}"]
            size = np.abs(dx).max()
            np.testing.assert_allclose(
                got["featureMean"], dx.mean((0, 1)), rtol=1e-4, atol=1e-6 * size
            )
            np.testing.assert_allclose(got["featureVariance"], dx.var((0, 1)), rtol=1e-4)
            np.testing.assert_allclose(got["sampleVariance"], dx.var((1, 2)), rtol=1e-4)
            # The layer-norm theorem: the gradient through a LayerNorm sums to zero in each row.
            assert np.abs(got["sampleMean"]).max() < 1e-6 * size


def test_first_layer_without_input_gradient_has_no_gradient_before_it(train) -> None:
    outcome = train("""
        import torch
        from torch import nn
        net = nn.Sequential(nn.BatchNorm1d(4), nn.Linear(4, 1))
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        for _ in range(2):
            net(torch.randn(8, 4)).sum().backward()
            optimizer.step()
    """)
    run = outcome.run
    assert run.counts(1, "0", "gradPost")["calls"] == 1
    assert run.tap(1, "0", "gradPre") == {}


def test_gradients_asked_for_outside_backward_are_left_out(train) -> None:
    run = train("""
        import torch
        from torch import nn
        net = nn.Sequential(nn.Linear(4, 4), nn.LayerNorm(4), nn.Linear(4, 1))
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        x = torch.randn(8, 4, requires_grad=True)
        out = net(x).sum()
        (penalty,) = torch.autograd.grad(out, x, create_graph=True)
        (out + penalty.square().sum()).backward()
        optimizer.step()
    """).run
    assert run.counts(0, "1", "gradPost")["calls"] == 1


def test_nan_in_training_is_counted_at_the_taps(train) -> None:
    run = train("""
        import torch
        from torch import nn
        net = nn.Sequential(nn.Linear(4, 4), nn.LayerNorm(4))
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        x = torch.ones(3, 4); x[1] = float("nan")
        net(x).sum().backward()
        optimizer.step()
    """).run
    assert run.counts(0, "1", "pre")["nan"] == 4
    assert np.isfinite(run.tap(0, "1", "pre")["featureMean"]).all()
    assert run.steps[0].body["loss"] is None


def test_large_batches_are_binned_in_part_and_counted_in_full(train) -> None:
    run = train("""
        import torch
        from torch import nn
        net = nn.Sequential(nn.Linear(64, 64), nn.LayerNorm(64))
        optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
        for step in range(3):
            net(torch.randn(32, 128, 64)).square().mean().backward()
            optimizer.step()
    """).run
    # The least prime from 262,144 / 16,384 on that divides no axis.
    assert [step.body["histogramStride"] for step in run.steps] == [17, 17, 17]
    assert run.counts(2, "1", "pre")["elements"] == 32 * 128 * 64
    for step in range(3):
        rows = len(range(step, 32 * 128, 17))
        assert sum(run.histogram(step, "1", "post").values()) == rows * 64


def test_a_small_layer_beside_a_large_one_is_binned_whole(train) -> None:
    run = train("""
        import torch
        from torch import nn
        net = nn.Sequential(nn.BatchNorm2d(16), nn.Flatten(2), nn.AdaptiveAvgPool1d(4),
                            nn.Flatten(1), nn.LayerNorm(64))
        optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
        for size in (40, 40, 8):
            net(torch.randn(32, 16, size, size)).square().mean().backward()
            optimizer.step()
    """).run
    assert [step.body["histogramStride"] for step in run.steps] == [53, 53, 1]
    for step in range(3):
        assert sum(run.histogram(step, "4", "pre").values()) == 32 * 64
    elements = 32 * 16 * 40 * 40
    assert sum(run.histogram(1, "0", "pre").values()) == len(range(1, elements, 53))
    assert sum(run.histogram(2, "0", "pre").values()) == 32 * 16 * 8 * 8


def test_growing_batches_grow_the_slot_without_a_layout_each_time(train) -> None:
    run = train("""
        import torch
        from torch import nn
        net = nn.Sequential(nn.Linear(4, 4), nn.LayerNorm(4))
        optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
        for size in [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 2]:
            net(torch.randn(size, 4)).sum().backward()
            optimizer.step()
    """).run
    assert len(run.layouts) == 4
    got = run.tap(14, "1", "pre")
    assert got["counts"][2] == 2
    assert np.isfinite(got["sampleMean"][:2]).all() and np.isnan(got["sampleMean"][2:]).all()
