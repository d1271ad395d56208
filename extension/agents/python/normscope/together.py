"""Calls of one kind whose sums are known: what completing them needs."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor

from .reducers import Axis
from .summary import Moments
from .sums import Powers


@dataclass(eq=False, repr=False)
class Together:
    """Lists and first axes are by call."""

    #: Sums of first and second powers by entry: [calls, 2, entries], float64.
    powers: Tensor
    #: Minima and maxima by feature: [calls, 2, features], float64.
    ranges: Tensor
    #: What the entries are.
    axes: tuple[Axis, ...]
    totals: list[Powers]
    classes: list[list[float]]
    #: What the values are multiplied by, and the largest number they could be before.
    times: list[float]
    largest: list[float]
    #: Values for the histograms, float32, equally many.
    drawn: list[Tensor]
    zeros_possible: bool
    #: Positions of each sample, where samples are to be made from rows; else 0.
    positions: int
    by_row: bool
    #: Moments by axis where the sums had too few digits for them; of all calls or of none.
    settled: list[list[Moments]]
