"""Decisions that need a tensor's value, for tensors in host memory only.

Reading a value on the CPU costs less than a microsecond and waits for nothing. On an accelerator
it would stall training, so callers there take the path that needs no decision.
"""

from __future__ import annotations

import torch
from torch import Tensor

#: Most ones that a sum in float32 counts exactly.
_EXACT = 1 << 24
#: Squares below this have lost digits to underflow.
_LEAST_SQUARE = 1e-37


def number(value: Tensor) -> float:
    """The value of a tensor of one element."""
    return float(value.item())


def numbers(values: Tensor) -> list[float]:
    """The values of a one-dimensional tensor."""
    found: list[float] = values.tolist()
    return found


def rows_of_numbers(values: Tensor) -> list[list[float]]:
    """The values of a two-dimensional tensor."""
    found: list[list[float]] = values.tolist()
    return found


def places(flags: Tensor) -> Tensor | None:
    """Where the one-dimensional ``flags`` are set; None for nowhere."""
    return flags.nonzero().flatten() if bool(flags.any().item()) else None


def any_set(flags: Tensor) -> bool:
    """Whether one of them is."""
    return bool(flags.any().item())


def all_set(flags: Tensor) -> bool:
    """Whether all of them are."""
    return bool(flags.all().item())


def least_square(tiny: float, unit: float) -> float:
    """What squares of ``unit`` times a value reach at least when none is below ``tiny``."""
    return max((tiny * unit) ** 2, _LEAST_SQUARE)


def zeros_and_subnormals(
    values: Tensor, tiny: float, work: Tensor, squares: Tensor | None, least: float
) -> tuple[int, int]:
    """Counts zeros and subnormals among finite ``values``; ``tiny`` is the least normal number.

    ``work`` has the shape and dtype of ``values``. Values whose entry in ``squares`` reaches
    ``least`` are known to be normal.
    """
    size = values.numel()
    if size > _EXACT:
        nonzero = int(torch.count_nonzero(values).item())
        normal = int(torch.count_nonzero(values.abs() >= tiny).item())
        return size - nonzero, nonzero - normal
    signs = torch.sign(values, out=work).view(-1)
    nonzero = int(torch.dot(signs, signs).item())
    if nonzero == 0:
        return size, 0
    if squares is not None:
        surely = int(torch.ge(squares, least, out=work).sum().item())
        if surely == nonzero:
            return size - nonzero, 0
    magnitude = torch.abs(values, out=work)
    normal = int(torch.ge(magnitude, tiny, out=work).sum().item())
    return size - nonzero, nonzero - normal
