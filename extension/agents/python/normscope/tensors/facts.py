# ruff: noqa: RUF001
"""What is known of one tensor, whatever its framework, and its one line of text."""

from __future__ import annotations

from dataclasses import dataclass, field

from .notation import bins_of, count, number, shape_text, spark
from .words import word

#: Tensors of so few elements show these.
FEW = 6


@dataclass
class Figures:
    """Statistics of the elements that were read. Mean, deviation and range are of finite ones."""

    #: Elements of the tensor, and how many distinct ones of these were read.
    total: int
    read: int
    sampled: bool
    nan: int = 0
    infinite: int = 0
    zeros: int = 0
    finite: int = 0
    mean: float = 0.0
    #: Square root of the biased variance.
    deviation: float = 0.0
    low: float = 0.0
    high: float = 0.0
    #: Some of the values, for the drawn distribution.
    some: list[float] = field(default_factory=list)
    #: Features that have one value throughout, of how many; None where no axis is theirs.
    dead: int | None = None
    features: int = 0

    @property
    def bins(self) -> list[int]:
        return bins_of(self.some, self.low, self.high)


@dataclass
class Facts:
    """A tensor's outside, and its figures or why there are none."""

    dtype: str
    sizes: tuple[object, ...]
    #: Device, ``grad``, layout, class: what sets it apart.
    traits: list[str] = field(default_factory=list)
    figures: Figures | None = None
    #: Values of a tensor of at most :data:`FEW` elements.
    values: list[object] | None = None
    #: Said before the figures: whose they are, where not simply the tensor's.
    of: str = ""
    #: Why there are no figures, or what comes beside them.
    notes: list[str] = field(default_factory=list)
    floating: bool = True
    boolean: bool = False
    #: It has no values, which is as it should be.
    sizes_only: bool = False

    @property
    def head(self) -> str:
        """Shape first, such as ``float32[16, 256] cpu grad``."""
        return " ".join([f"{self.dtype}{shape_text(self.sizes)}", *self.traits])

    @property
    def text(self) -> str:
        """The one line."""
        parts = [self.head]
        if self.values is not None:
            parts.append((self.of + " " if self.of else "") + ", ".join(map(number, self.values)))
        elif self.figures is not None:
            parts.extend(self._of_figures(self.figures))
        return " · ".join([*parts, *self.notes])

    @property
    def short(self) -> str:
        """Mean and deviation; nothing where there are none."""
        f = self.figures
        return f"μ {number(f.mean)} σ {number(f.deviation)}" if f is not None and f.finite else ""

    @property
    def brief(self) -> str:
        """What fits at the end of a line of code."""
        text = f"{self.dtype}{shape_text(self.sizes)}"
        f = self.figures
        if self.values is not None:
            return f"{text} {', '.join(map(number, self.values))}"
        if f is None:
            return " · ".join([text, *self.notes])
        if f.finite and not self.boolean:
            text += f" {self.short}"
        for name, bad in (("NaN", f.nan), ("Inf", f.infinite)):
            text += f" · {name} {count(bad)}" if bad else ""
        return text

    def _of_figures(self, f: Figures) -> list[str]:
        parts: list[str] = []
        if self.boolean:
            parts.append(f"True {count(round(f.mean * f.finite))}/{count(f.finite)}")
        elif f.finite:
            name = self.of + " " if self.of else ""
            parts.append(f"{name}{self.short}")
            drawn = spark(f.bins)
            low, high = self._whole(f.low), self._whole(f.high)
            parts.append(f"{number(low)} … {number(high)} {drawn}".rstrip())
        if self.floating:
            parts.append(f"NaN {count(f.nan)}")
            if f.infinite:
                parts.append(f"Inf {count(f.infinite)}")
        if f.dead is not None:
            parts.append(word("dead {0}/{1}", count(f.dead), count(f.features)))
        if f.sampled:
            parts.append(word("from {0} of {1}", count(f.read), count(f.total)))
        return parts

    def _whole(self, value: float) -> float | int:
        return value if self.floating else int(value)
