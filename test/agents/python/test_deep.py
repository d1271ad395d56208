"""Deep capture of layers in focus, against numpy."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from collector import Frame, read_frame
from conftest import environment
from measuring import CHANNELS, TRAILING, geometry
from normscope.deep import DeepCapture
from normscope.deep_copy import MAX_VALUES, take
from normscope.geometry import Geometry
from normscope.layers import Layer
from normscope.summary import MAX_SAMPLES
from reading import reference_histogram


@pytest.fixture
def generator() -> torch.Generator:
    return torch.Generator().manual_seed(7)


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def made_layer(where: Geometry, number: int = 3) -> Layer:
    layer = Layer(number, torch.nn.Identity(), None)
    layer.geometry = where
    return layer


def sender(made: list[bytes]) -> Callable[[Callable[[], bytes]], bool]:
    def send(make: Callable[[], bytes]) -> bool:
        made.append(make())
        return True

    return send


def keeper(waiting: list[Any]) -> Callable[[Callable[[], bytes]], bool]:
    def send(make: Callable[[], bytes]) -> bool:
        waiting.append(make)
        return True

    return send


def capture(
    where: Geometry, taps: dict[int, torch.Tensor], factor: torch.Tensor | None = None
) -> Frame:
    deep, layer = DeepCapture(Clock()), made_layer(where)
    for tap, x in taps.items():
        deep.measure(layer, tap, x, factor)
    made: list[bytes] = []
    deep.send([layer], 12, sender(made))
    frame = read_frame(io.BytesIO(made[0]))
    assert frame is not None and frame.kind == "deep"
    return frame


def histograms(frame: Frame, name: str) -> list[dict[int, int]]:
    splits = frame.tensors[f"{name}Splits"]
    bins, counts = frame.tensors[f"{name}Bins"], frame.tensors[f"{name}Counts"]
    return [
        dict(zip(bins[begin:end].tolist(), counts[begin:end].tolist()))
        for begin, end in zip(splits, splits[1:])
    ]


def turned(x: np.ndarray, kind: str) -> np.ndarray:
    """[samples, positions, features]."""
    return x if kind == TRAILING else np.swapaxes(x, 1, 2)


@pytest.mark.parametrize("kind", [TRAILING, CHANNELS])
def test_every_part_equals_numpy(kind, generator) -> None:
    x = torch.randn((70, 6, 80), generator=generator) + 3
    y, g = torch.randn((2, 70, 6, 80), generator=generator).unbind()
    x[0, 0, 0], x[1, 1, 1], x[2, 2, 2] = float("nan"), float("inf"), 0
    where = geometry((70, 6, 80), kind)
    frame = capture(where, {0: x, 1: y, 2: g})
    assert frame.body["taps"] == ["pre", "post", "gradPost"]
    assert (frame.body["layer"], frame.body["step"]) == (3, 12)
    assert frame.body["features"] == where.features
    for name, values in (("pre", x), ("post", y), ("gradPost", g)):
        array = turned(values.numpy(), kind)
        features = [reference_histogram(array[:, :, k]) for k in range(array.shape[2])]
        assert histograms(frame, f"{name}.feature") == features
        samples = [reference_histogram(array[k]) for k in range(70)]
        assert histograms(frame, f"{name}.sample") == samples
    for name, values in (("pre", x), ("post", y)):
        rows = turned(values.double().numpy(), kind).reshape(-1, where.features)
        rows = rows[np.isfinite(rows).all(1)]
        np.testing.assert_allclose(frame.tensors[f"{name}.mean"], rows.mean(0), atol=1e-6)
        wanted = np.cov(rows.T, bias=True).ravel()
        np.testing.assert_allclose(frame.tensors[f"{name}.covariance"], wanted, atol=1e-5)
        assert frame.tensors[f"{name}.covarianceRows"].tolist() == [len(rows)]
    for name, values in (("pre", x), ("gradPost", g)):
        rows = turned(values.numpy(), kind).reshape(-1, where.features)
        places = frame.tensors[f"{name}.rowIndices"]
        got = frame.tensors[f"{name}.rows"].reshape(-1, where.features)
        np.testing.assert_array_equal(got, rows[places])
    np.testing.assert_array_equal(
        frame.tensors["pre.rowIndices"], frame.tensors["gradPost.rowIndices"]
    )
    assert "post.rows" not in frame.tensors and "gradPost.covariance" not in frame.tensors


def test_gradients_are_without_the_scalers_factor(generator) -> None:
    x = torch.randn((4, 5, 6), generator=generator)
    where = geometry((4, 5, 6), TRAILING)
    frame = capture(where, {0: x, 2: x * 1024}, torch.tensor(1 / 1024, dtype=torch.float64))
    np.testing.assert_array_equal(frame.tensors["gradPost.rows"], x.flatten().numpy())


@pytest.mark.parametrize(
    ("shape", "kind"),
    [
        ((64, 600, 300), TRAILING),
        ((3, 2, 900_000), TRAILING),
        ((40, 80, 1000), CHANNELS),
        ((1, 3, 2_000_000), CHANNELS),
    ],
)
def test_large_tensors_are_taken_in_part_and_places_are_right(shape, kind) -> None:
    numbers = torch.arange(int(np.prod(shape)), dtype=torch.float64)
    where = geometry(shape, kind)
    taken = take(numbers.view(shape), where, None)
    x, inner = taken.view
    assert x.numel() <= max(MAX_VALUES, where.features)
    rows = (x if inner == 1 else x.transpose(1, 2)).reshape(-1, where.features)
    whole = turned(numbers.view(shape).numpy(), kind).reshape(-1, where.features)
    np.testing.assert_array_equal(rows.numpy(), whole[taken.index.numpy()])
    positions = whole.shape[0] // shape[0]
    assert torch.equal(taken.sample, taken.index // positions)


def test_a_frame_of_very_many_features_stays_below_the_bound(generator) -> None:
    x = torch.randn((40, 30_000), generator=generator)
    frame = capture(geometry((40, 30_000), TRAILING), {0: x, 1: x, 2: x, 3: x})
    assert sum(tensor.nbytes for tensor in frame.tensors.values()) < 64 * 1024 * 1024
    assert "pre.covariance" not in frame.tensors
    assert len(frame.tensors["pre.rows"]) <= 1 << 19


def test_a_layer_gets_a_frame_every_half_second_at_most() -> None:
    clock = Clock()
    deep, x = DeepCapture(clock), torch.randn(2, 3)
    layer = made_layer(geometry((2, 3), TRAILING))
    frames: list[Any] = []

    def step() -> int:
        deep.measure(layer, 0, x, None)
        deep.measure(layer, 1, x, None)
        deep.send([layer], 1, sender(frames))
        return len(frames)

    assert (step(), step()) == (1, 1)
    clock.now += 0.4
    assert step() == 1
    clock.now += 0.2
    assert step() == 2


def test_copies_do_not_pile_up_before_a_slow_collector() -> None:
    clock = Clock()
    deep = DeepCapture(clock)
    waiting: list[Any] = []
    layers = [made_layer(geometry((2, 3), TRAILING), number) for number in range(5)]

    def step() -> None:
        clock.now += 1
        for layer in layers:
            deep.measure(layer, 0, torch.randn(2, 3), None)
        deep.send(layers, 1, keeper(waiting))

    step()
    step()
    assert len(waiting) == 2
    waiting.pop()()
    step()
    assert len(waiting) == 2
    for _ in range(3):
        deep.measure(layers[0], 0, torch.randn(2, 3), None)
        deep.drop()
    waiting.pop()()
    clock.now += 1
    step()
    assert len(waiting) == 2


TRAINING = """
import time, torch
from torch import nn
model = nn.Sequential(nn.LayerNorm(8), nn.Linear(8, 8), nn.BatchNorm1d(8))
optimizer = torch.optim.SGD(model.parameters(), 0.01)
end = time.monotonic() + 60
while time.monotonic() < end:
    model(torch.randn(16, 8)).square().sum().backward()
    optimizer.step()
    optimizer.zero_grad()
    time.sleep(0.01)
