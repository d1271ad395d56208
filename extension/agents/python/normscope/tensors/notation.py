"""Numbers, shapes and small distributions as text."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

MINUS = "\N{MINUS SIGN}"
_BARS = "▁▂▃▄▅▆▇█"
#: Bins of a drawn distribution.
SPARK_BINS = 7


def number(value: object) -> str:
    """Three significant digits for a float; an integer whole up to twelve digits."""
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, complex):
        sign = MINUS if math.copysign(1, value.imag) < 0 else "+"
        return f"{number(value.real)}{sign}{number(abs(value.imag))}j"
    if isinstance(value, int):
        text = str(value) if abs(value) < 10**12 else f"{value:.3g}"
    elif isinstance(value, float):
        if math.isnan(value):
            return "NaN"
        if math.isinf(value):
            return "∞" if value > 0 else f"{MINUS}∞"
        plain = abs(value) < 1e6 and (abs(value) >= 1000 or value.is_integer())
        text = f"{value:.0f}" if plain else f"{value:.3g}"
        text = "0" if value == 0 else text
    else:
        return str(value)
    return text.replace("e-0", "e-").replace("e+0", "e+").replace("-", MINUS)


def count(value: int) -> str:
    """With groups of three digits."""
    return f"{value:,}"


def shape_text(sizes: Iterable[object]) -> str:
    return "[" + ", ".join(str(size) for size in sizes) + "]"


def bins_of(values: Sequence[float], low: float, high: float) -> list[int]:
    """How many of the values fall into each of :data:`SPARK_BINS` equal parts of low … high."""
    counts = [0] * SPARK_BINS
    # Halved, since the difference of two floats may be more than a float can hold.
    width = high / 2 - low / 2
    if not (width > 0 and math.isfinite(width)):
        return counts
    for value in values:
        if low <= value <= high:
            place = (value / 2 - low / 2) / width
            counts[min(SPARK_BINS - 1, int(place * SPARK_BINS))] += 1
    return counts


def spark(counts: Sequence[int]) -> str:
    """A bar for each bin, the fullest at full height; nothing for no values."""
    top = max(counts, default=0)
    if top == 0:
        return ""
    return "".join(_BARS[math.ceil(c * (len(_BARS) - 1) / top)] for c in counts)
