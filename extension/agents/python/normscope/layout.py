"""The layout of the packed block: which numbers lie where, and what the layers are."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .classes import declared
from .frames import MAX_DATA_BYTES, MAX_HEADER_BYTES, clip, encode
from .layers import TAPS, Layer

COUNTS = 8
#: More layers than this are listed, but have no slots: the header's size is bounded.
MAX_LAYERS_WITH_SLOTS = 2000
#: Block elements that leave room for the histograms in a frame's data.
_MAX_BLOCK = MAX_DATA_BYTES // 4 * 3 // 4


@dataclass(frozen=True)
class TapSlots:
    """One tap's slots, which lie together: counts, four per feature, two per sample."""

    layer: Layer
    tap: int
    offset: int
    features: int
    samples: int
    #: Row of its histogram.
    row: int

    @property
    def length(self) -> int:
        return COUNTS + 4 * self.features + 2 * self.samples


@dataclass
class Layout:
    """Immutable once built."""

    number: int
    layers: list[Layer]
    taps: list[TapSlots] = field(default_factory=list)
    block_length: int = 0
    #: Layers that fired but have no room for figures.
    crowded_out: list[Layer] = field(default_factory=list)
    #: Layers that are not even listed.
    unlisted: list[Layer] = field(default_factory=list)


def fitted_layout(number: int, layers: list[Layer]) -> tuple[Layout, bytes]:
    """Lays out the taps that ever fired of ``layers``, which are in model order, and encodes it.

    The header's length is bounded, and names and paths can be long: the last layers give way, at
    first their figures, then their place in the list. Sets the status of those without figures.
    """
    listed = layers
    with_slots = MAX_LAYERS_WITH_SLOTS
    while True:
        layout = build_layout(number, listed, with_slots)
        layout.unlisted = layers[len(listed) :]
        for layer in layout.crowded_out:
            layer.status["unsupported"] = "There are too many layers to capture this one too."
        frame = encode(_body(layout))
        if len(frame) <= MAX_HEADER_BYTES:
            return layout, frame
        fraction = 0.9 * MAX_HEADER_BYTES / len(frame)
        with_slots = int(fraction * len({taps.layer.id for taps in layout.taps}))
        if not layout.taps:
            listed = listed[: int(fraction * len(listed))]


def build_layout(
    number: int, layers: list[Layer], most_with_slots: int = MAX_LAYERS_WITH_SLOTS
) -> Layout:
    """Places the taps in the block; the last layers have no room if there is not enough."""
    layout = Layout(number, layers)
    with_slots = 0
    for layer in layers:
        geometry = layer.geometry
        if geometry is None or not layer.fired or layer.off:
            continue
        per_tap = COUNTS + 4 * geometry.features
        room = sum(per_tap + 2 * samples for samples in layer.samples if samples)
        full = layout.block_length + room > _MAX_BLOCK
        if full or with_slots >= most_with_slots:
            layout.crowded_out.append(layer)
            continue
        with_slots += 1
        for tap, samples in enumerate(layer.samples):
            if not samples:
                continue
            slots = TapSlots(
                layer, tap, layout.block_length, geometry.features, samples, len(layout.taps)
            )
            layout.taps.append(slots)
            layout.block_length += slots.length
    return layout


def _body(layout: Layout) -> dict[str, Any]:
    return {
        "kind": "layout",
        "layoutId": layout.number,
        "layers": [_layer(layer) for layer in layout.layers],
        "slots": [slot for taps in layout.taps for slot in _slots(taps)],
        "histograms": [
            {"layer": t.layer.id, "tap": TAPS[t.tap], "row": t.row} for t in layout.taps
        ],
        "blockLength": layout.block_length,
    }


def _slots(taps: TapSlots) -> list[dict[str, Any]]:
    lengths = (
        ("counts", COUNTS),
        ("featureMean", taps.features),
        ("featureVariance", taps.features),
        ("featureMin", taps.features),
        ("featureMax", taps.features),
        ("sampleMean", taps.samples),
        ("sampleVariance", taps.samples),
    )
    found: list[dict[str, Any]] = []
    offset = taps.offset
    for statistic, length in lengths:
        found.append(
            {
                "layer": taps.layer.id,
                "tap": TAPS[taps.tap],
                "statistic": statistic,
                "offset": offset,
                "length": length,
            }
        )
        offset += length
    return found


def _location(location: tuple[str, int] | None) -> dict[str, Any] | None:
    return None if location is None else {"file": clip(location[0]), "line": location[1]}


def _layer(layer: Layer) -> dict[str, Any]:
    geometry = layer.geometry
    family, features = declared(layer.reference())
    return {
        "id": layer.id,
        "name": clip(layer.name),
        "className": clip(layer.class_name),
        "family": geometry.family if geometry else family,
        "features": geometry.features if geometry else features,
        "featureAxes": list(geometry.feature_axes) if geometry else [],
        "normalizedAxes": list(geometry.normalized_axes) if geometry else [],
        "inputShape": list(layer.input_shape),
        "dtype": layer.dtype,
        "eps": layer.eps,
        "momentum": layer.momentum,
        "constructedAt": _location(layer.constructed_at),
        "calledAt": _location(layer.called_at),
        "status": [{"code": c, "reason": clip(r)} for c, r in layer.status.items()],
    }
