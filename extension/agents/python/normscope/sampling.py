"""Which values of a large tensor go into its histogram: about 16,384 of them, spread evenly."""

from __future__ import annotations

from functools import lru_cache

from torch import Tensor

from .geometry import Cells

#: Up to here every value of a call goes into the histogram; of a larger tensor, at most the second.
_WHOLE = 32_768
_OF_LARGER = 16_384
#: The same bounds for a layer that someone looks at.
_FOCUSED_WHOLE = 4 * 1024 * 1024
#: Fewer chosen rows than this would be a poor sample; single values are chosen then.
_LEAST_ROWS = 16


@lru_cache(maxsize=4096)
def stride_for(elements: int, focused: bool = False) -> int:
    """One in how many values (or rows) of a tensor of ``elements`` values is binned.

    1, or a prime that divides no axis, so that a walk over the flattened tensor meets every
    position of every axis alike.
    """
    whole, wanted = (_FOCUSED_WHOLE,) * 2 if focused else (_WHOLE, _OF_LARGER)
    if elements <= whole:
        return 1
    stride = -(-elements // wanted)
    while elements % stride == 0 or not _is_prime(stride):
        stride += 1
    return stride


def _is_prime(number: int) -> bool:
    if number < 4:
        return number > 1
    return number % 2 == 1 and all(
        number % divisor for divisor in range(3, int(number**0.5) + 1, 2)
    )


def sampled(view: Cells, stride: int, turn: int) -> Tensor:
    """Every ``stride``-th row of ``view`` from the ``turn``-th on, a row being all features at one
    position of one sample; where rows are few or do not lie together in memory, every
    ``stride``-th value. Never empty, for ``stride`` up to the number of values."""
    x, inner = view
    if stride <= 1:
        return x
    first = turn % stride
    rows = x.shape[0] * x.shape[inner]
    if inner == 1 and rows >= _LEAST_ROWS * stride and x.is_contiguous():
        return x.reshape(rows, x.shape[2])[first::stride]
    return _in_memory_order(x)[first::stride]


def _in_memory_order(x: Tensor) -> Tensor:
    """All values in one axis, without a copy where they lie together."""
    if not x.is_contiguous():
        turned = x.transpose(1, 2)
        if turned.is_contiguous():
            return turned.reshape(-1)
    return x.reshape(-1)
