"""Small tensors that wait for the step's end and are measured as one, against numpy's float64."""

from __future__ import annotations

import pytest
import torch
from measuring import CHANNEL_ROWS, CHANNELS, TRAILING, check_summary, geometry
from normscope import completing
from normscope.completing import complete
from normscope.statistics import summarise as begin
from normscope.summary import ALL, Binning
from normscope.sums import LastScale

SHAPES = [
    ((9, 14, 12), TRAILING),
    ((70, 12), TRAILING),
    ((6, 12, 9, 8), CHANNELS),
    ((6, 12, 9, 8), CHANNEL_ROWS),
    ((30, 12, 3), CHANNELS),
    ((30, 12, 3), CHANNEL_ROWS),
    ((30, 12), CHANNELS),
]
DTYPES = [torch.float32, torch.float64, torch.float16, torch.bfloat16]


@pytest.fixture(autouse=True)
def stacked(monkeypatch) -> list[int]:
    """How many tensors of each stack were measured with the others."""
    found: list[int] = []

    def observed(kept):
        places, together = real(kept)
        found.append(len(places))
        return places, together

    real = completing.stacked
    monkeypatch.setattr(completing, "stacked", observed)
    return found


def drawn(shape: tuple[int, ...], seed: int) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


def measured(inputs, where, before=None, binning=ALL):
    """Summaries of ``inputs``, each after the one of ``before`` at its place."""
    places = [LastScale() for _ in inputs]
    for x, last in zip(before or inputs, places):
        complete((begin(x, where, seek_padding=False, last=last),))
    summaries = [
        begin(x, where, binning, seek_padding=False, last=last) for x, last in zip(inputs, places)
    ]
    complete(summaries)
    return summaries


@pytest.mark.parametrize(("shape", "kind"), SHAPES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_every_statistic_of_a_stack_equals_numpy(shape, kind, dtype, stacked) -> None:
    where = geometry(shape, kind)
    inputs = [(drawn(shape, seed) * (seed + 1) + 0.5).to(dtype) for seed in range(5)]
    for x, summary in zip(inputs, measured(inputs, where)):
        check_summary(summary, x, where)
    assert stacked[-1] == 5


@pytest.mark.parametrize(("shape", "kind"), SHAPES)
def test_zeros_and_subnormals_of_each_are_counted(shape, kind, stacked) -> None:
    where = geometry(shape, kind)
    inputs = [drawn(shape, seed) for seed in range(4)]
    inputs[1].clamp_(min=0)
    inputs[3].view(-1)[5:9] = 1e-40
    inputs[3].view(-1)[9] = 0
    summaries = measured(inputs, where)
    for x, summary in zip(inputs, summaries):
        check_summary(summary, x, where)
    assert [summary.classes[4] for summary in summaries] == [0, 0, 0, 4]
    assert stacked[-1] == 4


@pytest.mark.parametrize(("shape", "kind"), SHAPES)
def test_tensors_far_from_zero_and_of_other_units_stand_beside_others(shape, kind, stacked) -> None:
    where = geometry(shape, kind)
    inputs = [drawn(shape, 1), drawn(shape, 2) + 3000, drawn(shape, 3) * 1e-12]
    for x, summary in zip(inputs, measured(inputs, where)):
        check_summary(summary, x, where)
    assert stacked[-1] == 3


@pytest.mark.parametrize(("shape", "kind"), SHAPES)
def test_what_does_not_suit_is_measured_by_itself(shape, kind, stacked) -> None:
    where = geometry(shape, kind)
    before = [drawn(shape, seed) for seed in range(8)]
    inputs = [x.clone() for x in before]
    inputs[1][0, 3] = float("nan")
    inputs[2].view(-1)[7] = float("-inf")
    inputs[3] += 3000
    inputs[4].zero_()
    inputs[5][:, 2] += 100
    inputs[6] *= 1e-12
    for x, summary in zip(inputs, measured(inputs, where, before)):
        check_summary(summary, x, where)
    assert 2 <= stacked[-1] <= 3


def test_the_factor_of_a_gradient_scaler_is_that_of_each() -> None:
    where = geometry((6, 12, 9, 8), CHANNELS)
    inputs = [drawn((6, 12, 9, 8), seed) * 1024 for seed in range(3)]
    scaled = Binning(1, 0, torch.tensor(1 / 1024, dtype=torch.float64))
    plain = measured([x / 1024 for x in inputs], where)
    for own, summary in zip(measured(inputs, where, binning=scaled), plain):
        torch.testing.assert_close(own.whole[:7], summary.whole[:7], rtol=1e-6, atol=1e-7)
        torch.testing.assert_close(own.feature.m2, summary.feature.m2, rtol=1e-6, atol=0)
        assert torch.equal(own.histogram, summary.histogram)


def test_tensors_of_which_one_value_in_some_is_binned_bin_as_alone() -> None:
    where = geometry((64, 600), TRAILING)
    inputs = [drawn((64, 600), seed) for seed in range(3)]
    together = measured(inputs, where, binning=Binning(7, 2))
    for x, summary in zip(inputs, together):
        (alone,) = measured([x], where, binning=Binning(7, 2))
        assert torch.equal(alone.histogram, summary.histogram)
        assert int(summary.histogram[0].sum()) == len(x.view(-1)[2::7])


def test_a_layer_norms_input_waits_only_where_no_row_may_be_padding(stacked) -> None:
    where = geometry((9, 14, 12), TRAILING)
    x = drawn((9, 14, 12), 1)
    assert begin(x, where).kept is not None
    x[4, 10:] = 0
    padded = begin(x, where)
    assert padded.kept is None
    assert padded.padding == 4
