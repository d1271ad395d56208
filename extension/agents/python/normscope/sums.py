"""The first pass over a tensor in host memory: sums of first and second powers along each axis,
of third and fourth over all values, and extremes, all about one common centre.

A part of the tensor at a time, so that what one operation read is still near for the next. Sums are
PyTorch's own, which add in a cascade; products over all values are cut into pieces short enough for
float32.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import torch
from torch import Tensor

from .geometry import Cells
from .host_values import least_square, number, numbers, zeros_and_subnormals
from .reducers import MOST_OF_ENTRY, Reducer, Squares, parts_of, reducer_of
from .rooms import Room
from .scratch import scratch

#: Longest product in float32; beyond, its rounding shows in the sixth digit.
_PIECE = 1 << 19
#: Standard deviations whose fourth powers float32 holds with room to spare.
_LOW, _HIGH = 1e-7, 1e7
#: Share of the sum of squares of all values that their mean may make up; their third and fourth
#: powers lose digits sooner than the variances of entries.
_MOST_OF_ALL = 0.5


class Scale(NamedTuple):
    """What is summed up is powers of ``(x - centre) * unit``; ``unit`` is a power of two."""

    centre: float
    unit: float


class LastScale:
    """The scale that suited the last tensor of one place, which is likely to suit the next."""

    __slots__ = ("scale",)

    def __init__(self) -> None:
        self.scale: Scale | None = None


class Powers(NamedTuple):
    """Sums of powers of all ``n`` values of a tensor about the centre of ``scale``, in its unit."""

    n: int
    scale: Scale
    first: float
    second: float
    third: float
    fourth: float

    @property
    def finite(self) -> bool:
        """Whether all sums are, and with them all values."""
        unit = self.scale.unit
        return all(
            math.isfinite(value)
            for value in (self.first, self.second, self.third / unit**3, self.fourth / unit**4)
        )

    @property
    def far(self) -> bool:
        """Whether the centre is too far from the mean for the higher powers."""
        return self.first * self.first > _MOST_OF_ALL * self.n * self.second

    @property
    def suited(self) -> bool:
        """Whether a scale from an earlier tensor did for this one."""
        return self.finite and not self.far and self.fourth >= _LOW**4 * self.n


@dataclass(eq=False, repr=False)
class Sums:
    """The sums of a tensor."""

    totals: Powers
    reducer: Reducer
    #: First and second powers along the axes, and the extremes of the values themselves.
    room: Room
    #: Largest excess of an entry; see ``Reducer.finish``.
    excess: float
    #: Zeros and subnormals; None where a look at the extremes may settle it.
    small: tuple[int, int] | None

    @property
    def scale(self) -> Scale:
        """Its centre and unit."""
        return self.totals.scale

    @property
    def entries_far(self) -> bool:
        """Whether some entry's mean is too far from the centre for its variance."""
        if self.excess <= 0:
            # Where no block of an entry is too far, the entry is not (Cauchy-Schwarz).
            return False
        powers = joined(self)[0][0]
        start = 0
        for length, values in self.reducer.axes:
            first, second = powers[:, start : start + length].unbind()
            excess = torch.sub(first * first, second, alpha=MOST_OF_ENTRY * values)
            if not number(excess.amax()) <= 0:
                return True
            start += length
        return False

    @property
    def rows_second(self) -> Tensor:
        """Second powers of rows, of norms that work row by row."""
        return self.room.second[-self.reducer.axes[-1].length :]


def scale_of(drawn: Tensor) -> Scale | None:
    """A scale that suits a sample of values; None where they are not finite."""
    if drawn.dtype != torch.float64:
        drawn = drawn.float()
    count = drawn.numel()
    mean = number(drawn.sum()) / count
    square = number(torch.dot(drawn, drawn)) / count
    if not 1e-30 < square < 1e30:
        if drawn.dtype != torch.float64:
            return scale_of(drawn.double())
        if not math.isfinite(square):
            return None
    if mean * mean <= 0.2 * square:
        return Scale(0.0, _unit(square - mean * mean))
    centre = narrow(mean)
    rest = drawn - centre
    return Scale(centre, _unit(number(torch.dot(rest, rest)) / count))


def _unit(variance: float) -> float:
    if variance <= 0 or _LOW < variance**0.5 < _HIGH:
        return 1.0
    return 2.0 ** max(-126, min(126, round(-0.5 * math.log2(variance))))


def narrow(value: float) -> float:
    """The nearest float32; the value itself if it is beyond them."""
    try:
        return float(struct.unpack("f", struct.pack("f", value))[0])
    except OverflowError:
        return value


