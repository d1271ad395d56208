"""Inputs on which a careless sum loses its digits, against numpy float64."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from measuring import CHANNEL_ROWS, CHANNELS, TRAILING, as_arrays, check, geometry, summarise, whole
from normscope.completing import complete
from normscope.merge import merged
from normscope.statistics import summarise as begin
from normscope.summary import Binning
from normscope.sums import LastScale

LAYOUTS = [
    ((16, 32, 24), TRAILING),
    ((16, 24, 32), CHANNELS),
    ((16, 24, 4), CHANNELS),
    ((16, 24, 32), CHANNEL_ROWS),
]


@pytest.fixture
def generator() -> torch.Generator:
    return torch.Generator().manual_seed(3)


@pytest.fixture(params=LAYOUTS, ids=str)
def made(request: pytest.FixtureRequest, generator: torch.Generator):
    """A tensor of normal values and its geometry; features on the axis named third."""
    shape, kind = request.param
    x = torch.randn(shape, generator=generator)
    return x, geometry(shape, kind), (2 if kind == TRAILING else 1)


def test_a_mean_of_3000_with_a_deviation_of_1(made) -> None:
    x, where, _ = made
    x = x + 3000
    summary = check(x, where)
    array = x.double().numpy()
    axes = tuple(a for a in range(3) if a not in where.feature_axes)
    got = as_arrays(summary)
    np.testing.assert_allclose(got["featureVariance"], array.var(axis=axes), rtol=1e-5)
    np.testing.assert_allclose(got["sampleVariance"], array.var(axis=(1, 2)), rtol=1e-5)
    np.testing.assert_allclose(whole(summary)["variance"], array.var(), rtol=1e-5)


@pytest.mark.parametrize("scale", [1e-30, 1e-18, 1e-12, 1e-6, 1e6, 1e12, 1e18])
def test_any_magnitude_gives_the_same_shape(made, scale) -> None:
    x, where, _ = made
    expected, got = whole(summarise(x, where)), whole(summarise(x * scale, where))
    for name in ("skewness", "kurtosis"):
        assert got[name] == pytest.approx(expected[name], rel=1e-5, abs=1e-5)
    assert got["mean"] == pytest.approx(expected["mean"] * scale, rel=1e-5)
    assert got["max"] == pytest.approx(expected["max"] * scale, rel=1e-6)
    array = (x * scale).double().numpy()
    axes = tuple(a for a in range(3) if a not in where.feature_axes)
    variance = summarise(x * scale, where).feature.m2.numpy() * len(where.feature_axes)
    count = x.numel() // where.features
    np.testing.assert_allclose(variance / count, array.var(axis=axes), rtol=1e-5)


def test_one_feature_far_from_the_others(made) -> None:
    x, where, axis = made
    x.select(axis, 5).mul_(0.5).add_(50)
    summary = check(x, where)
    wanted = x.double().select(axis, 5).var(unbiased=False).item()
    got = as_arrays(summary)["featureVariance"][5]
    assert got == pytest.approx(wanted, rel=1e-5)


def test_all_features_far_from_each_other(made) -> None:
    x, where, axis = made
    shape = [1, 1, 1]
    shape[axis] = -1
    x = x + torch.linspace(-500, 700, 24).view(shape)
    summary = check(x, where)
    axes = tuple(a for a in range(3) if a not in where.feature_axes)
    wanted = x.double().numpy().var(axis=axes)
    np.testing.assert_allclose(as_arrays(summary)["featureVariance"], wanted, rtol=1e-5)


def test_constant_features_have_no_variance_at_all(made) -> None:
    x, where, axis = made
    x.select(axis, 3).fill_(0.1)
    x.select(axis, 7).fill_(-3000.3)
    x.select(axis, 9).fill_(0)
    summary = check(x, where)
    assert (as_arrays(summary)["featureVariance"][[3, 7, 9]] == 0).all()


@pytest.mark.parametrize("value", [0.0, 0.1, -3000.3, 1e-20, 3e38])
def test_equal_values_have_no_variance_at_all(made, value) -> None:
    x, where, _ = made
    x = torch.full_like(x, value)
    summary = summarise(x, where)
    got = as_arrays(summary)
    assert not got["featureVariance"].any() and not got["sampleVariance"].any()
    figures = whole(summary)
    assert figures["variance"] == 0 and figures["mean"] == pytest.approx(x[0, 0, 0].item())
    assert np.isnan(figures["skewness"]) and np.isnan(figures["kurtosis"])


def test_one_row_far_from_the_others_is_the_most_extreme(made) -> None:
    x, where, _ = made
    turned = x if where.feature_axes == (2,) else x.transpose(1, 2)
    turned[5, 3] = torch.linspace(40, 60, turned.shape[2])
    summary = check(x, where)
    if where.family == "layer":
        assert summary.extremes is not None
        assert summary.extremes[0, 0].item() == 5 * turned.shape[1] + 3


def test_zeros_and_subnormals_among_many_values(made) -> None:
    x, where, _ = made
    x = torch.relu(x)
    assert check(x, where).classes[3].item() == (x == 0).sum().item()
    x[1, 2, :3] = torch.tensor([1e-40, -1e-42, 1e-30])
    assert check(x, where).classes[4].item() == 2
    assert check(x - 0.25, where).classes[3].item() == (x == 0.25).sum().item()
    assert check(x + 40, where).classes[3].item() == 0


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64])
def test_other_dtypes_at_an_offset(made, dtype) -> None:
    x, where, _ = made
    check((x * 2 + 30).to(dtype), where)


def test_tensors_of_many_parts(generator) -> None:
    for shape, kind in (
        ((3000, 512), TRAILING),
        ((40, 700, 63), CHANNELS),
        ((900, 300, 5), CHANNELS),
        ((20, 70, 1000), CHANNEL_ROWS),
    ):
        x = torch.randn(shape, generator=generator).exp_() + 5
        x[0, 0] = 0
        check(x, geometry(shape, kind))


def test_few_rows_and_few_features(generator) -> None:
    for shape, kind in (
        ((1, 8), TRAILING),
        ((1, 8), CHANNELS),
        ((1, 1, 300), TRAILING),
        ((3, 1), TRAILING),
        ((5, 1, 7), CHANNELS),
        ((2, 3), TRAILING),
    ):
        check(torch.randn(shape, generator=generator) + 10, geometry(shape, kind))


def test_nan_leaves_the_other_figures_as_they_are(made) -> None:
    x, where, _ = made
    x = x + 100
    x[2, 3, 1] = float("nan")
    x[7, 1, 2] = float("inf")
    check(x, where)


def test_a_scaled_gradient_is_measured_as_if_it_were_not(made) -> None:
    x, where, _ = made
    factor = torch.tensor(2.0**-16, dtype=torch.float64)
    for poison in (False, True):
        scaled = x * 65536
        if poison:
            x, scaled = x.clone(), scaled.clone()
            x[0, 0, 0] = scaled[0, 0, 0] = float("inf")
        plain = summarise(x, where)
        got = summarise(scaled, where, Binning(factor=factor))
        expected, actual = as_arrays(plain), as_arrays(got)
        for name, values in expected.items():
            np.testing.assert_allclose(actual[name], values, rtol=1e-6, err_msg=name)
        assert torch.equal(got.histogram, plain.histogram)
        figures, wanted = whole(got), whole(plain)
        assert figures.pop("headroom") == pytest.approx(65536 * wanted.pop("headroom"))
        assert figures == pytest.approx(wanted, rel=1e-5, abs=1e-9)


def test_higher_moments_merge_as_the_shared_vectors_say(vectors) -> None:
    data = vectors("moments.json")
    where = geometry((0, 1), CHANNELS)
    summaries = []
    for part in data["parts"]:
        values = torch.tensor(part["values"], dtype=torch.float64)[:, None]
        summaries.append(summarise(values, where))
        compare(summaries[-1].whole.tolist(), part["moments"])
    both = merged(summaries[0], summaries[1])
    compare(both.whole.tolist(), data["merged_ab"])
    compare(merged(both, summaries[2]).whole.tolist(), data["merged_abc"])


def compare(figures: list[float], expected: dict[str, float]) -> None:
    names = ("n", "mean", "m2", "m3", "m4", "min", "max")
    for name, value in zip(names, figures):
        assert value == pytest.approx(expected[name], rel=1e-9), name


def test_calls_merge_to_what_one_call_on_both_gives(made) -> None:
    x, where, _ = made
    first, second = x[:10] + 3, x[10:] * 5 - 20
    both = merged(summarise(first, where), summarise(second, where))
    together = summarise(torch.cat([first, second]), where)
    for name, wanted in whole(together).items():
        assert whole(both)[name] == pytest.approx(wanted, rel=1e-5, abs=1e-6), name
    if where.family == "layer":
        both, together = (
            merged(*(summarise(part, where) for part in (x[:10], x[10:]))),
            summarise(x, where),
        )
        assert both.extremes is not None and together.extremes is not None
        assert torch.equal(both.extremes[:, 0], together.extremes[:, 0])
        np.testing.assert_allclose(both.extremes, together.extremes, rtol=1e-5)


def test_what_the_program_does_to_the_tensor_later_does_not_show(made) -> None:
    x, where, _ = made
    wanted = summarise(x, where)
    for stride in (1, 7):
        kept = x.clone()
        summary = begin(kept, where, Binning(stride, 2))
        kept.fill_(1e9)
        complete((summary,))
        assert torch.equal(summary.whole, wanted.whole)
        expected = summarise(x, where, Binning(stride, 2))
        assert torch.equal(summary.histogram, expected.histogram)
        assert torch.equal(summary.sample.m2, expected.sample.m2)


def test_calls_done_together_are_as_if_done_alone(made, generator) -> None:
    x, where, _ = made
    inputs = [x * k + k for k in range(40)] + [x[:5], torch.relu(x)]
    together = [begin(one, where) for one in inputs]
    complete(together)
    for one, summary in zip(inputs, together):
        alone = summarise(one, where)
        assert torch.equal(alone.histogram, summary.histogram)
        torch.testing.assert_close(alone.whole, summary.whole, rtol=1e-12, atol=0, equal_nan=True)
        torch.testing.assert_close(alone.sample.mean, summary.sample.mean, rtol=1e-12, atol=0)
        if alone.extremes is not None:
            assert summary.extremes is not None and torch.equal(alone.extremes, summary.extremes)


def test_figures_do_not_depend_on_the_tensor_before(made) -> None:
    x, where, _ = made
    last = LastScale()
    nothing = torch.zeros_like(x)
    for one in (x * 1e-12, x * 1e12, x, x + 3000, x - 3000, nothing, torch.relu(x), x * 1e-30):
        summary = begin(one, where, seek_padding=False, last=last)
        complete((summary,))
        wanted = summarise(one, where)
        np.testing.assert_allclose(summary.whole, wanted.whole, rtol=1e-5, atol=1e-60)
        np.testing.assert_allclose(summary.feature.m2, wanted.feature.m2, rtol=1e-5)
        np.testing.assert_allclose(summary.sample.m2, wanted.sample.m2, rtol=1e-5)
        assert torch.equal(summary.classes, wanted.classes)
