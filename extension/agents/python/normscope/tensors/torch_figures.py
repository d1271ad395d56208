"""Statistics of a torch tensor's values: few operations, one transfer, bounded time."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .facts import Figures
from .options import most_elements
from .spread import PAGED_BYTES, at_a_bearable_pace, spread

#: Values that are brought over for the drawn distribution.
_DRAWN = 1024
#: Longest wait for a device that still works on what was launched before.
_LONGEST_WAIT = 0.5
#: Fewer positions of a feature with one value prove nothing.
_FEWEST_POSITIONS = 8
#: Elements at a time on the CPU: few enough for one thread and its cache. PyTorch's other threads
#: belong to the program, and waiting for them on a busy machine takes longer than the work.
_PIECE = 1 << 14


class Busy(Exception):
    """The device does not finish within the time there is."""


def feature_axis(sizes: tuple[int, ...], parameter: bool) -> int | None:
    """The axis that holds features by PyTorch's conventions: 1 of images and volumes, else the
    last. None for parameters, and where there are too few positions to tell."""
    if parameter or not 2 <= len(sizes) <= 5:
        return None
    axis = 1 if len(sizes) >= 4 else len(sizes) - 1
    features = sizes[axis]
    total = 1
    for size in sizes:
        total *= size
    return axis if features >= 2 and total // features >= _FEWEST_POSITIONS else None


@dataclass
class _Sums:
    """Of finite values; pieces merge exactly (Chan, Golub and LeVeque 1979)."""

    finite: float = 0.0
    nan: float = 0.0
    infinite: float = 0.0
    zeros: float = 0.0
    mean: float = 0.0
    #: Sum of squares about the mean.
    squares: float = 0.0
    low: float = math.inf
    high: float = -math.inf

    def add(self, values: list[float]) -> None:
        finite, nan, infinite, zeros, mean, squares, low, high = values
        self.nan += nan
        self.infinite += infinite
        self.zeros += zeros
        if finite == 0:
            return
        total = self.finite + finite
        off = mean - self.mean
        self.squares += squares + off * off * self.finite * finite / total
        self.mean += off * finite / total
        self.finite = total
        self.low, self.high = min(self.low, low), max(self.high, high)


def figures_of(torch: Any, x: Any, feature: int | None, limit: int | None = None) -> Figures:
    """Statistics of the finite values of a dense tensor of numbers; call inside ``apart``.

    :param x: of any dtype that converts to float64; of complex ones the magnitude is taken
    :param feature: axis to look for dead features along
    :param limit: elements to read at most; by the settings unless given
    :raises Busy: where the device does not get to it in time
    """
    budget = min(most_elements(), limit) if limit is not None else most_elements()
    on_cpu = x.device.type == "cpu"
    if not x.is_floating_point():
        feature = None
    plan = spread(
        tuple(x.size()), tuple(x.stride()), budget,
        feature=feature, item_bytes=x.element_size(), paged=on_cpu,
    )  # fmt: skip
    total = x.numel()
    if on_cpu and plan.sampled and total * x.element_size() > PAGED_BYTES:
        plan = at_a_bearable_pace(
            plan,
            lambda sizes, strides: (
                torch.as_strided(x, sizes, strides, x.storage_offset()).ne(0).sum().item()
            ),
        )
    view = torch.as_strided(x, plan.sizes, plan.strides, x.storage_offset())
    with_features = plan.feature is not None and plan.sizes[plan.feature] <= _PIECE
    if on_cpu:
        sums, some, dead = _by_pieces(torch, view, with_features)
    else:
        sums, some, dead = _at_once(torch, view, with_features)
    finite, nan, infinite, zeros = (
        round(n) * plan.repeats for n in (sums.finite, sums.nan, sums.infinite, sums.zeros)
    )
    figures = Figures(total, plan.elements, plan.sampled, nan, infinite, zeros, finite)
    if sums.finite:
        figures.mean, figures.low, figures.high = sums.mean, sums.low, sums.high
        figures.deviation = math.sqrt(sums.squares / sums.finite)
    figures.some = some
    if with_features and plan.feature is not None:
        figures.dead, figures.features = dead, plan.sizes[plan.feature]
    return figures


def _pieces(view: Any) -> Iterator[Any]:
    """Parts of at most ``_PIECE`` elements, cut along the outermost axes."""
    if view.numel() <= _PIECE:
        yield view
    elif view.dim() == 1:
        yield from view.split(_PIECE)
    else:
        rows = _PIECE // (view.numel() // view.size(0))
        for part in view.split(rows) if rows else view.unbind():
            yield from (part,) if rows else _pieces(part)


def _by_pieces(torch: Any, view: Any, with_features: bool) -> tuple[_Sums, list[float], int]:
    sums, some = _Sums(), list[Any]()
    every = max(1, -(-view.numel() // _DRAWN))
    low = high = None
    # Memory that is taken anew for each piece costs more than the arithmetic on it.
    room = torch.empty((2, min(_PIECE, view.numel())), dtype=torch.float64)
    for piece in _pieces(view):
        here, spare = (row[: piece.numel()].view(piece.size()) for row in room)
        x = here.copy_(piece.abs() if piece.is_complex() else piece)
        sums.add(_scalars(torch, x, spare).tolist())
        # Shifted from piece to piece, so that it is not the same few features each time.
        some.append(x.reshape(-1)[len(some) % every :: every].clone())
        if with_features:
            flat = x.reshape(-1, x.size(-1))
            least, most = torch.amin(flat, 0), torch.amax(flat, 0)
            low = least if low is None else torch.minimum(low, least)
            high = most if high is None else torch.maximum(high, most)
    dead = int((low == high).sum()) if low is not None else 0
    return sums, torch.cat(some).tolist() if some else [], dead


def _at_once(torch: Any, view: Any, with_features: bool) -> tuple[_Sums, list[float], int]:
    """On the device, with one transfer."""
    view = view.abs() if view.is_complex() else view
    x = view.to(torch.float32 if view.device.type == "mps" else torch.float64)
    flat = x.reshape(-1)
    some = flat[:: max(1, -(-flat.numel() // _DRAWN))]
    dead = torch.zeros(1, dtype=x.dtype, device=x.device)
    if with_features:
        rows = x.reshape(-1, x.size(-1))
        dead = (torch.amin(rows, 0) == torch.amax(rows, 0)).sum().to(x.dtype).reshape(1)
    packed = torch.cat([_scalars(torch, x, None), dead, some])
    host: list[float] = _brought_over(torch, packed).tolist()
    sums = _Sums()
    sums.add(host[:8])
    return sums, host[9:], round(host[8])


def _scalars(torch: Any, x: Any, spare: Any) -> Any:
    """The fields of ``_Sums`` of one piece.

    :param spare: memory like that of ``x``, whose values can then be looked at to save work; None
        on a device, which would have to be waited for
    """
    n, total = x.numel(), x.sum()
    zeros = n - torch.count_nonzero(x).to(x.dtype)
    if spare is not None and math.isfinite(float(total)):
        mean = total / n
        # After the mean rather than by a formula of powers, which cancels.
        squares = torch.sub(x, mean, out=spare).square_().sum()
        none = torch.zeros_like(total)
        return torch.stack(
            [none + n, none, none, zeros, mean, squares, torch.amin(x), torch.amax(x)]
        )
    is_finite = torch.isfinite(x)
    finite = is_finite.sum().to(x.dtype)
    nan = torch.isnan(x).sum().to(x.dtype)
    mean = torch.where(is_finite, x, torch.zeros_like(x)).sum() / finite
    off = torch.where(is_finite, x - mean, torch.zeros_like(x))
    low = torch.where(is_finite, x, torch.full_like(x, math.inf)).amin()
    high = torch.where(is_finite, x, torch.full_like(x, -math.inf)).amax()
    squares = off.square_().sum()
    return torch.stack([finite, nan, n - finite - nan, zeros, mean, squares, low, high])


def _brought_over(torch: Any, packed: Any) -> Any:
    """On the host; not where the device is held up, as by a collective that waits for a rank."""
    kind = packed.device.type
    if kind in ("cuda", "xpu"):
        module = getattr(torch, kind)
        with module.device(packed.device):
            done = module.Event()
            done.record()
        deadline = time.monotonic() + _LONGEST_WAIT
        while not done.query():
            if time.monotonic() > deadline:
                raise Busy
            time.sleep(0.0002)
    return packed.cpu()
