"""Memory that tensors share one after the other, and figures that are packed together."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
import torch
from measuring import CHANNEL_ROWS, CHANNELS, TRAILING, as_arrays, check, geometry, whole
from normscope import packing, rooms
from normscope.completing import complete
from normscope.layout import TapSlots
from normscope.statistics import summarise as begin

SHAPES = [
    ((40, 50, 24), TRAILING),
    ((67, 33), TRAILING),
    ((6, 12, 9, 8), CHANNELS),
    ((6, 12, 9, 8), CHANNEL_ROWS),
    ((130, 40, 3), CHANNELS),
    ((130, 40, 3), CHANNEL_ROWS),
    ((1100, 600), TRAILING),
    ((400, 300, 5), CHANNELS),
    ((70, 64, 12, 12), CHANNELS),
]


def drawn(shape: tuple[int, ...], seed: int) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


@pytest.mark.parametrize(("shape", "kind"), SHAPES)
def test_figures_stay_when_the_memory_goes_to_the_next_tensor(shape, kind) -> None:
    where = geometry(shape, kind)
    before = begin(drawn(shape, 1), where)
    complete((before,))
    known = {name: values.copy() for name, values in as_arrays(before).items()}
    counted = before.histogram.clone()
    check(3.0 * drawn(shape, 2) + 1, where)
    assert torch.equal(before.histogram, counted)
    for name, values in as_arrays(before).items():
        assert (values == known[name]).all(), name


@pytest.mark.parametrize(("shape", "kind"), SHAPES)
def test_tensors_of_one_shape_that_wait_together_have_figures_of_their_own(shape, kind) -> None:
    where = geometry(shape, kind)
    tensors = [drawn(shape, seed) * (seed + 1) for seed in range(4)]
    together = [begin(x, where, seek_padding=False) for x in tensors]
    complete(together)
    for x, summary in zip(tensors, together):
        alone = begin(x, where, seek_padding=False)
        complete((alone,))
        assert whole(alone) == pytest.approx(whole(summary), rel=1e-12)
        assert torch.equal(alone.histogram, summary.histogram)
        for name, values in as_arrays(alone).items():
            assert values == pytest.approx(as_arrays(summary)[name], rel=1e-6), name


def test_a_feature_far_from_zero_in_one_block_of_rows_only_is_right() -> None:
    x = drawn((512, 32), 3)
    x[64:128, 5] += 1000
    x[:, 7] = 0
    check(x, geometry((512, 32), TRAILING))


def test_memory_nobody_uses_is_bounded(monkeypatch) -> None:
    monkeypatch.setattr(rooms, "_MAX_FREE", 1 << 18)
    kept = rooms.Rooms()
    for length in range(1, 400):
        for _ in range(2):
            kept.give_back(rooms.Room(length, 100 + length, 1, 10, 1, torch.float32))
    free = [room for some in kept._free.values() for room in some]
    assert 0 < sum(room.size for room in free) <= 1 << 18
    assert kept.take("never seen") is None


@pytest.mark.parametrize("samples", [6, 9])
def test_slots_written_together_equal_those_written_one_by_one(samples) -> None:
    where = geometry((6, 50, 24), TRAILING)
    summaries = [begin(drawn((6, 50, 24), seed), where) for seed in range(3)]
    complete(summaries)
    layers = [SimpleNamespace(taps=[summary]) for summary in summaries]
    slots = [TapSlots(layer, 0, 0, 24, samples, True, False, 0) for layer in layers]
    wholes = packing.whole_figures([summary.whole for summary in summaries])
    ready = packing._together(SimpleNamespace(taps=slots), summaries, wholes)
    assert len(ready) == 3
    for summary, own, row in zip(summaries, slots, wholes):
        one_by_one = torch.cat(packing._pieces(summary, own, row)).float()
        assert len(one_by_one) == own.length
        same = (ready[id(summary)] == one_by_one) | (one_by_one.isnan())
        assert same.all()
        assert torch.equal(ready[id(summary)].isnan(), one_by_one.isnan())
