"""Numbers at the four taps of real layers in real training scripts."""

from __future__ import annotations

import json

import numpy as np
import pytest
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
import torch.nn.functional as F
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
        (dx,) = torch.autograd.grad(
            F.layer_norm(x, (8,), gamma[i].double(), torch.zeros(8).double()), x, g.double())
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


IN_PLACE = """
import torch, numpy
from torch import nn
import torch.nn.functional as F
torch.manual_seed(1)
class Net(nn.Module):
    def __init__(self, inplace):
        super().__init__()
        self.conv = nn.Conv2d(2, 6, 3)
        self.bn = nn.BatchNorm2d(6)
        self.relu = nn.ReLU(inplace=inplace)
        self.gn = nn.GroupNorm(2, 6)
        self.last = inplace
    def forward(self, x):
        x = self.relu(self.bn(self.conv(x)))
        x = self.gn(x)
        return F.relu_(x) if self.last else F.relu(x)
nets = [Net(True), Net(False)]
nets[1].load_state_dict(nets[0].state_dict())
optimizer = torch.optim.SGD([p for n in nets for p in n.parameters()], lr=0.1)
x, w = torch.randn(4, 2, 9, 9), torch.randn(4, 6, 7, 7)
sum((net(x) * w).sum() for net in nets).backward()
for a, b in zip(nets[0].parameters(), nets[1].parameters()):
    assert torch.equal(a.grad, b.grad)
optimizer.step()
"""


def test_in_place_relu_behind_a_norm_neither_breaks_nor_spoils(train) -> None:
    outcome = train(IN_PLACE)
    assert outcome.returncode == 0, outcome.stderr
    run = outcome.run
    names = [layer["name"] for layer in run.layers]
    assert names == ["Net.bn", "Net.gn", "Net.bn[0]", "Net.gn[0]"]
    for first, second in (("Net.bn", "Net.bn[0]"), ("Net.gn", "Net.gn[0]")):
        for tap in TAPS:
            in_place, plain = run.tap(0, first, tap), run.tap(0, second, tap)
            assert in_place["counts"][0] == 1
            for statistic, values in plain.items():
                np.testing.assert_array_equal(in_place[statistic], values, err_msg=tap)
    assert run.tap(0, "Net.bn", "post")["featureMin"].min() < 0, "taken after the ReLU"


IN_PLACE_ON_VIEW = """
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(1)
class LayerNorm2d(nn.LayerNorm):
    def forward(self, x):
        return super().forward(x.permute(0, 2, 3, 1)).permute(0, 3, 1, 2)
class CroppingNorm(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))
    def forward(self, x):
        padded = F.pad(x, (1, 2)) * self.weight.view(-1, 1, 1)
        return padded[..., 1:-2]
class Net(nn.Module):
    def __init__(self, inplace):
        super().__init__()
        self.conv = nn.Conv2d(2, 6, 3)
        self.ln, self.instance, self.crop = LayerNorm2d(6), nn.InstanceNorm2d(6), CroppingNorm(6)
        self.inplace = inplace
    def relu(self, x):
        return F.relu_(x) if self.inplace else F.relu(x)
    def forward(self, x):
        x = self.relu(self.ln(self.conv(x)))
        x = self.relu(self.instance(x.contiguous(memory_format=FORMAT)))
        return self.relu(self.crop(x))
nets = [Net(True), Net(False)]
nets[1].load_state_dict(nets[0].state_dict())
optimizer = torch.optim.SGD([p for n in nets for p in n.parameters()], lr=0.1)
x, w = torch.randn(4, 2, 9, 9), torch.randn(4, 6, 7, 7)
for step in range(2):
    optimizer.zero_grad()
    sum((net(x) * w).sum() for net in nets).backward()
    for a, b in zip(nets[0].parameters(), nets[1].parameters()):
        assert torch.equal(a.grad, b.grad)
    optimizer.step()
"""


@pytest.mark.parametrize("memory", ["contiguous_format", "channels_last"])
def test_in_place_relu_on_a_view_of_an_output_hides_no_gradient(train, memory) -> None:
    outcome = train(IN_PLACE_ON_VIEW.replace("FORMAT", f"torch.{memory}"))
    assert outcome.returncode == 0, outcome.stderr
    run = outcome.run
    for name in ("ln", "instance", "crop"):
        for tap in TAPS:
            in_place, plain = (run.tap(1, f"Net.{name}{end}", tap) for end in ("", "[0]"))
            assert in_place["counts"][0] == 1, (name, tap)
            for statistic, values in plain.items():
                np.testing.assert_allclose(
                    in_place[statistic], values, rtol=1e-5, atol=1e-7, err_msg=f"{name} {tap}"
                )
            assert run.histogram(1, f"Net.{name}", tap) == run.histogram(1, f"Net.{name}[0]", tap)
        assert run.layer(f"Net.{name}")["status"] == []
    assert run.bye["errors"] == 0


