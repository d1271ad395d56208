"""Which layers are found, what they are called and where they are in the source."""

from __future__ import annotations

import textwrap

import pytest
import torch
from normscope.axes import geometry_of
from normscope.classes import Unsuitable, says_norm
from torch import nn

FINDING = """
import copy, pickle, torch
from torch import nn


class LlamaRMSNorm(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))
        self.variance_epsilon = 1e-6

    def forward(self, hidden_states):
        variance = hidden_states.pow(2).mean(-1, keepdim=True)
        return self.weight * hidden_states * torch.rsqrt(variance + self.variance_epsilon)


class LayerNorm2d(nn.LayerNorm):
    def forward(self, x):
        return super().forward(x.permute(0, 2, 3, 1)).permute(0, 3, 1, 2)


class FrozenBatchNorm2d(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.register_buffer("weight", torch.ones(size))

    def forward(self, x):
        return x * self.weight.view(1, -1, 1, 1)


class PreNorm(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.norm = nn.LayerNorm(size)

    def forward(self, x):
        return self.norm(x)


class BatchNormAct(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))
        self.bn = nn.BatchNorm2d(size)

    def forward(self, x):
        return torch.relu(self.bn(x))


class Normalize(nn.Module):
    def forward(self, x):
        return x / x.norm()


class MyScaler(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))

    def forward(self, x):
        return x * self.weight


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm2 = nn.LayerNorm(8)  # CONSTRUCTED
        self.norm1 = LlamaRMSNorm(8)  # CUSTOM

    def forward(self, x):
        x = self.norm1(hidden_states=x)  # KEYWORD
        return self.norm2(x)  # CALLED


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block() for _ in range(2)])
        self.stem = nn.Sequential(LayerNorm2d(8), FrozenBatchNorm2d(8), BatchNormAct(8))
        self.pre = PreNorm(8)
        self.normalize = Normalize()
        self.lazy = nn.LazyBatchNorm1d()
        self.scaler = MyScaler(8)
        self.never = nn.GroupNorm(2, 8)

    def forward(self, x):
        x = self.stem(x[:, :, None, None].expand(-1, -1, 3, 3)).mean((2, 3))
        for block in self.blocks:
            x = block(x)
        return self.scaler(self.lazy(self.normalize(self.pre(x))))


net = Net()
ema = copy.deepcopy(net.blocks)
lonely = nn.LayerNorm(8)
optimizer = torch.optim.SGD([p for p in net.parameters()
                             if not isinstance(p, nn.UninitializedParameter)], lr=0.1)
for step in range(2):
    lonely(net(torch.randn(6, 8))).square().mean().backward()
    optimizer.step()
assert not net.blocks[0].norm2._forward_hooks and "__call__" not in vars(net.blocks[0].norm2)
again = pickle.loads(pickle.dumps(net))
assert torch.equal(again.blocks[0].norm2.weight, net.blocks[0].norm2.weight)
torch.jit.script(nn.LayerNorm(8)); torch.jit.trace(nn.LayerNorm(8), torch.randn(2, 8))
"""


def line_of(source: str, mark: str) -> int:
    lines = textwrap.dedent(source).splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.endswith(f"# {mark}"))


def test_layers_are_found_named_and_located(train, tmp_path) -> None:
    outcome = train(FINDING, extraClasses=["My*"])
    assert outcome.returncode == 0, outcome.stderr
    run = outcome.run
    assert [(layer["name"], layer["className"], layer["family"]) for layer in run.layers] == [
        ("blocks.0.norm2", "LayerNorm", "layer"),
        ("blocks.0.norm1", "LlamaRMSNorm", "rms"),
        ("blocks.1.norm2", "LayerNorm", "layer"),
        ("blocks.1.norm1", "LlamaRMSNorm", "rms"),
        ("stem.0", "LayerNorm2d", "layer"),
        ("stem.1", "FrozenBatchNorm2d", "batch"),
        ("stem.2.bn", "BatchNorm2d", "batch"),
        ("pre.norm", "LayerNorm", "layer"),
        ("lazy", "BatchNorm1d", "batch"),
        ("scaler", "MyScaler", "other"),
        ("never", "GroupNorm", "group"),
        ("LayerNorm[0]", "LayerNorm", "layer"),
    ]
    script = str(tmp_path / "script.py")
    norm = run.layer("blocks.0.norm2")
    assert norm["constructedAt"] == {"file": script, "line": line_of(FINDING, "CONSTRUCTED")}
    assert norm["calledAt"] == {"file": script, "line": line_of(FINDING, "CALLED")}
    custom = run.layer("blocks.1.norm1")
    assert custom["constructedAt"]["line"] == line_of(FINDING, "CUSTOM")
    assert custom["calledAt"]["line"] == line_of(FINDING, "KEYWORD")
    assert custom["eps"] == 1e-6
    assert custom["momentum"] is None
    assert run.layer("stem.0")["featureAxes"] == [1]
    assert run.layer("stem.0")["normalizedAxes"] == [1]
    bn = run.layer("stem.2.bn")
    assert (bn["features"], bn["featureAxes"], bn["normalizedAxes"]) == (8, [1], [0, 2, 3])
    assert (bn["momentum"], bn["eps"], bn["inputShape"]) == (0.1, 1e-5, [6, 8, 3, 3])
    never = run.layer("never")
    assert never["features"] == 8 and never["inputShape"] == []
    assert run.tap(1, "never", "pre") == {}
    assert run.counts(1, "blocks.0.norm1", "gradPre")["calls"] == 1
    assert run.bye["errors"] == 0


@pytest.mark.parametrize("name", ["LlamaRMSNorm", "T5LayerNorm", "LayerNorm2d", "Norm", "layernorm",
                                  "FrozenBatchNorm2d", "rms_norm", "AdaNorm", "BatchNormalization",
                                  "FP32LayerNorm"])  # fmt: skip
def test_names_that_say_norm(name) -> None:
    assert says_norm(name)


@pytest.mark.parametrize("name", ["NormalDistribution", "Normalize", "WeightNorm", "SpectralNorm",
                                  "Abnormality", "PreNorm", "LocalResponseNorm", "Denorm",
                                  "Normalizer"])  # fmt: skip
def test_names_that_do_not(name) -> None:
    assert not says_norm(name)


def test_a_weight_that_disagrees_with_the_input_is_no_norm() -> None:
    class OddNorm(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight = nn.Parameter(torch.ones(5))

    with pytest.raises(Unsuitable):
        geometry_of(OddNorm(), torch.zeros(3, 4), ())


def test_axes_of_unusual_inputs() -> None:
    def axes(module: nn.Module, *shape: int) -> tuple:
        found = geometry_of(module, torch.zeros(shape), ())
        return found.feature_axes, found.normalized_axes, found.batched

    assert axes(nn.InstanceNorm2d(3), 3, 8, 8) == ((0,), (1, 2), False)
    assert axes(nn.InstanceNorm1d(3), 2, 3, 8) == ((1,), (2,), True)
    assert axes(nn.LayerNorm((4, 5)), 2, 3, 4, 5) == ((2, 3), (2, 3), True)
    assert axes(nn.LayerNorm(5), 5) == ((0,), (0,), False)
    assert axes(nn.GroupNorm(2, 4), 2, 4, 6) == ((1,), (1, 2), True)
