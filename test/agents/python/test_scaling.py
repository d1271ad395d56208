"""Mixed-precision training with a gradient scaler: figures are those without its factor."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from normscope.geometry import Geometry
from normscope.statistics import summarise
from normscope.summary import Binning
from reading import TAPS

pytestmark = pytest.mark.skipif(
    not hasattr(getattr(torch, "amp", None), "GradScaler"), reason="no scaler for host memory"
)

HEAD = """
import numpy, torch
from torch import nn
torch.manual_seed(0)
def build():
    torch.manual_seed(1)
    return nn.Sequential(nn.Linear(6, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 1))
torch.manual_seed(2)
data = torch.randn(6, 16, 6)
"""

PLAIN = (
    HEAD
    + """
net = build()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x in data:
    optimizer.zero_grad(); net(x).square().mean().backward(); optimizer.step()
"""
)


def scaled(scaler: str, body: str = "scaler.scale(loss).backward()") -> str:
    return (
        HEAD
        + f"""
net = build()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
scaler = {scaler}
for x in data:
    optimizer.zero_grad()
    loss = net(x).square().mean()
    {body}
    scaler.step(optimizer); scaler.update()
assert scaler.get_scale() > 1
"""
    )


def assert_same_run(run, plain, steps: int) -> None:
    assert len(run.steps) == len(plain.steps) == steps
    for step in range(steps):
        ours, theirs = run.steps[step].body, plain.steps[step].body
        assert ours["loss"] == pytest.approx(theirs["loss"], rel=1e-5)
        assert ours["microBatches"] == 1
        for tap in TAPS:
            wanted = plain.tap(step, "1", tap)
            # Means of gradients cancel out, so they are held against the values themselves.
            size = np.abs(wanted["featureMax"]).max()
            for name, values in run.tap(step, "1", tap).items():
                power = 2 if name.endswith("Variance") else 1
                np.testing.assert_allclose(
                    values,
                    wanted[name],
                    rtol=1e-4,
                    atol=1e-6 * size**power,
                    err_msg=f"{step} {tap}",
                )


@pytest.mark.parametrize(
    ("scaler", "factor"),
    [
        ("torch.amp.GradScaler('cpu')", "65536"),
        ("torch.amp.GradScaler('cpu', init_scale=3000.0)", "3000"),
        ("torch.amp.GradScaler('cpu', init_scale=1024.0, growth_interval=2)", "4096"),
    ],
)
def test_loss_and_gradients_are_unscaled_and_the_factor_is_said(train, scaler, factor) -> None:
    # The factor comes to the host with a step, some time before the next one ends.
    body = "scaler.scale(loss).backward(); import time; time.sleep(0.2)"
    outcome = train(scaled(scaler, body))
    assert outcome.returncode == 0, outcome.stderr
    plain = train(PLAIN, name="plain.py").run
    assert_same_run(outcome.run, plain, 6)
    (status,) = outcome.run.layer("1")["status"]
    assert status["code"] == "scaled" and f"by {factor};" in status["reason"]
    assert plain.layer("1")["status"] == []
    assert outcome.run.bye["errors"] == 0


def test_histograms_are_unscaled(train) -> None:
    # A power of two moves no digit, so that the very same values are binned.
    run = train(scaled("torch.amp.GradScaler('cpu', init_scale=1024.0)")).run
    plain = train(PLAIN, name="plain.py").run
    for tap in TAPS:
        assert run.histogram(0, "1", tap) == plain.histogram(0, "1", tap)


@pytest.mark.parametrize(
    "body",
    [
        "(scaler.scale(loss / 4) + scaler.scale(loss * 3 / 4)).backward()",
        "torch.autograd.backward(scaler.scale([loss]))",
        "kept = scaler.scale(loss); kept.backward()",
        "scaler.scale(loss.detach()); scaler.scale(loss).backward()",
    ],
)
def test_every_way_to_the_backward_pass_is_unscaled(train, body) -> None:
    outcome = train(scaled("torch.amp.GradScaler('cpu', init_scale=512.0)", body))
    assert outcome.returncode == 0, outcome.stderr
    assert_same_run(outcome.run, train(PLAIN, name="plain.py").run, 6)


def test_a_scaler_that_is_off_changes_nothing(train) -> None:
    source = scaled("torch.amp.GradScaler('cpu', enabled=False)").replace("assert scaler", "# ")
    run = train(source).run
    assert_same_run(run, train(PLAIN, name="plain.py").run, 6)
    assert run.layer("1")["status"] == []


def test_a_plain_backward_beside_a_scaled_one_stays_as_it_is(train) -> None:
    run = train(
        HEAD
        + """