def test_a_norm_in_place_on_a_view_says_that_gradients_are_hidden(train) -> None:
    outcome = train("""
        import torch
        from torch import nn
        class InPlaceNorm(nn.Module):
            def __init__(self):
                super().__init__()
                self.weight = nn.Parameter(torch.ones(4))
            def forward(self, x):
                return x.mul_(self.weight)
        class View(nn.Module):
            def forward(self, x):
                return x.view(8, 4)
        net = nn.Sequential(
            nn.Sequential(nn.Linear(4, 4), View()), InPlaceNorm(), nn.ReLU(inplace=True),
            nn.Linear(4, 1)
        )
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        for _ in range(3):
            net(torch.randn(8, 4)).sum().backward()
            optimizer.step()
    """)
    assert outcome.returncode == 0, outcome.stderr
    run = outcome.run
    (status,) = run.layer("1")["status"]
    assert status["code"] == "unsupported" and "in place" in status["reason"]
    assert run.counts(2, "1", "post")["calls"] == 1
    assert len(run.layouts) == 1
    assert run.bye["errors"] == 0


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


def test_a_layer_called_twice_per_pass_is_merged_and_marked_shared(train) -> None:
    run = train("""
        import torch
        from torch import nn
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.norm = nn.LayerNorm(4)
                self.linear = nn.Linear(4, 4)
            def forward(self, x):
                return self.norm(self.linear(self.norm(self.linear(x))))
        net = Net()
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        net(torch.randn(8, 4)).square().sum().backward()
        optimizer.step()
    """).run
    assert run.counts(0, "norm", "pre")["calls"] == 2
    assert run.counts(0, "norm", "gradPre")["calls"] == 2
    assert run.counts(0, "norm", "pre")["elements"] == 64
    assert [s["code"] for s in run.layer("norm")["status"]] == ["shared"]


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


def test_unsupported_tensors_are_said_and_harm_nothing(train) -> None:
    outcome = train("""
        import torch
        from torch import nn
        class ComplexNorm(nn.Module):
            def __init__(self):
                super().__init__()
                self.weight = nn.Parameter(torch.ones(4))
            def forward(self, x):
                return x * self.weight
        class Tagged(torch.Tensor):
            pass
        net = nn.ModuleDict({"ln": nn.LayerNorm(4), "meta": nn.LayerNorm(4, device="meta"),
                             "complex": ComplexNorm(), "sub": nn.LayerNorm(4),
                             "empty": nn.LayerNorm(4)})
        optimizer = torch.optim.SGD([*net["ln"].parameters()], lr=0.1)
        net["ln"](torch.randn(8, 4)).sum().backward()
        net["meta"](torch.randn(8, 4, device="meta"))
        net["complex"](torch.randn(8, 4, dtype=torch.complex64))
        net["sub"](torch.randn(8, 4).as_subclass(Tagged))
        net["empty"](torch.empty(0, 4)).sum().backward()
        optimizer.step()
    """)
    assert outcome.returncode == 0, outcome.stderr
    run = outcome.run
    for name in ("meta", "sub"):
        assert [s["code"] for s in run.layer(name)["status"]] == ["unsupported"], name
    (told,) = run.connection.of_kind("event")
    assert told.body["event"] == "unsupported"
    assert told.body["message"].startswith("The layer meta is not captured: its input has no")
    assert run.counts(0, "ln", "pre")["calls"] == 1
    assert run.counts(0, "empty", "pre")["elements"] == 0
    assert np.isnan(run.tap(0, "empty", "pre")["featureMean"]).all()
    assert run.bye["errors"] == 0


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
    # The least prime from 262,144 / 32,768 on that divides no axis.
    assert [step.body["histogramStride"] for step in run.steps] == [11, 11, 11]
    assert run.counts(2, "1", "pre")["elements"] == 32 * 128 * 64
    for step in range(3):
        rows = len(range(step, 32 * 128, 11))
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
    assert [step.body["histogramStride"] for step in run.steps] == [29, 29, 1]
    for step in range(3):
        assert sum(run.histogram(step, "4", "pre").values()) == 32 * 64
    elements = 32 * 16 * 40 * 40
    assert sum(run.histogram(1, "0", "pre").values()) == len(range(1, elements, 29))
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


def test_odd_layers_stop_neither_the_others_nor_later_steps(train) -> None:
    outcome = train("""
        import io, torch, warnings
        from torch import nn
        warnings.simplefilter("error")
        class Twice(nn.LayerNorm):
            def __call__(self, x):
                return super().__call__(x) * 1.0
        net = nn.Sequential(nn.Linear(4, 4), nn.LayerNorm(4, eps=float("inf")),
                            nn.BatchNorm1d(4, momentum=float("nan")), Twice(4), nn.LayerNorm(4))
        away = nn.LayerNorm(4, device="meta")
        away(torch.randn(2, 4, device="meta")).sum().backward()
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        for _ in range(2):
            y = net(torch.randn(8, 4))
            torch.save(y, io.BytesIO())
            y.square().sum().backward()
            optimizer.step()
    """)
    assert outcome.returncode == 0, outcome.stderr
    run = outcome.run
    assert len(run.steps) == 2
    assert run.bye["errors"] == run.bye["dropped"] == 0
    assert run.layer("1")["eps"] is None
    assert run.layer("2")["momentum"] is None
    for tap in TAPS:
        assert run.counts(0, "3", tap)["calls"] == 1
    assert "shared" not in [status["code"] for status in run.layer("3")["status"]]
