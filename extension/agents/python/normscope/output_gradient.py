"""The gradient at a layer's output, also where the program changes the output in place."""

from __future__ import annotations

from typing import Any, Callable, Protocol

import torch
from torch import Tensor
from torch.utils.hooks import unserializable_hook

#: Brings a gradient into the form of the tensor that it is for.
Reading = Callable[[Tensor], Tensor]


class Hook(Protocol):
    """Takes a gradient, and how to read it if it is for another tensor."""

    def __call__(self, gradient: Any, read: Reading | None = None) -> None: ...


def watch_output(y: Tensor, x: Tensor, hook: Hook) -> bool:
    """Has ``hook`` called with dL/dy of a layer's output ``y`` for its input ``x``.

    An operation in place on a view gives the view a new history, in which hooks of the old one
    never fire. The history of the tensor it is a view of goes on, so the gradient is read there
    if it did not come by the view itself. False where that can not be, because the output is a
    view of the input, which others use too.
    """
    if not y._is_view():
        y.register_hook(hook)
        return True
    base = y._base
    if base is None or not base.requires_grad or base is (x._base if x._is_view() else x):
        y.register_hook(hook)
        return False
    came = False
    shape, strides = y.shape, y.stride()
    offset = y.storage_offset() - base.storage_offset()
    base_shape, base_strides = base.shape, base.stride()

    def read(gradient: Tensor) -> Tensor:
        with torch.no_grad():
            if gradient.stride() != base_strides:
                laid_out = torch.empty_strided(
                    base_shape, base_strides, dtype=gradient.dtype, device=gradient.device
                )
                gradient = laid_out.copy_(gradient)
            return gradient.detach().as_strided(shape, strides, gradient.storage_offset() + offset)

    @unserializable_hook
    def at_view(gradient: Any) -> None:
        nonlocal came
        came = True
        hook(gradient)

    @unserializable_hook
    def at_base(gradient: Any) -> None:
        if not came:
            hook(gradient, read)

    y.register_hook(at_view)
    base.register_hook(at_base)
    return True
