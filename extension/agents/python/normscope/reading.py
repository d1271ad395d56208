"""What can be read of a layer and of its input, and if not, why not."""

from __future__ import annotations

import math
from typing import Any

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
    """Why the values of an input can not be read, as a sentence; None where they can."""
    if type(x) not in PLAIN:
        return f"Its input is a {type(x).__name__}, whose values the capture does not read."
    if getattr(x, "is_nested", False):
        return "Its input is a nested tensor, which is not dense."
    if x.is_quantized:
        return f"Its input is quantized ({_name(x.dtype)}), not floating-point."
    if x.layout != torch.strided:
        return f"Its input is {_name(x.layout)}, not dense."
    if not x.is_floating_point() or _is_narrow(x.dtype):
        instead = "floating-point" if not x.is_floating_point() else "a format that can be summed"
        return f"Its input is {_name(x.dtype)}, not {instead}."
    if x.device.type == "meta":
        return "Its input has no values (meta device)."
    if x.is_cuda and torch.cuda.is_current_stream_capturing():
        return "It runs inside a captured CUDA graph."
    return None


def _name(of_torch: object) -> str:
    return str(of_torch).replace("torch.", "")


def _is_narrow(dtype: torch.dtype) -> bool:
    """Whether PyTorch only stores such numbers, as it does with eight bits and fewer."""
    return "float8" in str(dtype) or "float4" in str(dtype)


#: Of a layer that is captured although it is in eval mode.
EVAL_WHILE_TRAINING = (
    "It is in eval mode while the model trains, so it normalizes with its running statistics, not "
    "with those of the batch; call train() on it if that is not meant."
)
#: Of a layer through whose gradient the program differentiates again.
TWICE_DIFFERENTIATED = (
    "The program takes gradients of its gradients, as for a penalty, so the one before it is not "
    "captured."
)


def eval_reason(training: bool) -> str:
    """Why no pass of a layer was captured, by whether it is in training mode."""
    if training:
        return "It ran only with gradients off; such passes are not captured."
    return "It ran only in eval mode; such passes are not captured."


def number(module: nn.Module, *names: str) -> float | None:
    """The first of these attributes that is a number; None for one that is not finite."""
    for name in names:
        value = getattr(module, name, None)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return finite(value)
    return None


def finite(value: Any) -> float | None:
    """``value`` if it is a finite number."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return 1.0 * value if math.isfinite(value) else None
