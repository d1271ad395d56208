"""What is known about one tap of one layer after a call, in a form that merges exactly."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Callable, NamedTuple, Union

import torch
from torch import Tensor

from .geometry import Cells
from .sums import LastScale, Sums

MAX_SAMPLES = 4096
#: Order of :attr:`Summary.whole`.
WHOLE = ("n", "mean", "m2", "m3", "m4", "min", "max", "headroom")

#: Finite values behind a mean: one number when all are finite, else one per entry.
Weight = Union[float, Tensor]


class Binning(NamedTuple):
    """How values get into the histogram."""

    #: One in this many is binned; see :func:`sampling.sampled`.
    stride: int = 1
    #: Rotates which ones.
    turn: int = 0
    #: Scalar that they are multiplied by before.
    factor: Tensor | None = None


ALL = Binning()


@dataclass(eq=False, repr=False)
class Moments:
    """Mean and sum of squared deviations, of ``weight`` values each."""

    weight: Weight
    mean: Tensor
    m2: Tensor


@dataclass(eq=False, repr=False)
class Unpadded:
    """The figures of the rows that are no padding."""

    whole: Tensor
    feature: Moments


@dataclass(eq=False, repr=False)
class Kept:
    """A copy of a small tensor of a call in host memory, for the step's end."""

    view: Cells
    binning: Binning
    #: What its values are multiplied by.
    times: float
    by_row: bool
    last: LastScale
    #: Measures it by itself.
    begin: Callable[[], Summary]

    @property
    def kind(self) -> tuple[object, ...]:
        """Those of one kind can be measured as one."""
        x, inner = self.view
        stride, turn, _ = self.binning
        return tuple(x.shape), inner, x.dtype, self.by_row, stride, turn


@dataclass(eq=False, repr=False)
class Rest:
    """What is left to do for a call in host memory, which is cheaper for many calls at once."""

    #: Values for the histogram, float32: [drawn].
    drawn: Tensor
    zeros_possible: bool
    classes: list[float]
    sums: Sums
    #: Moments of features, of samples and of rows where the sums had too few digits for them.
    settled: list[Moments] | None
    #: What the values that were measured are multiplied by, and the largest number they could be.
    times: float
    largest: float
    #: Positions of each sample, where samples are to be made from rows; else 0.
    positions: int
    by_row: bool

    @property
    def kind(self) -> tuple[object, ...]:
        """Calls of one kind have tensors of equal shapes."""
        same = (self.positions, self.by_row, self.settled is None)
        return (self.sums.reducer, self.drawn.numel(), *same)

    @property
    def size(self) -> int:
        """Values that are kept."""
        return self.sums.room.size

    @property
    def entries(self) -> int:
        """Features, samples and rows."""
        return sum(axis.length for axis in self.sums.reducer.axes)


@dataclass(eq=False, repr=False)
class Batch:
    """What was completed together, [calls, ...] each: figures are packed so too."""

    classes: Tensor
    whole: Tensor
    feature: Moments
    #: Minima and maxima by feature: [calls, 2, features].
    ranges: Tensor
    sample: Moments
    #: Rows furthest out; None for other families.
    rows: Tensor | None


@dataclass(eq=False, repr=False)
class Summary:
    """What is known about one tap of one layer. Vectors are float64 where the device has it.

    Until it is complete (see ``completing``), all tensors are missing but those of padding.
    """

    calls: int
    elements: int
    samples: int
    #: NaN, +Inf, -Inf, zero, subnormal: [5].
    classes: Tensor
    #: In the order of :data:`WHOLE`, over finite values: [8]. The third and fourth are sums of
    #: powers of deviations from the mean; extremes of no values are infinite.
    whole: Tensor
    feature: Moments
    minimum: Tensor
    maximum: Tensor
    sample: Moments
    #: Counts by bins of values and, for rows, of their means and variances: [1 or 3, 4096].
    histogram: Tensor
    #: Values that one of the histogram stands for.
    stride: int
    #: Positions of all samples, each with one value per feature.
    rows: int
    #: Rows furthest out, as index, mean and variance: [up to 8, 3]. None for other families.
    extremes: Tensor | None = None
    #: Bool [rows], true for rows all of whose values are equal; None where there are none, all
    #: are, or it can not be told. Of this call only.
    constant_rows: Tensor | None = None
    #: Rows that are padding: []; None where none was looked for or found.
    padding: Tensor | None = None
    unpadded: Unpadded | None = None
    rest: Rest | None = None
    #: Where its figures lie among those that were completed together, and at which place.
    batch: Batch | None = None
    place: int = 0
    #: Values of which nothing was measured yet.
    kept: Kept | None = None

    def become(self, other: Summary) -> None:
        """Takes over all that ``other``, of the same call, says."""
        for known in fields(other):
            setattr(self, known.name, getattr(other, known.name))

    @property
    def waiting(self) -> int:
        """Values that are kept until it is complete."""
        kept = 0 if self.kept is None else self.kept.view[0].numel()
        return kept + (0 if self.rest is None else self.rest.size)


def accumulator_dtype(x: Tensor) -> torch.dtype:
    """Float64 wherever the device has it."""
    return torch.float32 if x.device.type == "mps" else torch.float64
