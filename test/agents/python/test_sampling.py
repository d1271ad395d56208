"""Which values of large tensors go into a histogram."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from measuring import summarise
from normscope.geometry import Geometry, cells
from normscope.merge import merged
from normscope.sampling import sampled, stride_for
from normscope.summary import Binning

CHANNELS = Geometry("batch", 512, (1,), (0, 2, 3), True)
TRAILING = Geometry("layer", 256, (2,), (2,), True)


def numbered(*shape: int) -> torch.Tensor:
    """A tensor whose values are their own places; exact in float64."""
    return torch.arange(int(np.prod(shape)), dtype=torch.float64).reshape(shape)


def test_small_tensors_are_binned_whole_and_large_ones_in_bounded_part() -> None:
    assert stride_for(0) == stride_for(1) == stride_for(32_768) == 1
    for elements in (32_769, 65_537, 100_000, 16 * 128 * 256, 10**7, 3 * 5 * 7 * 11 * 13 * 17 * 19):
        stride = stride_for(elements)
        assert 6_000 < elements / stride <= 16_384
        assert all(stride % divisor for divisor in range(2, stride)), "a prime"
        assert elements % stride, "shares no factor with an axis"


def test_focused_layers_are_binned_whole_up_to_a_bound() -> None:
    assert stride_for(4 * 1024 * 1024, focused=True) == 1
    assert 1_000_000 < 10**8 / stride_for(10**8, focused=True) <= 4 * 1024 * 1024


@pytest.mark.parametrize(
    ("shape", "geometry"), [((64, 512, 7, 7), CHANNELS), ((16, 128, 256), TRAILING)]
)
def test_steps_draw_other_values_until_all_were_drawn(shape, geometry) -> None:
    x = numbered(*shape)
    stride = stride_for(x.numel())
    drawn = [sampled(cells(x, geometry), stride, turn).flatten().numpy() for turn in range(stride)]
    assert len(np.unique(np.concatenate(drawn))) == x.numel() == sum(map(len, drawn))
    assert np.array_equal(sampled(cells(x, geometry), stride, stride).flatten(), drawn[0])


def test_one_step_draws_from_every_feature_sample_and_position_alike() -> None:
    shape = (64, 512, 7, 7)
    x = numbered(*shape)
    places = sampled(cells(x, CHANNELS), stride_for(x.numel()), 5).flatten().long().numpy()
    batch, feature, height, width = np.unravel_index(places, shape)
    for axis, length in ((batch, 64), (feature, 512), (height, 7), (width, 7)):
        counts = np.bincount(axis, minlength=length)
        assert counts.min() > 0.8 * counts.mean() and counts.max() < 1.2 * counts.mean()


@pytest.mark.parametrize("shape", [(2, 1, 256), (1, 1, 100_003), (3, 2, 40_000)])
def test_a_sample_is_never_empty(shape) -> None:
    x = numbered(*shape)
    geometry = Geometry("layer", shape[2], (2,), (2,), True)
    for stride in {stride_for(x.numel()), 7, 101}:
        for turn in (0, 1, stride - 1, 10**6):
            assert sampled(cells(x, geometry), stride, turn).numel() > 0


def test_values_that_lie_together_are_drawn_without_a_copy_of_all() -> None:
    x = torch.randn(8, 64, 40).transpose(1, 2)
    assert sampled((x, 1), 11, 3).data_ptr() == x.data_ptr() + 3 * 4
    sparse = torch.randn(8, 80, 64)[:, ::2]
    assert sampled((sparse, 1), 11, 3).numel() == len(range(3, 8 * 40 * 64, 11))


def test_calls_binned_in_different_shares_weigh_alike_when_merged() -> None:
    ones, twos = torch.full((10, 4, 256), 1.0), torch.full((100, 4, 256), 2.0)
    small = summarise(ones, TRAILING, Binning(1))
    large = summarise(twos, TRAILING, Binning(5, 2))
    counts = merged(small, large).histogram[0]
    at = [int(np.float32(value).view(np.uint32) >> 20) for value in (1, 2)]
    assert counts[at].tolist() == [10 * 4 * 256, 100 * 4 * 256]
    assert merged(large, large).histogram[0, at[1]] == 2 * 80 * 256
    three = merged(merged(large, large), small)
    assert three.histogram[0, at].tolist() == [10 * 4 * 256, 2 * 100 * 4 * 256]
