"""Reads captured numbers out of frames, and computes the same ones in numpy float64."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from collector import Connection, Frame

COUNTS = ["calls", "elements", "samples", "nan", "positiveInfinity", "negativeInfinity", "zero",
          "subnormal", "paddingRows"]  # fmt: skip
WHOLE = ["mean", "variance", "skewness", "kurtosis", "min", "max", "headroom"]
TAPS = ["pre", "post", "gradPost", "gradPre"]


class Run:
    """What one connection sent, with layouts applied."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.frames = connection.frames
        self.layouts = {f.body["layoutId"]: f.body for f in connection.of_kind("layout")}
        self.steps = connection.of_kind("step")

    @property
    def layers(self) -> list[dict[str, Any]]:
        return self.connection.of_kind("layout")[-1].body["layers"]

    def layer(self, name: str) -> dict[str, Any]:
        found = [layer for layer in self.layers if layer["name"] == name]
        assert found, f"no layer {name!r} among {[layer['name'] for layer in self.layers]}"
        return found[0]

    def events(self) -> list[str]:
        return [frame.body["event"] for frame in self.connection.of_kind("event")]

    @property
    def bye(self) -> dict[str, Any]:
        assert self.frames[-1].kind == "bye", [frame.kind for frame in self.frames]
        return self.frames[-1].body

    def tap(self, step: int, name: str, tap: str) -> dict[str, np.ndarray]:
        """Statistics of one tap; empty when it has no slots."""
        frame = self.steps[step]
        number = self.layer(name)["id"]
        layout = self.layouts[frame.body["layoutId"]]
        block = frame.tensors["block"]
        assert len(block) == layout["blockLength"]
        return {
            slot["statistic"]: block[slot["offset"] : slot["offset"] + slot["length"]]
            for slot in layout["slots"]
            if slot["layer"] == number and slot["tap"] == tap
        }

    def counts(self, step: int, name: str, tap: str) -> dict[str, float]:
        return dict(zip(COUNTS, self.tap(step, name, tap)["counts"].tolist()))

    def whole(self, step: int, name: str, tap: str) -> dict[str, float]:
        return dict(zip(WHOLE, self.tap(step, name, tap)["whole"].tolist()))

    def parameters(self, step: int, name: str) -> dict[str, np.ndarray]:
        """Vectors of a layer by name; those that it has."""
        frame = self.steps[step]
        number = self.layer(name)["id"]
        layout = self.layouts[frame.body["layoutId"]]
        block = frame.tensors["block"]
        return {
            slot["parameter"]: block[slot["offset"] : slot["offset"] + slot["length"]]
            for slot in layout["parameters"]
            if slot["layer"] == number
        }

    def histogram(self, step: int, name: str, tap: str, of: str = "values") -> dict[int, int]:
        frame = self.steps[step]
        number = self.layer(name)["id"]
        layout = self.layouts[frame.body["layoutId"]]
        (row,) = [
            h["row"]
            for h in layout["histograms"]
            if h["layer"] == number and h["tap"] == tap and h["of"] == of
        ]
        return histogram_row(frame, row)


def histogram_row(frame: Frame, row: int) -> dict[int, int]:
    begin, end = frame.tensors["splits"][row : row + 2]
    bins, counts = frame.tensors["bins"][begin:end], frame.tensors["counts"][begin:end]
    return dict(zip(bins.tolist(), counts.tolist()))


def reference_whole(x: np.ndarray, largest: float) -> dict[str, float]:
    """The figures of all finite values, in float64; ``largest`` is the dtype's largest number."""
    values = x.astype(np.float64)
    values = values[np.isfinite(values)]
    if not values.size:
        return dict.fromkeys(WHOLE, np.nan)
    deviation = values - values.mean()
    variance = (deviation**2).mean()
    with np.errstate(all="ignore"):
        return {
            "mean": values.mean(),
            "variance": variance,
            "skewness": (deviation**3).mean() / variance**1.5,
            "kurtosis": (deviation**4).mean() / variance**2 - 3,
            "min": values.min(),
            "max": values.max(),
            "headroom": np.abs(values).max() / largest,
        }


