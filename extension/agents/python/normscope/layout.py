"""The layout of the packed block: which numbers lie where, and what the layers are."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .frames import MAX_DATA_BYTES, MAX_HEADER_BYTES, encode
from .geometry import Geometry
from .layer_info import layer_info
from .layers import TAPS, Layer
from .rows import EXTREME_ROWS, FAMILIES

COUNTS = 9
WHOLE = 7
EXTREMES = 3 * EXTREME_ROWS
#: What the histograms of a tap count; only the first for norms that do not work row by row.
HISTOGRAMS = ("values", "rowMean", "rowVariance")
#: More layers than this are listed, but have no slots: the header's size is bounded.
MAX_LAYERS_WITH_SLOTS = 2000
#: Block elements that leave room for the histograms in a frame's data.
_MAX_BLOCK = MAX_DATA_BYTES // 4 * 3 // 4


@dataclass(frozen=True, repr=False)
class TapSlots:
    """One tap's slots, which lie together."""

    layer: Layer
    tap: int
    offset: int
    features: int
    samples: int
    #: Whether its layer normalizes row by row.
    by_row: bool
    #: Whether figures without padding follow.
    padded: bool
    #: Row of its first histogram.
    row: int

    @property
    def lengths(self) -> tuple[tuple[str, int], ...]:
        """Its statistics in their order, with the length of each slot."""
        features, samples = self.features, self.samples
        return (
            ("counts", COUNTS),
            ("whole", WHOLE),
            ("featureMean", features),
            ("featureVariance", features),
            ("featureMin", features),
            ("featureMax", features),
            ("sampleMean", samples),
            ("sampleVariance", samples),
            *((("extremeRows", EXTREMES),) if self.by_row else ()),
            *(
                (
                    ("unpaddedWhole", WHOLE),
                    ("unpaddedFeatureMean", features),
                    ("unpaddedFeatureVariance", features),
                )
                if self.padded
                else ()
            ),
        )

    @property
    def length(self) -> int:
        return sum(length for _, length in self.lengths)

    @property
    def histograms(self) -> int:
        """How many histograms it has."""
        return len(HISTOGRAMS) if self.by_row else 1


@dataclass(frozen=True, repr=False)
class ParameterSlots:
    """A layer's vectors, which lie together, one value a feature each."""

    layer: Layer
    names: tuple[str, ...]
    offset: int
    features: int

    @property
    def length(self) -> int:
        return self.features * len(self.names)


@dataclass(eq=False, repr=False)
class Layout:
    """Immutable once built. The parameters lie behind the taps."""

    number: int
    layers: list[Layer]
    taps: list[TapSlots] = field(default_factory=list)
    parameters: list[ParameterSlots] = field(default_factory=list)
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
    with_slots: list[tuple[Layer, Geometry]] = []
    row = reserved = 0
    for layer in layers:
        geometry = layer.geometry
        if geometry is None or not layer.fired or layer.off:
            continue
        taps: list[TapSlots] = []
        offset, next_row = layout.block_length, row
        for tap, samples in enumerate(layer.samples):
            if samples:
                by_row = geometry.family in FAMILIES
                slots = TapSlots(
                    layer, tap, offset, geometry.features, samples, by_row, layer.padded, next_row
                )
                taps.append(slots)
                offset += slots.length
                next_row += slots.histograms
        vectors = geometry.features * len(layer.vectors)
        full = offset + reserved + vectors > _MAX_BLOCK
        if full or len(with_slots) >= most_with_slots:
            layout.crowded_out.append(layer)
            continue
        with_slots.append((layer, geometry))
        layout.taps += taps
        layout.block_length, row = offset, next_row
        reserved += vectors
    for layer, geometry in with_slots:
        if layer.vectors:
            vectors_at = layout.block_length
            known = ParameterSlots(layer, layer.vectors, vectors_at, geometry.features)
            layout.parameters.append(known)
            layout.block_length += known.length
    return layout


def _body(layout: Layout) -> dict[str, Any]:
    return {
        "kind": "layout",
        "layoutId": layout.number,
        "layers": [layer_info(layer) for layer in layout.layers],
        "slots": [slot for taps in layout.taps for slot in _slots(taps)],
        "parameters": [slot for known in layout.parameters for slot in _parameters(known)],
        "histograms": [
            {"layer": taps.layer.id, "tap": TAPS[taps.tap], "of": of, "row": taps.row + place}
            for taps in layout.taps
            for place, of in enumerate(HISTOGRAMS[: taps.histograms])
        ],
        "blockLength": layout.block_length,
    }


def _slots(taps: TapSlots) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    offset = taps.offset
    for statistic, length in taps.lengths:
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


def _parameters(known: ParameterSlots) -> list[dict[str, Any]]:
    return [
        {
            "layer": known.layer.id,
            "parameter": name,
            "offset": known.offset + place * known.features,
            "length": known.features,
        }
        for place, name in enumerate(known.names)
    ]
