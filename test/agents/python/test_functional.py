"""Norms of torch.nn.functional that are called outside a norm module."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pytest
import torch
from conftest import TOKEN, environment
from reading import Run, assert_statistics

TINY = 1.2e-38

CALLS = """
import numpy, torch
import torch.nn.functional as F
from torch import nn
from torch.nn.functional import group_norm
torch.manual_seed(0)
saved = {}
def keep(name, x, y):
    if y.requires_grad:
        y.retain_grad()
    saved[name] = (x, y)
    return y
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(8, 8)
        self.weight = nn.Parameter(torch.full((8,), 1.5))
        self.norm = nn.LayerNorm(8)
    def forward(self, x):
        x = self.linear(x)
        y = F.layer_norm(x, (8,), self.weight, None, 1e-4)  # FIRST
        keep("blocks.0.F.layer_norm", x, y)
        return self.norm(y) + F.layer_norm(y, [8])  # SECOND
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block()])
        self.register_buffer("mean", torch.zeros(8)); self.register_buffer("var", torch.ones(8))
    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        x = x.movedim(-1, 1) * 1.0
        x = keep("F.group_norm", x, group_norm(x, 2, eps=1e-3))  # IMPORTED
        y = F.batch_norm(x, self.mean, self.var, training=True, momentum=0.3)
        x = keep("F.batch_norm", x, y)
        return keep("F.instance_norm", x, F.instance_norm(x))
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    optimizer.zero_grad()
    y = net(torch.randn(4, 5, 8))
    z = keep("F.layer_norm[0]", y, F.layer_norm(y, (8, 5)))
    z.pow(3).sum().backward(); optimizer.step()
arrays = {}
for name, (x, y) in saved.items():
    both = dict(pre=x.detach(), post=y.detach(), gradPost=y.grad)
    arrays.update({f"{name}/{tap}": value.numpy() for tap, value in both.items()})
numpy.savez("saved.npz", **arrays)
with torch.no_grad():
    net(torch.randn(4, 5, 8)).sum().item()
"""

EXPECTED = {
    # name: family, feature axes, normalized axes, eps, momentum
    "F.group_norm": ("group", [1], [1, 2], 1e-3, None),
    "F.batch_norm": ("batch", [1], [0, 2], 1e-5, 0.3),
    "F.instance_norm": ("instance", [1], [2], 1e-5, None),
    "blocks.0.F.layer_norm": ("layer", [2], [2], 1e-4, None),
    "blocks.0.F.layer_norm[1]": ("layer", [2], [2], 1e-5, None),
    "blocks.0.norm": ("layer", [2], [2], 1e-5, None),
    "F.layer_norm[0]": ("layer", [1, 2], [1, 2], 1e-5, None),
}


def line_of(mark: str) -> int:
    lines = CALLS.splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.endswith(f"# {mark}"))


def test_each_call_site_is_a_layer_with_the_numbers_of_its_tensors(train, tmp_path) -> None:
    outcome = train(CALLS)
    assert outcome.returncode == 0, outcome.stderr
    run = outcome.run
    found = {
        one["name"]: (
            one["family"], one["featureAxes"], one["normalizedAxes"], one["eps"], one["momentum"]
        )
        for one in run.layers
    }  # fmt: skip
    assert found == EXPECTED
    first = run.layer("blocks.0.F.layer_norm")
    assert first["className"] == "F.layer_norm"
    assert [s["code"] for s in first["status"]] == ["functional"]
    assert first["calledAt"]["line"] == line_of("FIRST")
    assert first["constructedAt"] is None
    assert run.layer("blocks.0.F.layer_norm[1]")["calledAt"]["line"] == line_of("SECOND")
    assert run.layer("F.group_norm")["calledAt"]["line"] == line_of("IMPORTED")
    saved = np.load(tmp_path / "saved.npz")
    assert len(saved.files) == 15
    for key in saved.files:
        name, tap = key.split("/")
        axes = tuple(run.layer(name)["featureAxes"])
        assert_statistics(run.tap(1, name, tap), saved[key], axes, TINY)
        assert run.counts(1, name, "gradPre")["calls"] == 1
    assert run.bye["errors"] == 0


SAME = """
import inspect, torch
import torch.nn.functional as F
from torch import nn
names = [n for n in ("layer_norm", "batch_norm", "group_norm", "instance_norm", "rms_norm")
         if hasattr(F, n)]
for name in names:
    function = getattr(F, name)
    assert inspect.getsource(function).startswith(f"def {name}("), name
    assert list(inspect.signature(function).parameters)[0] == "input"
    assert function.__module__ == "torch.nn.functional" and function.__name__ == name
    print(name, inspect.signature(function), function.__doc__)
