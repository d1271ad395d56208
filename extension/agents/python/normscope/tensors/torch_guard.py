"""Looking at a tensor without the program, or its autograd, taking part."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


def torch_module() -> Any:
    """torch, if the program has imported it to the end; else None."""
    torch = sys.modules.get("torch")
    return torch if hasattr(torch, "Tensor") and hasattr(torch, "nn") else None


@contextmanager
def apart(torch: Any) -> Iterator[None]:
    """No gradient, no ``__torch_function__``, no modes of the paused thread."""
    make: Any = getattr(torch._C, "_DisableTorchDispatch", None)
    with torch.no_grad(), torch._C.DisableTorchFunction():
        guard: Any = make() if make is not None else None
        if hasattr(guard, "__enter__"):
            with guard:
                yield
            return
        try:
            yield
        finally:
            # Its destructor ends it.
            del guard


def occupied(torch: Any, tensor: Any) -> str | None:
    """Why nothing may be computed on this thread right now; None where it may."""
    try:
        if torch._C._get_tracing_state() is not None:
            return "torch.jit is tracing"
        functorch = getattr(torch._C, "_functorch", None)
        wrapped = getattr(functorch, "is_functorch_wrapped_tensor", None)
        if wrapped is not None and wrapped(tensor):
            return "inside a function transform"
        if (
            tensor.device.type == "cuda"
            and torch.cuda.is_initialized()
            and torch.cuda.is_current_stream_capturing()
        ):
            return "a CUDA graph is being captured"
    except Exception:
        return None
    return None
