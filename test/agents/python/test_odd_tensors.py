"""Tensors that are no ordinary ones: a value or a stated reason, never a wrong number."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from reading import TAPS, assert_statistics

TINY = 1.2e-38


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
    for name in ("meta", "complex", "sub"):
        assert [s["code"] for s in run.layer(name)["status"]] == ["unsupported"], name
    (told,) = run.connection.of_kind("event")
    assert told.body["event"] == "unsupported"
    assert told.body["message"].startswith("The layer meta is not captured: its input has no")
    assert run.counts(0, "ln", "pre")["calls"] == 1
    assert run.counts(0, "empty", "pre")["elements"] == 0
    assert np.isnan(run.tap(0, "empty", "pre")["featureMean"]).all()
    assert run.bye["errors"] == 0


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


CUSTOM = """
import numpy, torch
from torch import nn
class OddNorm(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(4))
    def forward(self, x):
        return (x.dequantize() if x.is_quantized else x.to_dense() if x.is_sparse else
                x.to(torch.float32)) * self.weight
net = nn.ModuleDict({"odd": OddNorm(), "ln": nn.LayerNorm(4)})
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
def step(x):
    (net["ln"](torch.randn(3, 4)).sum() + net["odd"](x).sum()).backward(); optimizer.step()
"""


@pytest.mark.parametrize(
    ("made", "word"),
    [
        ("torch.quantize_per_tensor(torch.randn(3, 4), 0.1, 0, torch.quint8)", "quantized"),
        ("torch.randn(3, 4).to_sparse()", "sparse"),
        ("torch.randint(5, (3, 4))", "int64"),
        ("torch.randn(3, 4) > 0", "bool"),
        ("torch.randn(3, 4, dtype=torch.complex64)", "complex64"),
        ("torch.randn(3, 4).to(torch.float8_e4m3fn)", "float8_e4m3fn"),
        ("torch.randn(3, 4).to(torch.float8_e5m2)", "float8_e5m2"),
    ],
)
def test_what_can_not_be_read_is_said_with_its_kind(train, made, word) -> None:
    if "float8" in made and not hasattr(torch, "float8_e5m2"):
        pytest.skip("no such dtype in this PyTorch")
    body = f"step({made}); step({made})"
    outcome = train(CUSTOM.replace("x.to(torch.float32)", "x.real.to(torch.float32)") + body)
    assert outcome.returncode == 0, outcome.stderr
    run = outcome.run
    (status,) = run.layer("odd")["status"]
    assert status["code"] == "unsupported" and word in status["reason"]
    assert run.tap(1, "odd", "pre") == {}
    assert run.counts(1, "ln", "gradPost")["calls"] == 1
    assert run.bye["errors"] == 0


def test_a_readable_input_after_an_unreadable_one_is_captured(train) -> None:
    run = train(CUSTOM + "step(torch.randint(5, (3, 4))); step(torch.randn(3, 4))").run
    assert run.layer("odd")["status"] == []
    assert run.counts(1, "odd", "pre")["elements"] == 12


NESTED = """
import torch
from torch import nn
net = nn.ModuleDict({"ln": nn.LayerNorm(4), "plain": nn.LayerNorm(4)})
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
parts = [torch.randn(2, 4), torch.randn(3, 4)]
x = torch.nested.nested_tensor(parts, layout=torch.LAYOUT)
net["ln"](x)
net["plain"](torch.randn(3, 4)).square().sum().backward()
optimizer.step()
print("done")
"""


@pytest.mark.parametrize("layout", ["strided", "jagged"])
def test_nested_tensors_are_said(train, layout) -> None:
    if not hasattr(torch, "jagged"):
        pytest.skip("no such layout in this PyTorch")
    outcome = train(NESTED.replace("LAYOUT", layout))
    assert outcome.stdout.strip() == "done", outcome.stderr
    (status,) = outcome.run.layer("ln")["status"]
    assert status["code"] == "unsupported"
    assert "nested" in status["reason"].lower()
    assert outcome.run.bye["errors"] == 0


DTENSOR = """
import os, tempfile, torch
from torch import nn
import torch.distributed as dist
file = tempfile.NamedTemporaryFile()
dist.init_process_group("gloo", init_method=f"file://{file.name}", rank=0, world_size=1)
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import distribute_tensor, distribute_module, Replicate
mesh = init_device_mesh("cpu", (1,))
net = nn.ModuleDict({"ln": distribute_module(nn.LayerNorm(4), mesh), "plain": nn.LayerNorm(4)})
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    y = net["ln"](distribute_tensor(torch.randn(3, 4), mesh, [Replicate()]))
    (y.to_local().sum() + net["plain"](torch.randn(3, 4)).sum()).backward()
    optimizer.step(); optimizer.zero_grad()
