"""The first pass over many small tensors of one shape in host memory, as over one.

An operation on a small tensor costs more in calling it than in what it does. Such tensors wait for
the step's end and are stacked; a stack gives the sums that ``sums.add_up`` gives of each tensor.
"""

from __future__ import annotations

import torch
from torch import Tensor

from .host_values import least_square, numbers, rows_of_numbers
from .reducers import MOST_OF_ENTRY, POSITIONS_WORTH_SUMMING, axes_of
from .sampling import sampled
from .scratch import scratch
from .second_pass import counts_of
from .summary import Kept
from .sums import Powers, Scale
from .together import Together

#: Values of a stack: what comes of them stays in the processor's cache.
MOST_STACKED = 1 << 19


def stacked(kept: list[Kept]) -> tuple[list[int], Together | None]:
    """The sums of tensors of one kind about the scales that suited those before them, and which of
    ``kept`` they are of: not of tensors that have no such scale, whose scale does not suit any
    more, some of whose moments lost digits to it or that are not finite."""
    places = [place for place, one in enumerate(kept) if one.last.scale is not None]
    if len(places) < 2:
        return [], None
    chosen = [kept[place] for place in places]
    stack = _Stack(chosen)
    good = stack.good()
    return [places[place] for place in good], stack.together(good) if good else None


class _Stack:
    """Tensors of one kind as samples x features x positions, [tensors, ...], with their sums."""

    def __init__(self, kept: list[Kept]) -> None:
        some = kept[0]
        self._kept, self._inner = kept, some.view[1]
        self._scales = [one.last.scale for one in kept if one.last.scale is not None]
        dtype = some.view[0].dtype
        self._tiny, self._largest = torch.finfo(dtype).tiny, torch.finfo(dtype).max
        shape = (len(kept), *some.view[0].shape)
        own = scratch("stack", shape, dtype)
        torch.stack([one.view[0] for one in kept], out=own)
        self._x = own if dtype in (torch.float32, torch.float64) else own.float()
        self._flat = self._x.view(len(kept), -1)
        self._n = self._flat.shape[1]
        self._axes = axes_of(tuple(shape[1:]), self._inner, some.by_row)
        self._features = self._axes[0].length
        self._measure()

    def _measure(self) -> None:
        deviation = _deviation(self._flat, self._scales)
        square = torch.mul(deviation, deviation, out=self._work("square"))
        first, second = (self._along_axes(values) for values in (deviation, square))
        self._powers = torch.stack([first, second], 1)
        self._ranges = self._extremes()
        work = self._work("product")
        third = torch.mul(square, deviation, out=work).sum(1)
        fourth = torch.mul(square, square, out=work).sum(1)
        limits = MOST_OF_ENTRY * counts_of(self._axes)
        excess = torch.addcmul(first * first, limits, second, value=-1).amax(1)
        totals = self._powers[:, :, : self._features].sum(2)
        figures = [*totals.unbind(1), third.double(), fourth.double(), excess]
        rows = rows_of_numbers(torch.stack(figures, 1))
        self._totals = [Powers(self._n, s, *row[:4]) for s, row in zip(self._scales, rows)]
        self._excess = [row[4] for row in rows]
        self._small = self._zeros_and_subnormals(square)

    def _work(self, purpose: str) -> Tensor:
        return scratch(purpose, tuple(self._flat.shape), self._flat.dtype)

    def _along_axes(self, values: Tensor) -> Tensor:
        """Sums by entry: [tensors, entries], float64."""
        x, wide = values.view(self._x.shape), torch.float64
        tensors, samples, _, positions = x.shape
        if self._inner == 1:
            rows = x.view(tensors, -1, self._features)
            return torch.cat([rows.sum(1), rows.sum(2)], 1).to(wide)
        if positions >= POSITIONS_WORTH_SUMMING:
            cells = x.sum(3)
            found = [cells.sum(1, dtype=wide), cells.sum(2, dtype=wide)]
        else:
            columns = x.sum(1)
            found = [columns.sum(2, dtype=wide), x.view(tensors, samples, -1).sum(2).to(wide)]
        if len(self._axes) > 2:
            found.append(x.sum(2).view(tensors, -1).to(wide))
        return torch.cat(found, 1)

    def _extremes(self) -> Tensor:
        """Minima and maxima of features: [tensors, 2, features], float64."""
        x = self._x
        if self._inner == 1:
            rows = x.view(len(x), -1, self._features)
            ends = [rows.amin(1), rows.amax(1)]
        elif x.shape[3] >= POSITIONS_WORTH_SUMMING:
            ends = [x.amin(3).amin(1), x.amax(3).amax(1)]
        else:
            ends = [x.amin(1).amin(2), x.amax(1).amax(2)]
        return torch.stack(ends, 1).double()

    def _zeros_and_subnormals(self, square: Tensor) -> list[tuple[float, float]]:
        if any(scale.centre for scale in self._scales):
            least, known = torch.abs(self._flat, out=square).amin(1), [self._tiny] * len(self._x)
        else:
            least = square.amin(1)
            known = [least_square(self._tiny, scale.unit) for scale in self._scales]
        if all(one >= enough for one, enough in zip(numbers(least), known)):
            return [(0, 0)] * len(self._x)
        nonzero = numbers(torch.ne(self._flat, 0, out=square).sum(1))
        magnitude = torch.abs(self._flat, out=square)
        normal = numbers(torch.ge(magnitude, self._tiny, out=square).sum(1))
        return [(self._n - a, a - b) for a, b in zip(nonzero, normal)]

    def good(self) -> list[int]:
        """Tensors that need no other look."""
        pairs = enumerate(zip(self._totals, self._excess))
        return [place for place, (powers, excess) in pairs if powers.suited and excess <= 0]

    def together(self, good: list[int]) -> Together:
        """What is known about the tensors at these places."""
        powers, ranges = self._powers, self._ranges
        if len(good) < len(self._kept):
            chosen = torch.tensor(good, device="cpu")
            powers, ranges = powers[chosen], ranges[chosen]
        kept = [self._kept[place] for place in good]
        small = [self._small[place] for place in good]
        times = [one.times for one in kept]
        exact = self._x.dtype == torch.float64 or any(one != 1 for one in times)
        return Together(
            powers=powers,
            ranges=ranges,
            axes=self._axes,
            totals=[self._totals[place] for place in good],
            classes=[[0.0, 0.0, 0.0, *counts] for counts in small],
            times=times,
            largest=[self._largest] * len(good),
            drawn=[self._drawn(place) for place in good],
            zeros_possible=exact or any(sum(counts) for counts in small),
            positions=self._x.shape[2] if self._inner == 1 else 0,
            by_row=kept[0].by_row,
            settled=[],
        )

    def _drawn(self, place: int) -> Tensor:
        kept = self._kept[place]
        part = sampled((self._x[place], self._inner), kept.binning.stride, kept.binning.turn)
        values = part.reshape(-1).float()
        return values if kept.times == 1 else values * kept.times


def _deviation(flat: Tensor, scales: list[Scale]) -> Tensor:
    """[tensors, values] from the centres, times the units."""
    if all(scale == (0.0, 1.0) for scale in scales):
        return flat
    work = scratch("deviation", tuple(flat.shape), flat.dtype)
    centre, unit = torch.tensor(scales, dtype=flat.dtype, device="cpu").unsqueeze(2).unbind(1)
    deviation = torch.sub(flat, centre, out=work)
    return deviation if all(scale.unit == 1 for scale in scales) else deviation.mul_(unit)
