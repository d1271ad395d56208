"""What one pass over a tensor in host memory gives along its axes, by how its features lie.

A reducer is given the tensor part by part. PyTorch gives each thread a run of outputs: sums down
columns are taken in blocks of rows, so that a thread goes through the same memory in every
operation; else cores would pass it back and forth, at several times the cost of the sums.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import torch
from torch import Tensor

#: Blocks of rows that are summed by themselves, and the fewest rows that are divided so.
_BLOCKS = 8
_ROWS_WORTH_DIVIDING = 64
#: From this many positions on, a sum along them is cheaper than one along samples.
_POSITIONS_WORTH_SUMMING = 16


class Powers(NamedTuple):
    """Sums of first and second powers of the entries of one axis, [2, entries], and how many values
    each entry has."""

    sums: Tensor
    values: int


class Reduced(NamedTuple):
    """The outcome, in float64 for such tensors, else in float32."""

    #: Of features, then of rows where features lie last, else of samples and, where asked for, of
    #: rows.
    entries: list[Powers]
    #: Minimum and maximum by feature: [2, features].
    extremes: Tensor


class Reducer(Protocol):
    """Reduces a tensor that comes in parts along its first axis."""

    def take(self, start: int, stop: int, x: Tensor, deviation: Tensor, square: Tensor) -> None:
        """Takes the part at ``start`` with its deviations from the centre and their squares."""

    def reduced(self) -> Reduced:
        """To be called once, behind the last part."""


def reducer_of(x: Tensor, by_row: bool) -> Reducer:
    """For [rows, features], or for [samples, features, positions], then with rows if ``by_row``."""
    if x.dim() == 2:
        return _Rows(x)
    return _Cells(x, by_row) if x.shape[2] >= _POSITIONS_WORTH_SUMMING else _Columns(x, by_row)


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

    def reduced(self) -> tuple[Tensor, Tensor]:
        """Powers and extremes: [2, columns] each."""
        whole = self._blocks[0] if len(self._blocks) == 1 else torch.cat(self._blocks, 1)
        if whole.shape[1] == 1:
            whole = whole.squeeze(1)
            return whole[:2], whole[2:]
        return whole[:2].sum(1), _extremes(whole[2:], 0)


def _extremes(found: Tensor, axis: int) -> Tensor:
    """Minima of ``found[0]`` and maxima of ``found[1]`` over one of their axes."""
    low, high = found.unbind()
    return torch.stack([low.amin(axis), high.amax(axis)])


class _Rows:
    """[rows, features]."""

    def __init__(self, x: Tensor) -> None:
        self._shape = x.shape
        self._row = torch.empty((2, x.shape[0]), dtype=_dtype(x), device="cpu")
        self._first, self._second = self._row.unbind()
        self._down = _Down()

    def take(self, start: int, stop: int, x: Tensor, deviation: Tensor, square: Tensor) -> None:
        torch.sum(deviation, 1, out=self._first[start:stop])
        torch.sum(square, 1, out=self._second[start:stop])
        self._down.take(x, deviation, square)

    def reduced(self) -> Reduced:
        rows, features = self._shape
        powers, extremes = self._down.reduced()
        return Reduced([Powers(powers, rows), Powers(self._row, features)], extremes)


class _Channels:
    """What reducers of [samples, features, positions] have in common."""

    def __init__(self, x: Tensor, by_row: bool) -> None:
        self.shape = x.shape
        shape = (2, x.shape[0], x.shape[2]) if by_row else (2, 0, 0)
        self._row = torch.empty(shape, dtype=_dtype(x), device="cpu")
        self._by_row = by_row

    def take_rows(self, start: int, stop: int, deviation: Tensor, square: Tensor) -> None:
        if self._by_row:
            torch.sum(deviation, 1, out=self._row[0, start:stop])
            torch.sum(square, 1, out=self._row[1, start:stop])

    def reduced_to(self, feature: Tensor, sample: Tensor, extremes: Tensor) -> Reduced:
        samples, features, positions = self.shape
        entries = [Powers(feature, samples * positions), Powers(sample, features * positions)]
        if self._by_row:
            entries.append(Powers(self._row.flatten(1), features))
        return Reduced(entries, extremes)


class _Cells(_Channels):
    """Positions summed first."""

    def __init__(self, x: Tensor, by_row: bool) -> None:
        super().__init__(x, by_row)
        self._cell = torch.empty((4, *x.shape[:2]), dtype=_dtype(x), device="cpu")
        self._each = self._cell.unbind()

    def take(self, start: int, stop: int, x: Tensor, deviation: Tensor, square: Tensor) -> None:
        first, second, low, high = (cell[start:stop] for cell in self._each)
        torch.sum(deviation, 2, out=first)
        torch.sum(square, 2, out=second)
        torch.amin(x, 2, out=low)
        torch.amax(x, 2, out=high)
        self.take_rows(start, stop, deviation, square)

    def reduced(self) -> Reduced:
        powers = self._cell[:2]
        return self.reduced_to(powers.sum(1), powers.sum(2), _extremes(self._cell[2:], 0))


class _Columns(_Channels):
    """Samples summed first, where positions are few."""

    def __init__(self, x: Tensor, by_row: bool) -> None:
        super().__init__(x, by_row)
        self._sample = torch.empty((2, x.shape[0]), dtype=_dtype(x), device="cpu")
        self._down = _Down()

    def take(self, start: int, stop: int, x: Tensor, deviation: Tensor, square: Tensor) -> None:
        flat, second = x.flatten(1), square.flatten(1)
        first = flat if deviation is x else deviation.flatten(1)
        torch.sum(first, 1, out=self._sample[0, start:stop])
        torch.sum(second, 1, out=self._sample[1, start:stop])
        self._down.take(flat, first, second)
        self.take_rows(start, stop, deviation, square)

    def reduced(self) -> Reduced:
        shape = (2, *self.shape[1:])
        powers, extremes = (found.view(shape) for found in self._down.reduced())
        return self.reduced_to(powers.sum(2), self._sample, _extremes(extremes, 1))