dist.destroy_process_group()
print("done")
"""


def test_distributed_tensors_are_said(train) -> None:
    pytest.importorskip("torch.distributed.tensor", exc_type=ImportError)
    outcome = train(DTENSOR)
    assert outcome.stdout.strip() == "done", outcome.stderr
    (status,) = outcome.run.layer("ln")["status"]
    assert status["code"] == "unsupported" and "DTensor" in status["reason"]
    assert outcome.run.counts(1, "plain", "pre")["calls"] == 1
    assert outcome.run.bye["errors"] == 0


MEMORY = """
import numpy, torch
from torch import nn
torch.manual_seed(0)
base = torch.randn(6, 6, 4, 8, requires_grad=True) * 1.0
inputs = {
    "sliced": base[::2, 1:5, :, ::2],
    "permuted": base[..., :6].permute(0, 3, 1, 2),
    "channels_last": base[:, :4].contiguous(memory_format=torch.channels_last),
    "expanded": base[:1, :4].expand(5, -1, -1, -1),
    "overlapping": torch.randn(40).as_strided((3, 4, 2, 5), (4, 3, 2, 1)),
    "one": base[:1, :4, :1, :2],
}
saved = {}
total = 0
layers = nn.ModuleDict({name: nn.BatchNorm2d(x.shape[1]) for name, x in inputs.items()})
optimizer = torch.optim.SGD(layers.parameters(), lr=0.0)
for name, x in inputs.items():
    y = layers[name](x)
    saved[name] = x.detach().numpy().copy(); saved[name + "_y"] = y.detach().numpy().copy()
    total = total + y.square().sum()
total.backward(); optimizer.step()
numpy.savez("saved.npz", **saved)
"""


def test_any_memory_layout_gives_the_numbers_of_the_values(train, tmp_path) -> None:
    outcome = train(MEMORY)
    assert outcome.returncode == 0, outcome.stderr
    saved = np.load(tmp_path / "saved.npz")
    names = [name for name in saved.files if not name.endswith("_y")]
    assert len(names) == 6
    for name in names:
        assert_statistics(outcome.run.tap(0, name, "pre"), saved[name], (1,), TINY)
        assert_statistics(outcome.run.tap(0, name, "post"), saved[name + "_y"], (1,), TINY)
    assert outcome.run.bye["errors"] == 0


def test_a_view_changed_in_place_afterwards_keeps_its_numbers_and_its_gradients(
    train, tmp_path
) -> None:
    outcome = train("""
        import numpy, torch
        from torch import nn
        torch.manual_seed(0)
        linear, norm = nn.Linear(4, 8), nn.LayerNorm(4)
        net = nn.ModuleDict({"linear": linear, "norm": norm})
        optimizer = torch.optim.SGD(net.parameters(), lr=0.0)
        whole = linear(torch.randn(6, 4))
        view = whole[:, :4]
        before = view.detach().numpy().copy()
        y = norm(view.clone())
        view.mul_(2)
        y.retain_grad()
        (y.sum() * 3 + whole.sum()).backward()
        numpy.savez("saved.npz", x=before, g=y.grad.numpy())
        optimizer.step()
    """)
    assert outcome.returncode == 0, outcome.stderr
    saved = np.load(tmp_path / "saved.npz")
    assert_statistics(outcome.run.tap(0, "norm", "pre"), saved["x"], (1,), TINY)
    assert_statistics(outcome.run.tap(0, "norm", "gradPost"), saved["g"], (1,), TINY)


def test_a_number_without_axes_is_said(train) -> None:
    outcome = train("""
        import torch
        from torch import nn
        class ScalarNorm(nn.LayerNorm):
            def forward(self, x):
                return x * 1.0
        net = nn.ModuleDict({"scalar": ScalarNorm(1), "ln": nn.LayerNorm(4)})
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        (net["ln"](torch.randn(2, 4)).sum() + net["scalar"](torch.tensor(2.0))).backward()
        optimizer.step()
    """)
    assert outcome.returncode == 0, outcome.stderr
    (status,) = outcome.run.layer("scalar")["status"]
    assert status == {"code": "unsupported", "reason": "Its input has no axes."}
    assert outcome.run.bye["errors"] == 0
