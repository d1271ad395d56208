"""Statistics of single tensors against numpy float64."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from measuring import (
    CHANNELS,
    TRAILING,
    as_arrays,
    check,
    check_rows,
    geometry,
    histogram,
    summarise,
    whole,
)
from normscope.geometry import Geometry
from normscope.host_bytes import raw_bytes
from normscope.merge import merged
from normscope.packing import mean_and_variance
from normscope.statistics import without_decisions
from normscope.summary import ALL, MAX_SAMPLES
from reading import assert_statistics, assert_whole, reference_histogram


@pytest.fixture
def generator() -> torch.Generator:
    return torch.Generator().manual_seed(1)


SHAPES = [
    ((7, 6), CHANNELS, 1),
    ((5, 6, 9), CHANNELS, 1),
    ((4, 3, 8, 9), CHANNELS, 1),
    ((2, 3, 4, 5, 6), CHANNELS, 1),
    ((4, 33, 16), TRAILING, 1),
    ((64, 16), TRAILING, 1),
    ((3, 5, 4, 6), TRAILING, 2),
    ((3, 4, 6), TRAILING, 2),
]


@pytest.mark.parametrize(("shape", "kind", "depth"), SHAPES)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.float16, torch.bfloat16])
def test_every_statistic_equals_numpy(shape, kind, depth, dtype, generator) -> None:
    x = torch.randn(shape, generator=generator).mul_(2).add_(0.5).to(dtype)
    check(x, geometry(shape, kind, depth))


@pytest.mark.parametrize(
    ("shape", "kind"),
    [
        ((16, 128, 64), TRAILING),
        ((8, 6, 20, 20), CHANNELS),
        ((512, 32), TRAILING),
        ((300, 6), CHANNELS),
    ],
)
def test_variance_keeps_its_digits_at_mean_3000(shape, kind, generator) -> None:
    x = torch.randn(shape, generator=generator) + 3000
    where = geometry(shape, kind)
    got = as_arrays(summarise(x, where))
    array = x.double().numpy()
    axes = tuple(a for a in range(x.dim()) if a not in where.feature_axes)
    np.testing.assert_allclose(got["featureVariance"], array.var(axis=axes), rtol=1e-5)
    np.testing.assert_allclose(got["featureMean"], array.mean(axis=axes), rtol=1e-6)
    rest = tuple(range(1, x.dim()))
    np.testing.assert_allclose(got["sampleVariance"], array.var(axis=rest), rtol=1e-5)


def test_features_of_very_different_offsets_do_not_disturb_each_other(generator) -> None:
    offsets = torch.tensor([0.0, 1e4, -1e6, 1e-3])
    x = torch.randn((8, 50, 4), generator=generator) * torch.tensor([1, 2, 8, 1e-5]) + offsets
    check(x, geometry(tuple(x.shape), TRAILING))


@pytest.mark.parametrize("kind", [CHANNELS, TRAILING])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.float64])
def test_nan_and_infinity_are_counted_and_spoil_nothing(kind, dtype, generator) -> None:
    x = torch.randn((6, 5, 20), generator=generator).to(dtype)
    x[0, 1, 2] = float("nan")
    x[3, 4, 5] = float("inf")
    x[3, 0, 6] = -float("inf")
    x[:, 2, :] = 0
    x[1] = float("nan")
    check(x, geometry((6, 5, 20), kind))


def test_a_feature_without_finite_values_has_nan_and_others_are_right(generator) -> None:
    x = torch.randn((6, 4, 20), generator=generator)
    x[:, 2] = float("inf")
    check(x, geometry((6, 4, 20), CHANNELS))


def test_one_row_constant_features_and_zeros(generator) -> None:
    check(torch.randn((1, 8), generator=generator), geometry((1, 8), CHANNELS))
    x = torch.full((4, 32, 8), 0.1)
    check(x, geometry((4, 32, 8), TRAILING))
    check(torch.zeros(4, 32, 8), geometry((4, 32, 8), TRAILING))
    check(torch.relu(torch.randn((4, 32, 8), generator=generator)), geometry((4, 32, 8), TRAILING))


def test_subnormals_are_counted_and_binned_and_zeros_are_not() -> None:
    x = torch.tensor([[1e-40, -1e-39, 0.0, -0.0], [1e-45, 1.0, 0.0, 2.0]])
    check(x, geometry((2, 4), TRAILING))


def test_sums_that_overflow_float32_do_not_become_infinite() -> None:
    x = torch.tensor([[3e38, 1.0], [3e38, 2.0], [2e38, 3.0]])
    got = as_arrays(summarise(x, geometry((3, 2), CHANNELS)))
    np.testing.assert_allclose(got["featureMean"], [8e38 / 3, 2.0], rtol=1e-6)


def test_channels_last_transposed_and_expanded_memory(generator) -> None:
    x = torch.randn((4, 6, 5, 7), generator=generator)
    where = geometry((4, 6, 5, 7), CHANNELS)
    check(x.to(memory_format=torch.channels_last), where)
    check(x.permute(0, 1, 3, 2), geometry((4, 6, 7, 5), CHANNELS))
    check(x[:, :, ::2, 1:4], geometry((4, 6, 3, 3), CHANNELS))
    check(torch.ones(()).expand(4, 6, 5, 7), where)
    check(torch.randn((4, 6, 20), generator=generator).transpose(1, 2),
          geometry((4, 20, 6), TRAILING))  # fmt: skip


def test_an_input_without_batch_axis_is_one_sample(generator) -> None:
    x = torch.randn((6, 5, 7), generator=generator)
    got = as_arrays(summarise(x, Geometry("instance", 6, (0,), (1, 2), False)))
    assert_statistics(got, x.numpy()[None], (1,), 1.2e-38)
    y = torch.randn(8, generator=generator)
    got = as_arrays(summarise(y, Geometry("layer", 8, (0,), (0,), False)))
    assert_statistics(got, y.numpy()[None], (1,), 1.2e-38)


def test_an_empty_tensor_counts_nothing() -> None:
    summary = summarise(torch.empty(0, 6, 4), geometry((0, 6, 4), CHANNELS))
    assert (summary.elements, summary.samples) == (0, 0)
    mean, variance = mean_and_variance(summary.feature)
    assert mean.isnan().all() and variance.isnan().all()
    filled = summarise(torch.ones(2, 6, 4), geometry((2, 6, 4), CHANNELS))
    both = merged(summary, filled)
    assert mean_and_variance(both.feature)[0].tolist() == [1.0] * 6


def test_samples_beyond_the_bound_have_no_figures_of_their_own(generator) -> None:
    x = torch.randn((MAX_SAMPLES + 10, 3), generator=generator)
    summary = summarise(x, geometry((MAX_SAMPLES + 10, 3), TRAILING))
    assert summary.samples == MAX_SAMPLES + 10
    assert summary.sample.mean.numel() == MAX_SAMPLES
    np.testing.assert_allclose(
        as_arrays(summary)["featureMean"], x.double().numpy().mean(0), rtol=1e-5, atol=1e-8
    )


def test_the_input_is_not_touched(generator) -> None:
    x = torch.relu(torch.randn((8, 32, 16), generator=generator))
    before = x.clone()
    summarise(x, geometry((8, 32, 16), TRAILING))
    assert torch.equal(x, before)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
def test_the_path_for_accelerators_gives_the_same_numbers(generator, dtype) -> None:
    """The path without decisions, run on the CPU: all the figures of the one that decides."""
    for shape, kind, depth in SHAPES:
        x = (torch.randn(shape, generator=generator) * 3 + 7).to(dtype)
        x[0, 0] = 0.0
        where = geometry(shape, kind, depth)
        summary = without_decisions(x, where, ALL, None)
        array, limits = x.double().numpy(), torch.finfo(dtype)
        assert_statistics(as_arrays(summary), array, where.feature_axes, limits.tiny)
        assert_whole(whole(summary), array, limits.max)
        assert histogram(summary) == reference_histogram(array)
        if where.family == "layer":
            check_rows(summary, array, where.feature_axes)


def test_merging_calls_equals_one_call_on_both(generator) -> None:
    where = geometry((0, 5, 24), CHANNELS)
    first = torch.randn((6, 5, 24), generator=generator) + 3000
    second = torch.randn((3, 5, 24), generator=generator) * 2 + 2990
    third = torch.randn((2, 5, 24), generator=generator)
    third[0, 0, 0] = float("nan")
    both = merged(summarise(first, where), summarise(second, where))
    all_three = merged(both, summarise(third, where))
    for summary, parts, calls in (
        (both, [first, second], 2),
        (all_three, [first, second, third], 3),
    ):
        array = torch.cat(parts).double().numpy()
        got = as_arrays(summary)
        assert got["counts"][0] == calls
        got["counts"][0] = 1
        assert_statistics(got, array, (1,), 1.2e-38)
        assert histogram(summary) == reference_histogram(array)


def test_merged_moments_equal_the_shared_vectors(vectors) -> None:
    data = vectors("moments.json")
    summaries = []
    for part in data["parts"]:
        values = torch.tensor(part["values"], dtype=torch.float64)[:, None]
        summaries.append(summarise(values, geometry((len(values), 1), CHANNELS)))
        assert summaries[-1].feature.m2.item() == pytest.approx(part["moments"]["m2"], rel=1e-12)
    both = merged(summaries[0], summaries[1])
    everything = merged(both, summaries[2])
    for summary, name in ((both, "merged_ab"), (everything, "merged_abc")):
        expected = data[name]
        assert summary.elements == expected["n"]
        assert summary.feature.mean.item() == pytest.approx(expected["mean"], rel=1e-12)
        assert summary.feature.m2.item() == pytest.approx(expected["m2"], rel=1e-12)
        assert summary.minimum.item() == expected["min"]
        assert summary.maximum.item() == expected["max"]


@pytest.mark.parametrize(("name", "integer"), [("float16", np.uint16), ("float32", np.uint32)])
def test_value_classes_equal_the_shared_vectors(vectors, name, integer) -> None:
    case = vectors("value_classes.json")[name]
    bits = np.array(case["bits"], dtype=integer)
    x = torch.from_numpy(bits.view(np.float16 if name == "float16" else np.float32).copy())
    summary = summarise(x[:, None], geometry((len(bits), 1), CHANNELS))
    expected = case["expect"]
    order = ["nan", "pos_inf", "neg_inf", "zero", "subnormal"]
    assert summary.classes.tolist() == [expected[key] for key in order]
    assert summary.feature.mean.item() == pytest.approx(expected["mean_of_finite"], rel=1e-6)


def test_raw_bytes_are_the_tensors_memory() -> None:
    x = torch.arange(12, dtype=torch.float32).reshape(3, 4).t()
    assert raw_bytes(x) == x.contiguous().numpy().tobytes()
    assert raw_bytes(torch.empty(0)) == b""


def test_no_random_number_is_drawn_and_no_graph_recorded(generator) -> None:
    state = torch.get_rng_state()
    x = torch.randn((4, 5, 20), generator=generator).requires_grad_()
    with torch.no_grad():
        summary = summarise(x, geometry((4, 5, 20), CHANNELS))
    assert torch.equal(state, torch.get_rng_state())
    assert not summary.feature.mean.requires_grad
