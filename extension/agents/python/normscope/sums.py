"""The first pass over a tensor in host memory: sums of first and second powers along each axis,
of third and fourth over all values, and extremes, all about one common centre.

A part of the tensor at a time, so that what one operation read is still near for the next. PyTorch
gives each thread a run of outputs: sums down columns are taken in blocks of rows, so that a thread
goes through the same memory in every operation; else cores would pass it back and forth, at several
times the cost of the sums. Sums are PyTorch's own, which add in a cascade; products over all values
are cut into pieces short enough for float32.
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
from .host_values import least_square, number, zeros_and_subnormals
from .scratch import scratch

#: Elements of a part.
_PART = 1 << 19
#: Longest product in float32; beyond, its rounding shows in the sixth digit.
_PIECE = 1 << 19
_NORM_LENGTH = 4096
#: Standard deviations whose fourth powers float32 holds with room to spare.
_LOW, _HIGH = 1e-7, 1e7
#: Blocks of rows that are summed by themselves, and the fewest rows that are divided so.
_BLOCKS = 8
_ROWS_WORTH_DIVIDING = 64
#: From this many positions on, a sum along them is cheaper than one along samples.
_POSITIONS_WORTH_SUMMING = 16


class Scale(NamedTuple):
    """What is summed up is powers of ``(x - centre) * unit``; ``unit`` is a power of two."""

    centre: float
    unit: float


@dataclass
class Sums:
    """Sums of powers.

    ``powers`` is [2, entries], float64: sums of first and second powers by feature, then by row
    where features lie last, else by sample and, for norms of channels that work row by row, by
    position of each sample.
    """

    powers: Tensor
    #: Minimum and maximum by feature, of the values themselves: [2, features], float64.
    extremes: Tensor
    third: float
    fourth: float
    #: Zeros and subnormals; None where a look at the extremes may settle it.
    small: tuple[int, int] | None


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
    by: _Rows | _Cells | _Columns
    if inner == 1:
        x = x.reshape(-1, x.shape[2])
        by = _Rows(x)
    elif x.shape[2] >= _POSITIONS_WORTH_SUMMING:
        by = _Cells(x, by_row)
    else:
        by = _Columns(x, by_row)
    centre, unit = scale
    third = fourth = 0.0
    small: tuple[int, int] | None = (0, 0) if centre == 0 else None
    least = least_square(tiny, unit)
    for start, stop, part in parts(x):
        deviation = _deviation(part, scale)
        shape = tuple(part.shape)
        square = torch.mul(deviation, deviation, out=scratch("square", shape, part.dtype))
        by.take(start, stop, part, deviation, square)
        third += _product(square, deviation)
        fourth += _square(square)
        if small is not None and not number(square.amin()) >= least:
            work = scratch("signs", shape, part.dtype)
            found = zeros_and_subnormals(part, tiny, work, square, least)
            small = (small[0] + found[0], small[1] + found[1])
    return Sums(by.powers(), by.extremes(), third, fourth, small)


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


def _dtype(x: Tensor) -> torch.dtype:
    return x.dtype if x.dtype == torch.float64 else torch.float32


class _Down:
    """Reduces [rows, columns] tensors, one after the other, down their columns."""

    def __init__(self) -> None:
        self._blocks: list[Tensor] = []

    def take(self, x: Tensor, deviation: Tensor, square: Tensor) -> None:
        rows, columns = x.shape
        blocks = _BLOCKS if rows >= _ROWS_WORTH_DIVIDING else 1
        even = rows - rows % blocks
        if even < rows:
            self._reduce(x[even:], deviation[even:], square[even:], (1, rows - even, columns))
            x, deviation, square = x[:even], deviation[:even], square[:even]
        self._reduce(x, deviation, square, (blocks, even // blocks, columns))

    def _reduce(
        self, x: Tensor, deviation: Tensor, square: Tensor, shape: tuple[int, int, int]
    ) -> None:
        found = torch.empty((4, shape[0], shape[2]), dtype=x.dtype, device="cpu")
        first, second, low, high = found.unbind()
        values = x.view(shape)
        torch.sum(values if deviation is x else deviation.view(shape), 1, out=first)
        torch.sum(square.view(shape), 1, out=second)
        torch.amin(values, 1, out=low)
        torch.amax(values, 1, out=high)
        self._blocks.append(found)

    def powers(self) -> Tensor:
        """[2, columns], float64."""
        return self._joined()[:2].double().sum(1)

    def extremes(self) -> Tensor:
        """[2, columns], float64."""
        _, _, low, high = self._joined().unbind()
        return torch.stack([low.amin(0), high.amax(0)]).double()

    def _joined(self) -> Tensor:
        if len(self._blocks) > 1:
            self._blocks = [torch.cat(self._blocks, 1)]
        return self._blocks[0]


class _Rows:
    """[rows, features]."""

    def __init__(self, x: Tensor) -> None:
        rows, self._features = x.shape
        self._sums = torch.empty((2, self._features + rows), dtype=_dtype(x), device="cpu")
        self._first, self._second = self._sums.unbind()
        self._down = _Down()

    def take(self, start: int, stop: int, x: Tensor, deviation: Tensor, square: Tensor) -> None:
        place, length = self._features + start, stop - start
        torch.sum(deviation, 1, out=self._first.narrow(0, place, length))
        torch.sum(square, 1, out=self._second.narrow(0, place, length))
        self._down.take(x, deviation, square)

    def powers(self) -> Tensor:
        wide = self._sums.double()
        wide[:, : self._features] = self._down.powers()
        return wide

    def extremes(self) -> Tensor:
        return self._down.extremes()


class _Positions:
    """[samples, features, positions], features summed: rows of norms of channels."""

    def __init__(self, x: Tensor, wanted: bool) -> None:
        shape = (2, x.shape[0], x.shape[2]) if wanted else (2, 0, 0)
        self._row = torch.empty(shape, dtype=_dtype(x), device="cpu")
        self._wanted = wanted

    def take(self, start: int, stop: int, deviation: Tensor, square: Tensor) -> None:
        if self._wanted:
            torch.sum(deviation, 1, out=self._row[0, start:stop])
            torch.sum(square, 1, out=self._row[1, start:stop])

    def joined(self, feature: Tensor, sample: Tensor) -> Tensor:
        """Powers behind those of features and samples."""
        rows = [self._row.double().flatten(1)] if self._wanted else []
        return torch.cat([feature, sample, *rows], 1)


class _Cells:
    """[samples, features, positions], positions summed first."""

    def __init__(self, x: Tensor, by_row: bool) -> None:
        self._cell = torch.empty((4, *x.shape[:2]), dtype=_dtype(x), device="cpu")
        self._each = self._cell.unbind()
        self._positions = _Positions(x, by_row)

    def take(self, start: int, stop: int, x: Tensor, deviation: Tensor, square: Tensor) -> None:
        first, second, low, high = (cell.narrow(0, start, stop - start) for cell in self._each)
        torch.sum(deviation, 2, out=first)
        torch.sum(square, 2, out=second)
        torch.amin(x, 2, out=low)
        torch.amax(x, 2, out=high)
        self._positions.take(start, stop, deviation, square)

    def powers(self) -> Tensor:
        wide = self._cell[:2].double()
        return self._positions.joined(wide.sum(1), wide.sum(2))

    def extremes(self) -> Tensor:
        return torch.stack([self._each[2].amin(0), self._each[3].amax(0)]).double()


class _Columns:
    """[samples, features, positions] of few positions, samples summed first."""

    def __init__(self, x: Tensor, by_row: bool) -> None:
        self._shape = x.shape[1:]
        self._sample = torch.empty((2, x.shape[0]), dtype=_dtype(x), device="cpu")
        self._down = _Down()
        self._positions = _Positions(x, by_row)

    def take(self, start: int, stop: int, x: Tensor, deviation: Tensor, square: Tensor) -> None:
        flat, second = x.flatten(1), square.flatten(1)
        first = flat if deviation is x else deviation.flatten(1)
        torch.sum(first, 1, out=self._sample[0, start:stop])
        torch.sum(second, 1, out=self._sample[1, start:stop])
        self._down.take(flat, first, second)
        self._positions.take(start, stop, deviation, square)

    def powers(self) -> Tensor:
        feature = self._down.powers().view(2, *self._shape).sum(2)
        return self._positions.joined(feature, self._sample.double())

    def extremes(self) -> Tensor:
        low, high = self._down.extremes().view(2, *self._shape)
        return torch.stack([low.amin(1), high.amax(1)])
