"""γ, β, their gradients and updates, and running statistics before the step's update."""

from __future__ import annotations

import json

import numpy as np
import pytest
import torch
from normscope.parameters import Updated, hold, slots

#: An update that is not known to be of one optimizer.
ALL = Updated(None, scaled=False)

TRAIN = """
import json, torch
from torch import nn
torch.manual_seed(0)
model = nn.Sequential(nn.Conv2d(2, 6, 3), nn.BatchNorm2d(6), nn.Flatten(), nn.Linear(6 * 36, 5),
                      nn.LayerNorm(5, bias=BIAS) if BIAS else nn.RMSNorm(5))
optimizer = OPTIMIZER
scaler = torch.amp.GradScaler("cpu", init_scale=1024.0, enabled=SCALED)
seen = []
norms = {"1": model[1], "4": model[4]}

def vectors(norm):
    return {name: tensor.detach().double().tolist() for name, tensor in
            [*norm.named_parameters(), *norm.named_buffers()] if tensor.dim() == 1}

for step in range(3):
    before = {name: vectors(norm) for name, norm in norms.items()}
    optimizer.zero_grad()
    for batch in range(PASSES):
        loss = model(torch.randn(4, 2, 8, 8)).square().mean()
        scaler.scale(loss).backward()
    if CLEARED:
        optimizer.step = (lambda update: lambda: (update(), optimizer.zero_grad()))(optimizer.step)
    scaler.unscale_(optimizer) if SCALED and step == 1 else None
    gradients = {name: {k: (p.grad / (scaler.get_scale() if SCALED and step != 1 else 1)).tolist()
                 for k, p in norm.named_parameters()} for name, norm in norms.items()}
    scaler.step(optimizer)
    scaler.update()
    after = {name: vectors(norm) for name, norm in norms.items()}
    seen.append([before, gradients, after])
print(json.dumps(seen))
"""


def script(optimizer: str, passes: int = 1, scaled: bool = False, bias: bool = True) -> str:
    values = {"OPTIMIZER": optimizer, "PASSES": passes, "SCALED": scaled, "BIAS": bias}
    source = TRAIN.replace("CLEARED", "False")
    for name, value in values.items():
        source = source.replace(name, str(value))
    return source


SGD = "torch.optim.SGD(model.parameters(), 0.1, momentum=0.9)"
ADAM = "torch.optim.Adam(model.parameters(), 0.01, weight_decay=0.1)"


@pytest.mark.parametrize(
    ("optimizer", "passes", "scaled"),
    [(SGD, 1, False), (ADAM, 1, False), (SGD, 3, False), (ADAM, 2, True)],
)
def test_vectors_equal_what_the_program_sees(train, optimizer, passes, scaled) -> None:
    outcome = train(script(optimizer, passes, scaled))
    steps = json.loads(outcome.stdout)
    assert len(outcome.run.steps) == len(steps) == 3, outcome.stderr
    for number, (before, gradients, after) in enumerate(steps):
        for layer in ("1", "4"):
            got = outcome.run.parameters(number, layer)
            for slot, name in (("gamma", "weight"), ("beta", "bias")):
                change = np.subtract(after[layer][name], before[layer][name])
                compare(got[slot], before[layer][name])
                compare(got[f"{slot}Gradient"], gradients[layer][name])
                compare(got[f"{slot}Update"], change, 1e-7)
        batch = outcome.run.parameters(number, "1")
        compare(batch["runningMean"], before["1"]["running_mean"])
        compare(batch["runningVariance"], before["1"]["running_var"])
        assert "runningMean" not in outcome.run.parameters(number, "4")


def compare(actual: np.ndarray, expected: object, slack: float = 1e-9) -> None:
    np.testing.assert_allclose(actual, expected, rtol=1e-5, atol=slack)


def test_the_loss_scale_comes_with_the_step(train) -> None:
    scaled = train(script(SGD, scaled=True)).run
    assert [frame.body["lossScale"] for frame in scaled.steps] == [1024.0] * 3
    assert scaled.counts(0, "1", "pre")["paddingRows"] == 0


def test_no_scale_is_null_and_an_rms_norm_has_no_beta(train) -> None:
    run = train(script(SGD, bias=False)).run
    assert {frame.body["lossScale"] for frame in run.steps} == {None}
    assert set(run.parameters(0, "4")) == {"gamma", "gammaGradient", "gammaUpdate"}


