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
from typing import NamedTuple

import torch
from torch import Tensor

from .geometry import Cells
from .host_values import least_square, number, numbers, zeros_and_subnormals
from .reducers import Powers, Reduced, reducer_of
from .scratch import scratch

#: Elements of a part.
_PART = 1 << 19
#: Longest product in float32; beyond, its rounding shows in the sixth digit.
_PIECE = 1 << 19
_NORM_LENGTH = 4096
#: Standard deviations whose fourth powers float32 holds with room to spare.
_LOW, _HIGH = 1e-7, 1e7
#: Share of an entry's sum of squares that its mean may make up. Beyond, digits of the variance are
#: missed: float32 sums are right to two parts in ten million, and the rest magnifies that.
MOST_OF_ENTRY = 0.96
#: The same for all values, whose third and fourth powers lose digits sooner.
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


@dataclass
class Sums:
    """Sums of powers about the centre of ``scale``, in its unit, of ``n`` values."""

    n: int
    scale: Scale
    #: First and second powers along the axes, and the extremes of the values themselves.
    reduced: Reduced
    #: Of all values.
    first: float
    second: float
    third: float
    fourth: float
    #: Zeros and subnormals; None where a look at the extremes may settle it.
    small: tuple[int, int] | None

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

    @property
    def entries_far(self) -> bool:
        """Whether some entry's mean is too far from the centre for its variance."""
        return any(_too_far(entry) for entry in self.reduced.entries)


def _too_far(entry: Powers) -> bool:
    first, second = entry.sums.unbind()
    excess = torch.sub(first * first, second, alpha=MOST_OF_ENTRY * entry.values)
    return not number(excess.amax()) <= 0


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
    length = x.shape[0]
    step = max(1, _PART // max(1, x.numel() // length))
    dtype = x.dtype if x.dtype == torch.float64 else torch.float32
    ready = x.dtype == dtype and x.is_contiguous()
    if ready and step >= length:
        yield 0, length, x
        return
    for start in range(0, length, step):
        stop = min(length, start + step)
        part = x[start:stop]
        if not ready:
            part = scratch("part", tuple(part.shape), dtype).copy_(part)
        yield start, stop, part


def add_up(view: Cells, scale: Scale, by_row: bool, tiny: float) -> Sums:
    """Sums for ``view``; for norms of channels those of rows only where asked for ``by_row``."""
    x, inner = view
    n = x.numel()
    if inner == 1:
        x = x.reshape(-1, x.shape[2])
    reducer = reducer_of(x, by_row)
    centre, unit = scale
    third = fourth = 0.0
    small: tuple[int, int] | None = (0, 0) if centre == 0 else None
    least = least_square(tiny, unit)
    for start, stop, part in parts(x):
        deviation = _deviation(part, scale)
        shape = tuple(part.shape)
        square = torch.mul(deviation, deviation, out=scratch("square", shape, part.dtype))
        reducer.take(start, stop, part, deviation, square)
        third += _product(square, deviation)
        fourth += _square(square)
        if small is not None and not number(square.amin()) >= least:
            work = scratch("signs", shape, part.dtype)
            found = zeros_and_subnormals(part, tiny, work, square, least)
            small = (small[0] + found[0], small[1] + found[1])
    reduced = reducer.reduced()
    first, second = numbers(reduced.entries[0].sums.sum(1))
    return Sums(n, scale, reduced, first, second, third, fourth, small)


def joined(sums: list[Sums]) -> tuple[Tensor, Tensor]:
    """Sums of first and second powers by entry, [tensors, 2, entries], and extremes by feature,
    [tensors, 2, features], of tensors of one shape; float64."""
    length = sum(entry.sums.shape[1] for entry in sums[0].reduced.entries)
    powers = torch.empty((len(sums), 2, length), dtype=torch.float64, device="cpu")
    start = 0
    for axis in zip(*(one.reduced.entries for one in sums)):
        found = torch.stack([entry.sums for entry in axis])
        stop = start + found.shape[2]
        # One power at a time, which is little enough for one thread.
        powers[:, 0, start:stop] = found[:, 0]
        powers[:, 1, start:stop] = found[:, 1]
        start = stop
    return powers, torch.stack([one.reduced.extremes for one in sums]).double()


def _deviation(part: Tensor, scale: Scale) -> Tensor:
    centre, unit = scale
    if centre == 0 and unit == 1:
        return part
    work = scratch("deviation", tuple(part.shape), part.dtype)
    if centre == 0:
        return torch.mul(part, unit, out=work)
    deviation = torch.sub(part, centre, out=work)
    return deviation if unit == 1 else deviation.mul_(unit)


def _product(a: Tensor, b: Tensor) -> float:
    a, b = a.view(-1), b.view(-1)
    if a.numel() <= _PIECE:
        return number(torch.dot(a, b))
    return sum(number(torch.dot(p, q)) for p, q in zip(a.split(_PIECE), b.split(_PIECE)))


def _square(values: Tensor) -> float:
    """Sum of squares, by the norms of short pieces."""
    flat = values.view(-1)
    whole = flat.numel() // _NORM_LENGTH * _NORM_LENGTH
    total = 0.0
    if whole:
        even = flat if whole == flat.numel() else flat[:whole]
        norms = torch.linalg.vector_norm(even.view(-1, _NORM_LENGTH), dim=1).double()
        total = number(torch.dot(norms, norms))
    if whole < flat.numel():
        rest = flat[whole:]
        total += number(torch.dot(rest, rest))
    return total
