"""Norms inside wrappers, reparametrized, lazy, synchronised; classes that the settings name."""

from __future__ import annotations

import pytest
import torch
from normscope.axes import geometry_of
from normscope.classes import Unsupported
from normscope.settings import ExtraClass, settings_from
from reading import Run
from torch import nn

WRAPPED = """
import copy, torch
from torch import nn
from torch.nn.utils import parametrize
torch.manual_seed(0)
class LlamaRMSNorm(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))
        self.variance_epsilon = 1e-6
    def forward(self, x):
        return self.weight * x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6)
class Doubled(nn.Module):
    def forward(self, weight):
        return weight * 2
class Named(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner
    def forward(self, x):
        return self.inner(x)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.ln = nn.LayerNorm(4)
        self.rms = LlamaRMSNorm(4)
        for norm in (self.ln, self.rms):
            parametrize.register_parametrization(norm, "weight", Doubled())
        self.lazy = nn.LazyBatchNorm1d()
        self.lazy_instance = nn.LazyInstanceNorm1d(affine=True)
        self.sync = nn.SyncBatchNorm.convert_sync_batchnorm(Named(nn.BatchNorm1d(4)))
    def forward(self, x):
        x = self.sync(self.lazy(self.rms(self.ln(x))))
        return self.lazy_instance(x[:, :, None].expand(-1, -1, 3))
"""

EXPECTED = [
    ("ln", "LayerNorm", "layer"),
    ("rms", "LlamaRMSNorm", "rms"),
    ("lazy", "BatchNorm1d", "batch"),
    ("lazy_instance", "InstanceNorm1d", "instance"),
    ("sync.inner", "SyncBatchNorm", "batch"),
]

STEPS = """
net = Net()
with torch.no_grad():
    net(torch.randn(4, 4))
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
for _ in range(2):
    x = torch.randn(6, 4, requires_grad=True)
    optimizer.zero_grad(); WRAPPED(x).square().sum().backward(); optimizer.step()
"""


def check(outcome) -> None:
    assert outcome.returncode == 0, outcome.stderr
    run = outcome.run
    found = [(one["name"], one["className"], one["family"]) for one in run.layers]
    assert found == EXPECTED
    for name, _, _ in EXPECTED:
        for tap in ("pre", "post", "gradPost", "gradPre"):
            assert run.counts(1, name, tap)["calls"] == 1
        assert run.layer(name)["status"] == []
    assert run.bye["errors"] == 0


@pytest.mark.parametrize(
    "wrapped",
    ["net", "nn.DataParallel(net)", "Named(nn.ModuleDict({'a': net})['a'])"],
    ids=["bare", "DataParallel", "around"],
)
def test_reparametrized_lazy_and_synchronised_norms(train, wrapped) -> None:
    outcome = train(WRAPPED + STEPS.replace("WRAPPED", "model").replace(
        "optimizer =", f"model = {wrapped}\noptimizer ="))  # fmt: skip
    if wrapped.startswith("Named"):
        run = outcome.run
        assert [one["name"] for one in run.layers] == [f"inner.{name}" for name, _, _ in EXPECTED]
        return
    check(outcome)


DISTRIBUTED = """
import os, sys, torch
import torch.distributed as dist
dist.init_process_group("gloo", init_method="file://" + FILE, rank=RANK, world_size=WORLD)
from torch.nn.parallel import DistributedDataParallel
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 6), nn.BatchNorm1d(6), nn.LayerNorm(6), nn.Linear(6, 1))
model = DistributedDataParallel(net)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(2):
    optimizer.zero_grad(); model(torch.randn(3 + RANK, 4)).square().sum().backward()
    optimizer.step()
dist.barrier(); dist.destroy_process_group()
"""


@pytest.mark.skipif(not torch.distributed.is_available(), reason="no torch.distributed")
def test_one_process_of_distributed_training(train, tmp_path) -> None:
    script = DISTRIBUTED.replace("FILE", repr(str(tmp_path / "store")))
    run = train(script.replace("RANK", "0").replace("WORLD", "1")).run
    assert [one["name"] for one in run.layers] == ["1", "2"]
    assert run.counts(1, "2", "gradPre")["calls"] == 1
    assert run.bye["errors"] == 0


