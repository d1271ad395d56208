"""Memory for what comes of single tensors, kept from step to step with the views that operations
write to: fresh memory costs a page fault every 4 KiB, and each view of it a call."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

#: Values that rooms nobody uses hold in all.
_MAX_FREE = 1 << 23
#: What a room costs besides, in values.
_OVERHEAD = 1 << 11


class Room:
    """Belongs to one tensor from its first pass until what came of it is completed."""

    def __init__(
        self, key: Any, length: int, blocks: int, features: int, parts: int, dtype: torch.dtype
    ) -> None:
        self.key = key
        #: First and second powers by entry: [2, length].
        self.powers = torch.empty((2, length), dtype=dtype, device="cpu")
        #: Minima and maxima of features, by block: [2, blocks, features].
        self.extremes = torch.empty((2, blocks, features), dtype=dtype, device="cpu")
        self.first, self.second = self.powers.unbind()
        self.low, self.high = self.extremes.unbind()
        #: Third and fourth power and the least square of each part; then the largest excess, and
        #: the sums of first and second powers.
        self.figures = torch.empty(3 * parts + 3, dtype=dtype, device="cpu")
        self.by_part = [self.figures[3 * part : 3 * part + 3].unbind() for part in range(parts)]
        self.excess = self.figures[3 * parts]
        self.totals = self.figures[3 * parts + 1 :]
        #: Views by part, for the reducer that made it.
        self.views: list[Any] = []
        #: What the totals are the sums of: [2, entries].
        self.summed = self.powers
        self._drawn: Tensor | None = None

    def drawn(self, shape: torch.Size) -> Tensor:
        """Memory for values that are drawn from the tensor."""
        if self._drawn is None or self._drawn.shape != shape:
            self._drawn = torch.empty(shape, dtype=self.powers.dtype, device="cpu")
        return self._drawn

    def give_back(self) -> None:
        """Nobody uses it any more, nor a view of it."""
        rooms.give_back(self)

    @property
    def size(self) -> int:
        """Values that it holds, and what it costs besides."""
        drawn = 0 if self._drawn is None else self._drawn.numel()
        return self.powers.numel() + self.extremes.numel() + drawn + _OVERHEAD


class Rooms:
    """Those that nobody uses, by what they are for."""

    def __init__(self) -> None:
        self._free: dict[Any, list[Room]] = {}
        self._held = 0

    def take(self, key: Any) -> Room | None:
        """One that was given back; None if there is none."""
        free = self._free.get(key)
        try:
            room = free.pop() if free else None
        except IndexError:
            # Another thread was faster.
            return None
        if room is not None:
            self._held -= room.size
        return room

    def give_back(self, room: Room) -> None:
        """Nobody uses it any more, nor a view of it."""
        size = room.size
        if self._held + size > _MAX_FREE:
            # Shapes change: those of now are worth more than those of before.
            self._free, self._held = {}, 0
        if size <= _MAX_FREE:
            self._free.setdefault(room.key, []).append(room)
            self._held += size


rooms = Rooms()
