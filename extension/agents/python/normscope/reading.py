"""What can be read of a layer and of its input, and if not, why not."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

#: The classes of tensors whose values are what they seem.
PLAIN = (Tensor, nn.Parameter)


def input_of(args: tuple, kwargs: dict) -> Tensor | None:
    """The first tensor; None for no tensor that can be read."""
    if args:
        return args[0] if isinstance(args[0], Tensor) else None
    return next((value for value in kwargs.values() if isinstance(value, Tensor)), None)


def why_not(x: Tensor) -> str | None:
    if type(x) not in PLAIN:
        return f"Its input is a {type(x).__name__}, whose values the capture does not read."
    if x.is_quantized or x.layout != torch.strided or getattr(x, "is_nested", False):
        return "Its input is not a dense tensor."
    if not x.is_floating_point():
        return f"Its input is {str(x.dtype).replace('torch.', '')}, not floating-point."
    if x.device.type == "meta":
        return "Its input has no values (meta device)."
    if x.is_cuda and torch.cuda.is_current_stream_capturing():
        return "It runs inside a captured CUDA graph."
    return None


def eval_reason(module: nn.Module) -> str:
    if module.training:
        return "It ran only with gradients off; such passes are not captured."
    return "It ran only in eval mode; such passes are not captured."


def number(module: nn.Module, *names: str) -> float | None:
    for name in names:
        value = getattr(module, name, None)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return float(value) if math.isfinite(value) else None
    return None