def parts(x: Tensor) -> Iterator[tuple[int, int, Tensor]]:
    """Contiguous parts of ``x`` along its first axis, in float32 or float64, with their places."""
    yield from _parts(x, parts_of(tuple(x.shape)))


def _parts(x: Tensor, places: list[tuple[int, int]]) -> Iterator[tuple[int, int, Tensor]]:
    dtype = x.dtype if x.dtype == torch.float64 else torch.float32
    ready = x.dtype == dtype and x.is_contiguous()
    if ready and len(places) == 1:
        yield 0, places[0][1], x
        return
    for start, stop in places:
        part = x[start:stop]
        if not ready:
            part = scratch("part", tuple(part.shape), dtype).copy_(part)
        yield start, stop, part


def add_up(view: Cells, scale: Scale, by_row: bool, tiny: float) -> Sums:
    """Sums for ``view``, which is contiguous; for norms of channels those of rows only where asked
    for ``by_row``."""
    x, inner = view
    if inner == 1:
        x = x.view(-1, x.shape[2])
    dtype = x.dtype if x.dtype == torch.float64 else torch.float32
    reducer = reducer_of(tuple(x.shape), dtype, by_row)
    room = reducer.room()
    least_known = least_square(tiny, scale.unit)
    small: tuple[int, int] | None = (0, 0) if scale.centre == 0 else None
    for place, (start, stop, part) in enumerate(_parts(x, reducer.parts)):
        deviation = _deviation(part, scale)
        squares = reducer.squares(start, stop)
        square = torch.mul(deviation, deviation, out=squares.shaped)
        reducer.take(room.views[place], part, deviation, squares)
        third, fourth, least = room.by_part[place]
        _product(squares.flat, deviation.view(-1), third)
        _square(squares, fourth)
        if small is not None and not number(torch.amin(squares.flat, 0, out=least)) >= least_known:
            work = scratch("signs", tuple(part.shape), part.dtype)
            found = zeros_and_subnormals(part, tiny, work, square, least_known)
            small = (small[0] + found[0], small[1] + found[1])
    reducer.finish(room)
    *by_part, excess, first, second = numbers(room.figures)
    third_power, fourth_power = sum(by_part[0::3]), sum(by_part[1::3])
    totals = Powers(reducer.n, scale, first, second, third_power, fourth_power)
    return Sums(totals, reducer, room, excess, small)


def joined(*sums: Sums) -> tuple[Tensor, Tensor]:
    """Sums of first and second powers by entry, [tensors, 2, entries], and extremes by feature,
    [tensors, 2, features], of tensors of one shape; float64."""
    return sums[0].reducer.joined([one.room for one in sums])


def _deviation(part: Tensor, scale: Scale) -> Tensor:
    centre, unit = scale
    if centre == 0 and unit == 1:
        return part
    work = scratch("deviation", tuple(part.shape), part.dtype)
    if centre == 0:
        return torch.mul(part, unit, out=work)
    deviation = torch.sub(part, centre, out=work)
    return deviation if unit == 1 else deviation.mul_(unit)


def _product(a: Tensor, b: Tensor, out: Tensor) -> None:
    if not _adds_in_parts():
        product = torch.mul(a, b, out=scratch("product", tuple(a.shape), a.dtype))
        torch.sum(product, 0, out=out)
        return
    if a.numel() <= _PIECE:
        torch.dot(a, b, out=out)
        return
    out.zero_()
    for p, q in zip(a.split(_PIECE), b.split(_PIECE)):
        out += torch.dot(p, q)


@cache
def _adds_in_parts() -> bool:
    """Whether this PyTorch's product of long vectors adds up in parts. Plain libraries, such as
    Debian's, add one value after the other, and the digits of a long float32 sum are lost."""
    values = torch.arange(1 << 16, device="cpu").remainder_(1021).double().div_(1021)
    wanted = number(torch.dot(values, values))
    narrowed = values.float()
    return abs(number(torch.dot(narrowed, narrowed)) - wanted) < 3e-6 * wanted


def _square(values: Squares, out: Tensor) -> None:
    """Sum of the squares of squares, by the norms of short pieces."""
    if values.pieces is not None:
        norms = torch.linalg.vector_norm(values.pieces, dim=1, out=values.norms)
        torch.dot(norms, norms, out=out)
    else:
        out.zero_()
    if values.rest is not None:
        out += torch.dot(values.rest, values.rest)