"""


def test_a_layer_in_focus_sends_its_frames(make_collector) -> None:
    """Focus comes as a command while the program trains."""
    collector = make_collector()
    process = subprocess.Popen([sys.executable, "-c", TRAINING], env=environment(collector))
    try:
        collector.wait_for(lambda: any(c.of_kind("step") for c in collector.connections))
        (connection,) = collector.connections
        layers = connection.of_kind("layout")[-1].body["layers"]
        names = {layer["name"]: layer["id"] for layer in layers}
        connection.send({"kind": "focus", "layers": [names["2"]]})
        collector.wait_for(lambda: len(connection.of_kind("deep")) >= 2)
    finally:
        process.kill()
        process.wait()
    frame = connection.of_kind("deep")[0]
    assert frame.body["layer"] == names["2"]
    assert frame.body["taps"] == ["pre", "post", "gradPost", "gradPre"]
    assert len(frame.tensors["pre.rows"]) == 16 * 8


def test_no_more_samples_have_a_histogram_than_the_collector_takes(generator) -> None:
    x = torch.randn((9000, 3), generator=generator)
    frame = capture(geometry((9000, 3), TRAILING), {0: x})
    assert len(frame.tensors["pre.sampleSplits"]) == MAX_SAMPLES + 1
    rows = x.numpy()
    assert histograms(frame, "pre.sample")[:70] == [reference_histogram(row) for row in rows[:70]]


def test_a_layer_that_is_gone_when_the_step_ends_has_no_frame_and_holds_nothing_up() -> None:
    clock = Clock()
    deep, made = DeepCapture(clock), []
    for number in range(5):
        clock.now += 1
        deep.measure(made_layer(geometry((2, 3), TRAILING), number), 0, torch.randn(2, 3), None)
        deep.send([], number, sender(made))
    assert made == []
    kept = made_layer(geometry((2, 3), TRAILING), 9)
    clock.now += 1
    deep.measure(kept, 0, torch.randn(2, 3), None)
    deep.send([kept], 9, sender(made))
    assert len(made) == 1