def reference_rows(x: np.ndarray, feature_axes: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Mean and variance of each row, in the order of the axes that are no features."""
    others = [axis for axis in range(x.ndim) if axis not in feature_axes]
    turned = np.transpose(x.astype(np.float64), (*others, *feature_axes))
    flat = turned.reshape(int(np.prod([x.shape[axis] for axis in others])), -1)
    return flat.mean(1), flat.var(1)


def reference(x: np.ndarray, feature_axes: tuple[int, ...], tiny: float) -> dict[str, np.ndarray]:
    """The statistics of features and samples by their definition, in float64, over finite
    values."""
    wide = x.astype(np.float64)
    finite = np.isfinite(wide)
    clean = np.where(finite, wide, np.nan)
    axes = tuple(axis for axis in range(x.ndim) if axis not in feature_axes)
    rest = tuple(range(1, x.ndim))
    size = np.abs(wide)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        return {
            "counts": np.array(
                [
                    1,
                    x.size,
                    x.shape[0],
                    np.isnan(wide).sum(),
                    np.isposinf(wide).sum(),
                    np.isneginf(wide).sum(),
                    (wide == 0).sum(),
                    ((size < tiny) & (size > 0)).sum(),
                ]
            ),
            "featureMean": np.nanmean(clean, axis=axes).ravel(),
            "featureVariance": np.nanvar(clean, axis=axes).ravel(),
            "featureMin": np.nanmin(clean, axis=axes).ravel(),
            "featureMax": np.nanmax(clean, axis=axes).ravel(),
            "sampleMean": np.nanmean(clean, axis=rest).ravel(),
            "sampleVariance": np.nanvar(clean, axis=rest).ravel(),
        }


def reference_histogram(x: np.ndarray) -> dict[int, int]:
    """Bins by the definition in ``bitBins.ts``."""
    with np.errstate(over="ignore"):
        narrow = np.ascontiguousarray(x.astype(np.float32)).ravel()
    narrow = narrow[np.isfinite(narrow) & (narrow != 0)]
    bins, counts = np.unique(narrow.view(np.uint32) >> 20, return_counts=True)
    return dict(zip(bins.tolist(), counts.tolist()))


def assert_close(actual: np.ndarray, expected: np.ndarray, name: str, scale: float = 0.0) -> None:
    """Relative 1e-5; for values that cancel out, relative to ``scale`` in float32 rounding."""
    # A variance far below the squared values' rounding is zero for every purpose.
    np.testing.assert_allclose(
        actual, expected, rtol=1e-5, atol=scale, equal_nan=True, err_msg=name
    )


def assert_whole(actual: dict[str, float], x: np.ndarray, largest: float) -> None:
    """Compares a tensor's own figures with numpy's; those that cancel out, to 1e-5."""
    expected = reference_whole(x, largest)
    magnitude = np.abs(x[np.isfinite(x)].astype(np.float64)).max(initial=0.0)
    scale = {"mean": 1e-7 * magnitude, "variance": 1e-13 * magnitude**2}
    for name, wanted in expected.items():
        around = 1e-5 * max(1.0, abs(expected["kurtosis"]) ** 0.75)
        slack = around if name in ("skewness", "kurtosis") else scale.get(name, 0.0)
        assert_close(np.array(actual[name]), np.array(wanted), name, slack)


def assert_statistics(
    actual: dict[str, np.ndarray], x: np.ndarray, feature_axes: tuple[int, ...], tiny: float
) -> None:
    """Compares a tap's statistics with numpy's on the tensor itself."""
    expected = reference(x, feature_axes, tiny)
    finite = np.abs(x[np.isfinite(x)].astype(np.float64))
    largest = float(finite.max()) if finite.size else 0.0
    for name, wanted in expected.items():
        got = actual[name][: len(wanted)]
        rounding = {"Mean": 1e-7 * largest, "Variance": 1e-13 * largest**2}
        scale = next((v for end, v in rounding.items() if name.endswith(end)), 0.0)
        assert_close(got, wanted, name, scale)
        beyond = actual[name][len(wanted) :]
        assert not np.nan_to_num(beyond).any() if name == "counts" else np.isnan(beyond).all()
