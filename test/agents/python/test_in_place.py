"""Norms and the operations in place around them: neither breaks, and no gradient hides."""

from __future__ import annotations

import numpy as np
import pytest
from reading import TAPS

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