def test_gradients_cleared_before_the_step_ends_are_nan_and_nothing_else_is() -> None:
    layer = torch.nn.LayerNorm(4)
    held = hold(dict(layer.named_parameters()), 4)
    with torch.no_grad():
        layer.weight += torch.arange(4.0)
    gamma, gradient, update = slots(held, ("gamma", "gammaGradient", "gammaUpdate"), 4, ALL)
    assert gradient is None
    assert gamma is not None and gamma.tolist() == [1, 1, 1, 1]
    assert update is not None and update.tolist() == [0, 1, 2, 3]
    assert slots(None, ("gamma",), 4, ALL) == [None]


def test_other_names_and_shapes_are_found_and_what_does_not_fit_is_not() -> None:
    tensors = {
        "gamma": torch.nn.Parameter(torch.ones(2, 3)),
        "bias": torch.nn.Parameter(torch.ones(5)),
        "running_mean": torch.zeros(6),
        "running_var": torch.zeros(6, dtype=torch.int64),
    }
    held = hold(tensors, 6)
    assert held.names == ("gamma", "gammaGradient", "gammaUpdate", "runningMean")


def test_buffers_in_place_of_parameters_have_neither_gradient_nor_update() -> None:
    held = hold({"weight": torch.ones(3), "bias": torch.zeros(3)}, 3)
    assert held.names == ("gamma", "beta")


GEMMA = """
import json, torch
from torch import nn

class GemmaRMSNorm(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.eps = 1e-6
        self.weight = nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        output = x.float() * torch.rsqrt(x.float().pow(2).mean(-1, keepdim=True) + self.eps)
        output = output * (1.0 + self.weight.float())
        return output.type_as(x)

class InheritedRMSNorm(GemmaRMSNorm):
    pass

class ChoosingRMSNorm(GemmaRMSNorm):
    centred = False

    def forward(self, x):
        gain = 1 + self.weight if self.centred else self.weight
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps) * gain

torch.manual_seed(0)
norms = [GemmaRMSNorm(6), nn.RMSNorm(6), InheritedRMSNorm(6), ChoosingRMSNorm(6)]
nn.init.ones_(norms[3].weight)
model = nn.Sequential(nn.Linear(4, 6), *norms)
optimizer = torch.optim.SGD(model.parameters(), 0.01)
seen = []
for step in range(3):
    seen.append([norm.weight.tolist() for norm in norms])
    optimizer.zero_grad()
    model(torch.randn(5, 4)).pow(3).sum().backward()
    optimizer.step()
print(json.dumps(seen))
"""


def test_the_gain_of_a_norm_that_multiplies_by_one_plus_its_weight_is_that(train) -> None:
    outcome = train(GEMMA)
    steps = json.loads(outcome.stdout)
    assert len(outcome.run.steps) == len(steps) == 3, outcome.stderr
    for number, (gemma, plain, inherited, choosing) in enumerate(steps):
        compare(outcome.run.parameters(number, "1")["gamma"], np.add(gemma, 1), 1e-7)
        compare(outcome.run.parameters(number, "2")["gamma"], plain)
        compare(outcome.run.parameters(number, "3")["gamma"], np.add(inherited, 1), 1e-7)
        compare(outcome.run.parameters(number, "4")["gamma"], choosing)
    change = np.subtract(steps[1][0], steps[0][0])
    compare(outcome.run.parameters(0, "1")["gammaUpdate"], change, 1e-7)


TWO = """
import json, torch
from torch import nn
torch.manual_seed(0)
one, two = nn.LayerNorm(4), nn.LayerNorm(4)
first = torch.optim.SGD(one.parameters(), lr=0.5)
second = torch.optim.SGD(two.parameters(), lr=0.5)
scaler = torch.amp.GradScaler("cpu", init_scale=1024.0, enabled=SCALED)
loss = two(one(torch.randn(3, 4))).square().sum()
scaler.scale(loss).backward()
gradient = one.weight.grad / (1024.0 if SCALED else 1)
scaler.step(first)
scaler.step(second)
scaler.update()
print(json.dumps(gradient.tolist()))
"""


@pytest.mark.parametrize("scaled", [False, True])
def test_what_a_later_optimizer_is_still_to_update_has_no_update_yet(train, scaled) -> None:
    outcome = train(TWO.replace("SCALED", str(scaled)))
    names = [layer["name"] for layer in outcome.run.layers]
    one, two = (outcome.run.parameters(0, name) for name in names)
    compare(one["gammaGradient"], json.loads(outcome.stdout))
    compare(one["gammaUpdate"], -0.5 * one["gammaGradient"], 1e-6)
    assert np.isfinite(two["gamma"]).all()
    assert np.isnan(two["gammaUpdate"]).all()
    # Of the second, the scaler has not taken its factor out of the gradients yet.
    assert np.isnan(two["gammaGradient"]).all() == scaled