def scripted(x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
    return F.layer_norm(x, [4], w) + F.group_norm(x, 2)
x = torch.randn(3, 4, generator=torch.Generator().manual_seed(1))
print(torch.jit.script(scripted)(x, torch.ones(4)).sum().item())
torch.jit.script(nn.Sequential(nn.LayerNorm(4), nn.BatchNorm1d(4)))(x)
class Plain(nn.Module):
    def forward(self, x):
        return F.layer_norm(x, (4,)) * 2
print(torch.fx.symbolic_trace(Plain()).code)
print(torch.jit.trace(Plain(), x)(x).sum().item())
class Tagged(torch.Tensor):
    seen = []
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        cls.seen.append(function)
        return super().__torch_function__(function, types, args, kwargs or {})
F.layer_norm(x.as_subclass(Tagged), (4,))
assert F.layer_norm in Tagged.seen
try:
    F.layer_norm(x, (5,))
except RuntimeError as error:
    print(error)
try:
    F.layer_norm(x)
except TypeError as error:
    print(error)
if hasattr(torch, "compile"):
    net = nn.Sequential(Plain(), nn.LayerNorm(4))
    for backend in ("eager", "aot_eager"):
        torch._dynamo.reset()
        compiled = torch.compile(net, backend=backend, fullgraph=True)
        y = compiled(x.clone().requires_grad_())
        y.square().sum().backward()
        print(backend, y.sum().item())
"""


def test_the_functions_are_to_the_program_what_they_were(train, tmp_path) -> None:
    outcome = train(SAME)
    assert outcome.returncode == 0, outcome.stderr
    plain = subprocess.run(
        [sys.executable, str(tmp_path / "script.py")],
        env={k: v for k, v in os.environ.items() if k != "PYTHONPATH"} | {"OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert plain.returncode == 0, plain.stderr
    assert outcome.stdout == plain.stdout
    assert outcome.run.bye["errors"] == 0


def test_calls_of_graphs_that_are_traced_scripted_or_compiled_are_no_layers(train) -> None:
    if not hasattr(torch, "compile"):
        pytest.skip("no compiler in this PyTorch")
    run = train("""
        import torch
        import torch.nn.functional as F
        from torch import nn
        class Plain(nn.Module):
            def __init__(self):
                super().__init__()
                self.linear = nn.Linear(4, 4)
            def forward(self, x):
                return F.layer_norm(self.linear(x), (4,)) * 2
        traced, compiled = torch.jit.trace(Plain(), torch.randn(3, 4)), Plain()
        compiled = torch.compile(compiled, backend="eager", fullgraph=True)
        ordinary = nn.LayerNorm(4)
        optimizer = torch.optim.SGD(ordinary.parameters(), lr=0.1)
        for _ in range(2):
            x = torch.randn(3, 4)
            (ordinary(x) + traced(x) + compiled(x)).square().sum().backward()
            optimizer.step()
    """).run
    assert [layer["name"] for layer in run.layers] == ["LayerNorm[0]"]
    assert run.bye["errors"] == 0


@pytest.mark.skipif(not hasattr(torch, "compile"), reason="no compiler in this PyTorch")
def test_a_compiled_norm_is_not_compiled_again_when_capture_goes_on_or_off(train) -> None:
    outcome = train("""
        import sys, torch
        import torch.nn.functional as F
        from torch import nn
        graphs = []
        def backend(graph, inputs):
            graphs.append(graph)
            return graph.forward
        compiled = torch.compile(lambda x: F.rms_norm(x * 2, (4,)), backend=backend)
        taps = sys.modules["_normscope_agent.bootstrap"]._agent._taps
        for on in (True, False, True, False):
            taps.on = on
            compiled(torch.randn(3, 4))
        print(len(graphs))
    """)
    assert outcome.stdout.split() == ["1"], outcome.stderr


def test_a_program_that_already_runs_is_observed_too(make_collector, tmp_path) -> None:
    collector = make_collector()
    script = tmp_path / "script.py"
    script.write_text(f"""
import sys, torch
from torch import nn
from torch.nn.functional import layer_norm
linear = nn.Linear(4, 4)
optimizer = torch.optim.SGD(linear.parameters(), lr=0.1)
def step():
    layer_norm(linear(torch.randn(3, 4)), (4,)).square().sum().backward(); optimizer.step()
step()
sys.path.insert(0, {environment(collector)["PYTHONPATH"]!r})
import normscope
normscope.inject({collector.address!r}, {TOKEN!r}, {json.dumps({"budgetPercent": 0})!r})
step(); step(); step()
""")
    plain = environment(collector)
    for name in ("PYTHONPATH", "NORMSCOPE_ADDRESS", "NORMSCOPE_TOKEN"):
        plain.pop(name)
    done = subprocess.run([sys.executable, str(script)], env=plain, capture_output=True, text=True,
                          timeout=600)  # fmt: skip
    assert done.returncode == 0, done.stderr
    collector.wait_for(lambda: all(c.ended for c in collector.connections))
    run = Run(collector.connections[0])
    assert [layer["name"] for layer in run.layers] == ["F.layer_norm[0]"]
    assert run.counts(-1, "F.layer_norm[0]", "gradPre")["calls"] == 1