nets = nn.ModuleDict({"a": build(), "b": build()})
optimizer = torch.optim.SGD(nets.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cpu", init_scale=256.0)
for x in data[:2]:
    nets["a"].zero_grad(); nets["b"].zero_grad()
    scaler.scale(nets["a"](x).square().mean()).backward()
    nets["b"](x).square().mean().backward()
    for p in nets["b"].parameters():
        p.grad *= 256
    scaler.step(optimizer); scaler.update()
"""
    ).run
    for tap in TAPS[2:]:
        for name, values in run.tap(1, "a.1", tap).items():
            np.testing.assert_allclose(values, run.tap(1, "b.1", tap)[name], rtol=1e-4, atol=1e-9)
    assert [s["code"] for s in run.layer("a.1")["status"]] == ["scaled", "accumulated"]
    assert "scaled" not in [s["code"] for s in run.layer("b.1")["status"]]


def test_a_skipped_update_is_no_step_and_not_part_of_the_next_one(train) -> None:
    outcome = train(
        scaled("torch.amp.GradScaler('cpu', init_scale=512.0)").replace(
            "for x in data:",
            "for x in [data[0], data[1] * float('inf'), *data[1:]]:\n"
            "    if not x.isfinite().all():\n"
            "        kept = {k: v.clone() for k, v in net.state_dict().items()}",
        ).replace(
            "scaler.update()",
            "scaler.update()\n    if not x.isfinite().all(): net.load_state_dict(kept)",
        )
    )  # fmt: skip
    assert outcome.returncode == 0, outcome.stderr
    run = outcome.run
    assert_same_run(run, train(PLAIN, name="plain.py").run, 6)
    assert [s.body["step"] for s in run.steps] == list(range(6))
    assert run.counts(1, "1", "pre") == {**run.counts(0, "1", "pre")}
    (status,) = run.layer("1")["status"]
    assert "by 256;" in status["reason"]
    assert run.bye["steps"] == 6 and run.bye["errors"] == 0


def test_a_run_whose_updates_were_all_skipped_says_so(train) -> None:
    source = scaled("torch.amp.GradScaler('cpu')").replace("for x in data:", "for x in data / 0:")
    outcome = train(source)
    assert outcome.returncode == 0, outcome.stderr
    (event,) = outcome.run.connection.of_kind("event")
    assert event.body["event"] == "no-optimizer-step"
    assert "gradient scaler skipped every" in event.body["message"]
    assert outcome.run.bye["steps"] == 0


def test_classes_derived_from_the_scaler_are_observed(train) -> None:
    outcome = train(scaled("Mine('cpu', init_scale=128.0)").replace("net = build()", """
class Mine(torch.amp.GradScaler):
    def scale(self, outputs):
        super().scale(outputs.detach())
        return outputs * self._scale
net = build()"""))  # fmt: skip
    assert outcome.returncode == 0, outcome.stderr
    assert_same_run(outcome.run, train(PLAIN, name="plain.py").run, 6)


def test_gradient_accumulation_under_a_scaler_is_merged_unscaled(train) -> None:
    body = "scaler.scale(loss).backward(); scaler.scale(net(x).square().mean()).backward()"
    run = train(scaled("torch.amp.GradScaler('cpu', init_scale=64.0)", body)).run
    plain = train(PLAIN, name="plain.py").run
    assert [step.body["microBatches"] for step in run.steps] == [2] * 6
    assert run.steps[0].body["loss"] == pytest.approx(plain.steps[0].body["loss"], rel=1e-5)
    twice, once = (r.tap(0, "1", "gradPost")["featureVariance"] for r in (run, plain))
    np.testing.assert_allclose(twice, once, rtol=1e-4)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.float16])
@pytest.mark.parametrize("spoiled", [False, True])
def test_a_factor_of_two_to_a_power_gives_the_figures_of_the_product(dtype, spoiled) -> None:
    x = torch.randn((20, 8, 30), generator=torch.Generator().manual_seed(3)).to(dtype)
    if spoiled:
        x[3, 2, 1], x[4, 5, 6] = float("inf"), float("nan")
    geometry = Geometry("batch", 8, (1,), (0, 2), True)
    got = summarise(x, geometry, Binning(1, 0, torch.tensor(0.25)))
    wanted = summarise(x.double() / 4, geometry)
    for name in ("feature", "sample"):
        for part in ("mean", "m2"):
            a, b = getattr(getattr(got, name), part), getattr(getattr(wanted, name), part)
            np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=1e-5, atol=1e-7)
    assert torch.equal(got.minimum.double(), wanted.minimum.double())
    assert torch.equal(got.maximum.double(), wanted.maximum.double())
    assert torch.equal(got.histogram, wanted.histogram)
