"""Figures with and without the rows that are padding."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from measuring import CHANNEL_ROWS, CHANNELS, TRAILING, geometry, summarise
from normscope.geometry import Geometry, cells
from normscope.masked import masked_unpadded
from normscope.merge import merged
from normscope.packing import mean_and_variance, whole_figures
from normscope.summary import Unpadded
from reading import WHOLE, assert_whole


@pytest.fixture
def generator() -> torch.Generator:
    return torch.Generator().manual_seed(5)


def compare(unpadded: Unpadded | None, rows: np.ndarray) -> None:
    """``rows`` [rows, features] are those that are no padding."""
    assert unpadded is not None
    mean, variance = mean_and_variance(unpadded.feature)
    np.testing.assert_allclose(mean, rows.mean(0), rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(variance, rows.var(0), rtol=1e-5)
    figures = dict(zip(WHOLE, whole_figures([unpadded.whole])[0].tolist()))
    assert_whole(figures, rows, float(torch.finfo(torch.float32).max))


def rows_of(x: torch.Tensor, where: Geometry) -> np.ndarray:
    turned = x if where.feature_axes == (2,) else x.transpose(1, 2)
    return turned.reshape(-1, where.features).double().numpy()


@pytest.mark.parametrize("kind", [TRAILING, CHANNELS, CHANNEL_ROWS])
@pytest.mark.parametrize("poisoned", [False, True])
def test_rows_that_a_mask_names_are_left_out(kind, poisoned, generator) -> None:
    x = torch.randn((6, 8, 8), generator=generator) + 4
    where = geometry((6, 8, 8), kind)
    padding = torch.rand(48, generator=generator) < 0.3
    turned = x if kind == TRAILING else x.transpose(1, 2)
    turned.reshape(-1, 8)
    rows = padding.view(6, 8)
    turned[rows] = 100.0
    if poisoned:
        turned[rows] = float("nan")
    summary = summarise(x, where, padding=padding)
    assert summary.padding is not None and summary.padding.item() == padding.sum().item()
    kept = rows_of(x, where)[~padding.numpy()]
    compare(summary.unpadded, kept)
    by_device = masked_unpadded(cells(x, where), padding, None, torch.finfo(x.dtype))
    compare(by_device, kept)


def test_constant_rows_of_a_layer_norm_are_padding_without_a_mask(generator) -> None:
    x = torch.randn((4, 16, 12), generator=generator)
    x[1, 10:] = 0
    x[3, 5:] = 0.1
    where = geometry((4, 16, 12), TRAILING)
    summary = summarise(x, where)
    constant = torch.zeros(4, 16, dtype=torch.bool)
    constant[1, 10:] = constant[3, 5:] = True
    assert summary.constant_rows is not None
    assert torch.equal(summary.constant_rows, constant.flatten())
    assert summary.padding is not None and summary.padding.item() == 17
    compare(summary.unpadded, x[~constant].double().numpy())


def test_all_rows_constant_are_no_padding_and_a_batch_norm_has_no_rows_to_judge(generator) -> None:
    assert summarise(torch.zeros(4, 3, 5), geometry((4, 3, 5), TRAILING)).padding is None
    x = torch.randn((4, 3, 5), generator=generator)
    x[2] = 0
    assert summarise(x, geometry((4, 3, 5), CHANNELS)).padding is None


def test_a_mask_of_all_rows_leaves_nothing(generator) -> None:
    x = torch.randn((2, 3, 5), generator=generator)
    where = geometry((2, 3, 5), TRAILING)
    summary = summarise(x, where, padding=torch.ones(6, dtype=torch.bool))
    assert summary.unpadded is not None
    assert whole_figures([summary.unpadded.whole])[0].isnan().all()
    assert mean_and_variance(summary.unpadded.feature)[0].isnan().all()


def test_calls_with_and_without_padding_merge(generator) -> None:
    where = geometry((2, 3, 5), TRAILING)
    parts = [torch.randn((2, 3, 5), generator=generator) for _ in range(3)]
    parts[1][1, 2] = 0
    first, second, third = (summarise(part, where) for part in parts)
    both = merged(merged(first, second), third)
    assert both.padding is not None and both.padding.item() == 1
    rows = torch.cat(parts).reshape(-1, 5)
    compare(both.unpadded, rows[rows.abs().sum(1) > 0].double().numpy())


def test_figures_of_padded_layers_reach_the_collector(train) -> None:
    run = train(
        """
        import torch
        from torch import nn
        torch.manual_seed(0)
        model = nn.Sequential(nn.LayerNorm(8), nn.Linear(8, 8), nn.LayerNorm(8))
        optimizer = torch.optim.SGD(model.parameters(), 0.1)
        for step in range(2):
            x = torch.randn(4, 6, 8)
            x[1, 4:] = 0
            model(x).square().sum().backward()
            optimizer.step()
            optimizer.zero_grad()
        torch.save(x, "x.pt")
        """
    ).run
    assert run.counts(1, "0", "pre")["paddingRows"] == 2
    assert run.counts(1, "0", "post")["paddingRows"] == 2
    assert run.counts(1, "0", "gradPost")["paddingRows"] == 2
    assert run.counts(1, "2", "pre")["paddingRows"] == 0
    tap = run.tap(1, "0", "pre")
    share = 22 / 24
    np.testing.assert_allclose(
        tap["unpaddedFeatureMean"], tap["featureMean"] / share, rtol=1e-5, atol=1e-7
    )
    assert "unpaddedWhole" not in run.tap(1, "2", "pre")