@pytest.mark.skipif(not torch.distributed.is_available(), reason="no torch.distributed")
def test_two_processes_each_tell_of_their_own_half(train, tmp_path) -> None:
    script = DISTRIBUTED.replace("FILE", repr(str(tmp_path / "store"))).replace("WORLD", "2")
    script = script.replace("RANK", "int(os.environ['RANK'])")
    (tmp_path / "half.py").write_text(script)
    outcome = train("""
import os, subprocess, sys
children = [subprocess.Popen([sys.executable, "half.py"], env={**os.environ, "RANK": str(rank),
                             "WORLD_SIZE": "2"}) for rank in range(2)]
sys.exit(sum(child.wait() for child in children))
""")
    assert outcome.returncode == 0, outcome.stderr
    runs = [Run(connection) for connection in outcome.collector.connections]
    assert sorted(run.frames[0].body["rank"] for run in runs) == [0, 1]
    for run in runs:
        rank = run.frames[0].body["rank"]
        assert [one["name"] for one in run.layers] == ["1", "2"]
        assert run.counts(1, "1", "pre")["samples"] == 3 + rank
        assert run.bye["errors"] == 0


def test_settings_name_classes_with_family_and_axis() -> None:
    read = settings_from(
        {
            "extraClasses": [
                "My*",
                {"pattern": "a.B", "family": "rms", "featureAxis": -1},
                {"pattern": "C", "family": None, "featureAxis": None},
                {"pattern": "D", "family": "odd", "featureAxis": 1.5},
                {"pattern": "E", "featureAxis": True},
                {"family": "rms"},
                7,
            ]
        }
    ).extra_classes
    assert read == (
        ExtraClass("My*"),
        ExtraClass("a.B", "rms", -1),
        ExtraClass("C"),
        ExtraClass("D"),
        ExtraClass("E"),
    )
    assert settings_from({"extraClasses": "My*"}).extra_classes == ()


class Odd(nn.Module):
    pass


@pytest.mark.parametrize(
    ("family", "axis", "features", "normalized"),
    [
        ("rms", -1, (3,), (3,)),
        ("layer", 1, (1,), (1,)),
        ("batch", 2, (2,), (0, 1, 3)),
        ("instance", 1, (1,), (2, 3)),
        ("group", -3, (1,), (1, 2, 3)),
        (None, 2, (2,), (2,)),
        ("batch", None, (3,), (0, 1, 2)),
    ],
)
def test_what_the_settings_say_goes_before_what_the_class_says(
    family, axis, features, normalized
) -> None:
    extra = (ExtraClass("Odd", family, axis),)
    found = geometry_of(Odd(), torch.zeros(2, 3, 4, 5), extra)
    assert (found.feature_axes, found.normalized_axes) == (features, normalized)
    assert found.family == (family or "other")
    assert found.features == (2, 3, 4, 5)[features[0]]


def test_settings_override_a_class_of_pytorch_too() -> None:
    extra = (ExtraClass("torch.nn.*.LayerNorm", "rms", None),)
    found = geometry_of(nn.LayerNorm(5), torch.zeros(2, 3, 5), extra)
    assert (found.family, found.feature_axes) == ("rms", (2,))


def test_an_axis_that_the_input_lacks_is_said() -> None:
    with pytest.raises(Unsupported, match="has no axis 4"):
        geometry_of(Odd(), torch.zeros(2, 3), (ExtraClass("Odd", None, 4),))


def test_a_class_that_the_settings_name_is_captured_as_they_say(train) -> None:
    run = train(
        """
        import torch
        from torch import nn
        class Whitening(nn.Module):
            def forward(self, x):
                return x - x.mean(-1, keepdim=True)
        net = nn.Sequential(nn.Linear(4, 4), Whitening())
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        net(torch.randn(5, 3, 4)).square().sum().backward(); optimizer.step()
        """,
        extraClasses=[{"pattern": "Whiten*", "family": "layer", "featureAxis": 1}],
    ).run
    (layer,) = run.layers
    assert (layer["family"], layer["features"], layer["featureAxes"]) == ("layer", 3, [1])
    assert run.counts(0, "1", "gradPre")["calls"] == 1
