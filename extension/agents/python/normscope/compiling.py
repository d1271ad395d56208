"""States of the process in which a tensor is not what it seems, or our work would be recorded."""

from __future__ import annotations

from typing import Any, Callable

import torch


def _never() -> bool:
    return False


def _find_is_compiling() -> Callable[[], bool]:
    for holder in (getattr(torch, "compiler", None), getattr(torch, "_utils", None)):
        found = getattr(holder, "is_compiling", None)
        if found is not None:
            return found
    return _never


#: Whether a compiler traces the caller. It folds the call, so nothing after it costs a graph.
is_compiling: Callable[[], bool] = _find_is_compiling()

_modes: Callable[[], int] = getattr(torch._C, "_len_torch_dispatch_stack", lambda: 0)
_tracing_state: Callable[[], Any] = getattr(torch._C, "_get_tracing_state", lambda: None)
_functorch: Any = getattr(torch._C, "_functorch", None)
_transform: Callable[[], Any] = getattr(_functorch, "peek_interpreter_stack", lambda: None)
#: Since 2.0 it takes effect on function modes too, not only on subclasses of tensors.
_ignores_modes = hasattr(torch._C, "DisableTorchFunctionSubclass")
_function_modes: Callable[[], int] = getattr(torch._C, "_len_torch_function_stack", lambda: 0)
_graph_task: Callable[[], int] | None = getattr(torch._C, "_current_graph_task_id", None)


#: A context in which the program's function modes do not see what the agent computes.
unseen: Callable[[], Any] = torch._C.DisableTorchFunction


def recorded_by() -> str | None:
    """What would record or transform operations now, as a sentence; None for nothing."""
    if _tracing_state() is not None:
        return "The model is being traced."
    if _transform() is not None:
        return "It runs under a function transform such as vmap or grad."
    if _modes() > 0:
        return "It runs under a dispatch mode, which would see the capture as part of the model."
    if not _ignores_modes and _function_modes() > 0:
        return "It runs under a function mode, which would see the capture as part of the model."
    return None


def inside_graph_task() -> bool | None:
    """Whether the caller runs inside a backward pass; None where PyTorch does not tell."""
    return None if _graph_task is None else _graph_task() != -1
