"""What one pass over a tensor in host memory gives along its axes, by how its features lie.

A reducer knows tensors of one shape. It is given each part by part, and leaves sums and extremes in
a room as they come: what is left to add up is done for many tensors at once. PyTorch gives each
thread a run of outputs: sums down columns are taken in blocks of rows, so that a thread goes
through the same memory in every operation; else cores would pass it back and forth, at several
times the cost of the sums.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import torch
from torch import Tensor

from .rooms import Room, rooms
from .scratch import viewed

#: Elements of a part.
_PART = 1 << 19
#: Blocks of rows that are summed by themselves, and the fewest rows that are divided so.
_BLOCKS = 8
_ROWS_WORTH_DIVIDING = 64
#: From this many positions on, a sum along them is cheaper than one along samples.
POSITIONS_WORTH_SUMMING = 32
#: Lengths of the pieces whose norms are taken: short enough for float32.
_LEAST_PIECE, _PIECE = 512, 4096
#: Share of an entry's sum of squares that its mean may make up. Beyond, digits of the variance are
#: missed: float32 sums are right to two parts in ten million, and the rest magnifies that.
MOST_OF_ENTRY = 0.96


class Axis(NamedTuple):
    """Entries of which each has as many values."""

    length: int
    values: int


def axes_of(shape: tuple[int, ...], inner: int, by_row: bool) -> tuple[Axis, ...]:
    """Those of ``Reducer.axes`` of a tensor as ``geometry.Cells`` has it."""
    samples, features, positions = shape
    if inner == 1:
        features, positions = positions, features
    rows = samples * positions
    of_rows = (Axis(rows, features),) if inner == 1 or by_row else ()
    of_samples = () if inner == 1 else (Axis(samples, features * positions),)
    return (Axis(features, rows), *of_samples, *of_rows)


class Squares(NamedTuple):
    """Memory for the squares of a part, as the operations see it."""

    shaped: Tensor
    flat: Tensor
    #: Rows short enough to take the norm of; what is left over; None where there is none.
    pieces: Tensor | None
    rest: Tensor | None
    #: For the norms.
    norms: Tensor
    #: As the reducer wants them.
    views: Any


class Reducer:
    """Reduces tensors of one shape that come in parts along their first axis."""

    #: Of features, then of rows where features lie last, else of samples and, where asked for, of
    #: rows.
    axes: tuple[Axis, ...]
    #: Whether samples are the sums of blocks.
    samples_of_blocks = False

    def __init__(self, shape: tuple[int, ...], dtype: torch.dtype, features: int) -> None:
        self.shape, self.dtype, self.features = shape, dtype, features
        self.n = _product(shape)
        self.parts = parts_of(shape)
        #: Blocks of the features, and how many values the entries of each have.
        self.blocks: list[int] = []
        #: Axes of which every entry has a place of its own in a room.
        self.others: tuple[Axis, ...] = ()
        #: Entries of a room that hold each value of the tensor once.
        self.summed = slice(None)

    def prepared(self) -> None:
        """To be called once all of the above is known: how large squared sums may be."""
        counts = [Axis(self.features, values) for values in self.blocks] + list(self.others)
        self._limits = torch.cat(
            [
                torch.full((length,), MOST_OF_ENTRY * values, dtype=self.dtype, device="cpu")
                for length, values in counts
            ]
        )

    def room(self) -> Room:
        """Memory for what comes of a tensor."""
        key = (type(self), self.shape, self.dtype, self.others)
        room = rooms.take(key)
        if room is None:
            blocks, parts = len(self.blocks), len(self.parts)
            room = Room(key, len(self._limits), blocks, self.features, parts, self.dtype)
            room.views = [self._views(room, *part) for part in self.parts]
            room.summed = room.powers[:, self.summed]
        return room

    def squares(self, start: int, stop: int) -> Squares:
        """Memory for the squares of a part."""
        shape = (stop - start, *self.shape[1:])
        key = (type(self), shape, self.dtype)
        return viewed(key, "square", shape, self.dtype, self._squares)

    def _squares(self, memory: Tensor) -> Squares:
        flat = memory.view(-1)
        size = flat.numel()
        length = next((p for p in range(_PIECE, _LEAST_PIECE, -1) if size % p == 0), _PIECE)
        whole = size // length * length
        return Squares(
            memory,
            flat,
            flat[:whole].view(-1, length) if whole else None,
            flat[whole:] if whole < size else None,
            torch.empty(size // length, dtype=memory.dtype, device="cpu"),
            self._square_views(memory),
        )

    def take(self, views: Any, x: Tensor, deviation: Tensor, squares: Squares) -> None:
        """Takes a part with its deviations from the centre and their squares; ``views`` are those
        of the room for it."""
        raise NotImplementedError

    def finish(self, room: Room) -> None:
        """All parts were taken. Leaves the largest excess of a squared sum over what may be, which
        is positive or NaN where digits may have been lost, and the totals."""
        torch.sum(room.summed, 1, out=room.totals)
        shape = tuple(room.first.shape)
        work = viewed((shape, self.dtype), "excess", shape, self.dtype, lambda memory: memory)
        torch.mul(room.first, room.first, out=work)
        torch.addcmul(work, self._limits, room.second, value=-1, out=work)
        torch.amax(work, 0, out=room.excess)

    def _views(self, room: Room, start: int, stop: int) -> Any:
        raise NotImplementedError

    def _square_views(self, memory: Tensor) -> Any:
        return None

    def joined(self, own: list[Room]) -> tuple[Tensor, Tensor]:
        """Sums of first and second powers by entry, [tensors, 2, entries], and extremes by feature,
        [tensors, 2, features]; float64."""
        found = torch.stack([room.powers for room in own])
        ranges = torch.stack([room.extremes for room in own])
        tensors, blocks, features = len(own), len(self.blocks), self.features
        length = sum(axis.length for axis in self.axes)
        wide = torch.float64
        powers = torch.empty((tensors, 2, length), dtype=wide, device="cpu")
        if blocks == 1 and not self.samples_of_blocks:
            powers.copy_(found)
            return powers, ranges.squeeze(2).to(wide)
        by_block = found[:, :, : blocks * features].view(tensors, 2, blocks, features)
        torch.sum(by_block, 2, dtype=wide, out=powers[:, :, :features])
        start = features
        if self.samples_of_blocks:
            start += blocks
            torch.sum(by_block, 3, dtype=wide, out=powers[:, :, features:start])
        if start < length:
            powers[:, :, start:] = found[:, :, blocks * features :]
        extremes = torch.empty((tensors, 2, features), dtype=self.dtype, device="cpu")
        torch.amin(ranges[:, 0], 1, out=extremes[:, 0])
        torch.amax(ranges[:, 1], 1, out=extremes[:, 1])
        return powers, extremes.to(wide)


def parts_of(shape: tuple[int, ...]) -> list[tuple[int, int]]:
    """Begin and end of the parts that a tensor is gone through in, along its first axis."""
    length = shape[0]
    step = max(1, _PART // max(1, _product(shape) // length))
    return [(start, min(length, start + step)) for start in range(0, length, step)]


def _product(lengths: tuple[int, ...]) -> int:
    size = 1
    for length in lengths:
        size *= length
    return size


class Strip(NamedTuple):
    """Rows of a part in blocks of equally many."""

    begin: int
    end: int
    #: [blocks, rows of each, columns].
    shape: tuple[int, int, int]


def _strips(rows: int, columns: int) -> list[Strip]:
    blocks = _BLOCKS if rows >= _ROWS_WORTH_DIVIDING else 1
    even = rows - rows % blocks
    strips = [Strip(0, even, (blocks, even // blocks, columns))]
    if even < rows:
        strips.append(Strip(even, rows, (1, rows - even, columns)))
    return strips


class Down(NamedTuple):
    """Where the sums and extremes of a strip go, [blocks, columns] each."""

    first: Tensor
    second: Tensor
    low: Tensor
    high: Tensor


def _strip_views(strips: list[Strip], x: Tensor) -> list[Tensor]:
    if len(strips) == 1:
        return [x.view(strips[0].shape)]
    return [x[strip.begin : strip.end].view(strip.shape) for strip in strips]


def _reduce(
    strips: list[Strip], into: list[Down], x: Tensor, deviation: Tensor, squares: list[Tensor]
) -> None:
    """Down the columns of [rows, columns]."""
    values = _strip_views(strips, x)
    deviations = values if deviation is x else _strip_views(strips, deviation)
    for out, own, from_centre, square in zip(into, values, deviations, squares):
        torch.sum(from_centre, 1, out=out.first)
        torch.sum(square, 1, out=out.second)
        torch.amin(own, 1, out=out.low)
        torch.amax(own, 1, out=out.high)


class Rows(Reducer):
    """[rows, features]."""

    def __init__(self, shape: tuple[int, ...], dtype: torch.dtype) -> None:
        rows, features = shape
        super().__init__(shape, dtype, features)
        self.axes = axes_of((1, rows, features), 1, True)
        self.others = self.axes[1:]
        for start, stop in self.parts:
            for strip in _strips(stop - start, features):
                self.blocks += [strip.shape[1]] * strip.shape[0]
        self.summed = slice(len(self.blocks) * features, None)
        self.prepared()

    def _views(self, room: Room, start: int, stop: int) -> Any:
        first, second = room.powers[:, self.summed].unbind()
        strips = _strips(stop - start, self.features)
        before = sum(
            strip.shape[0]
            for begin, end in self.parts
            if begin < start
            for strip in _strips(end - begin, self.features)
        )
        into = []
        for strip in strips:
            blocks = strip.shape[0]
            own = slice(before * self.features, (before + blocks) * self.features)
            shape = (blocks, self.features)
            low, high = room.extremes[:, before : before + blocks].unbind()
            into.append(Down(room.first[own].view(shape), room.second[own].view(shape), low, high))
            before += blocks
        return first[start:stop], second[start:stop], strips, into

    def _square_views(self, memory: Tensor) -> Any:
        return _strip_views(_strips(memory.shape[0], self.features), memory)

    def take(self, views: Any, x: Tensor, deviation: Tensor, squares: Squares) -> None:
        first, second, strips, into = views
        torch.sum(deviation, 1, out=first)
        torch.sum(squares.shaped, 1, out=second)
        _reduce(strips, into, x, deviation, squares.views)


class _Channels(Reducer):
    """What reducers of [samples, features, positions] have in common."""

    def __init__(self, shape: tuple[int, ...], dtype: torch.dtype, by_row: bool) -> None:
        super().__init__(shape, dtype, shape[1])
        self.by_row = by_row
        self.axes = axes_of(shape, 2, by_row)

    def _row_views(self, room: Room, start: int, stop: int) -> Any:
        if not self.by_row:
            return None
        samples, _, positions = self.shape
        rows = room.powers[:, -samples * positions :].view(2, samples, positions)
        return rows[:, start:stop].unbind()

    def _take_rows(self, views: Any, deviation: Tensor, square: Tensor) -> None:
        if views is not None:
            torch.sum(deviation, 1, out=views[0])
            torch.sum(square, 1, out=views[1])


class Cells(_Channels):
    """Positions summed first."""

    samples_of_blocks = True

    def __init__(self, shape: tuple[int, ...], dtype: torch.dtype, by_row: bool) -> None:
        super().__init__(shape, dtype, by_row)
        self.blocks = [shape[2]] * shape[0]
        self.others = self.axes[2:]
        self.summed = slice(0, len(self.blocks) * self.features)
        self.prepared()

    def _views(self, room: Room, start: int, stop: int) -> Any:
        cells = len(self.blocks) * self.features
        shape = (2, len(self.blocks), self.features)
        first, second = room.powers[:, :cells].view(shape)[:, start:stop].unbind()
        low, high = room.extremes[:, start:stop].unbind()
        return Down(first, second, low, high), self._row_views(room, start, stop)

    def take(self, views: Any, x: Tensor, deviation: Tensor, squares: Squares) -> None:
        into, rows = views
        torch.sum(deviation, 2, out=into.first)
        torch.sum(squares.shaped, 2, out=into.second)
        torch.amin(x, 2, out=into.low)
        torch.amax(x, 2, out=into.high)
        self._take_rows(rows, deviation, squares.shaped)


class ColumnMemory(NamedTuple):
    """For the sums of columns, which are many, of one part."""

    #: [2, blocks, features, positions].
    powers: Tensor
    #: [blocks, features, positions].
    low: Tensor
    high: Tensor
    by_strip: list[Down]


class Columns(_Channels):
    """Samples summed first, where positions are few. A part is a block of the features."""

    def __init__(self, shape: tuple[int, ...], dtype: torch.dtype, by_row: bool) -> None:
        super().__init__(shape, dtype, by_row)
        self.blocks = [shape[2] * (stop - start) for start, stop in self.parts]
        self.others = self.axes[1:]
        self._columns = shape[1] * shape[2]
        self.summed = slice(0, len(self.blocks) * self.features)
        self.prepared()

    def _views(self, room: Room, start: int, stop: int) -> Any:
        part = self.parts.index((start, stop))
        own = slice(part * self.features, (part + 1) * self.features)
        into = Down(room.first[own], room.second[own], room.low[part], room.high[part])
        before = len(self.blocks) * self.features
        samples = room.powers[:, before + start : before + stop].unbind()
        strips = _strips(stop - start, self._columns)
        return strips, into, room.powers[:, own], samples, self._row_views(room, start, stop)

    def _square_views(self, memory: Tensor) -> Any:
        return _strip_views(_strips(memory.shape[0], self._columns), memory.flatten(1))

    def take(self, views: Any, x: Tensor, deviation: Tensor, squares: Squares) -> None:
        strips, into, powers, samples, rows = views
        flat = x.flatten(1)
        from_centre = flat if deviation is x else deviation.flatten(1)
        torch.sum(from_centre, 1, out=samples[0])
        torch.sum(squares.shaped.flatten(1), 1, out=samples[1])
        memory = self._memory(strips)
        _reduce(strips, memory.by_strip, flat, from_centre, squares.views)
        torch.sum(memory.powers, (1, 3), out=powers)
        torch.amin(memory.low, (0, 2), out=into.low)
        torch.amax(memory.high, (0, 2), out=into.high)
        self._take_rows(rows, deviation, squares.shaped)

    def _memory(self, strips: list[Strip]) -> ColumnMemory:
        blocks = sum(strip.shape[0] for strip in strips)
        shape = (4, blocks, *self.shape[1:])

        def views(memory: Tensor) -> ColumnMemory:
            columns = memory.view(4, blocks, self._columns)
            ends = [strips[0].shape[0], blocks][: len(strips)]
            begins = [0, *ends]
            by_strip = [Down(*columns[:, begin:end].unbind()) for begin, end in zip(begins, ends)]
            return ColumnMemory(memory[:2], memory[2], memory[3], by_strip)

        return viewed((shape, self.dtype), "columns", shape, self.dtype, views)


@lru_cache(maxsize=128)
def reducer_of(shape: tuple[int, ...], dtype: torch.dtype, by_row: bool) -> Reducer:
    """For [rows, features], or for [samples, features, positions], then with rows if ``by_row``."""
    if len(shape) == 2:
        return Rows(shape, dtype)
    if shape[2] >= POSITIONS_WORTH_SUMMING:
        return Cells(shape, dtype, by_row)
    return Columns(shape, dtype, by_row)
