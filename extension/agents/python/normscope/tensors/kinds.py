"""Which objects are tensors, told by their class, and their facts."""

from __future__ import annotations

import sys
from typing import Any

from . import foreign, numpy_array, torch_tensor
from .facts import Facts
from .torch_guard import torch_module

#: Classes of arrays of other frameworks: the package they come from, and their names.
_FOREIGN = {
    "tensorflow": ("tf", {"EagerTensor", "SymbolicTensor", "ResourceVariable"}),
    "jax": ("jax", {"Tracer"}),
    "jaxlib": ("jax", {"ArrayImpl", "Array"}),
}


def is_torch_tensor(kind: type) -> bool:
    """Whether instances of the class are torch tensors."""
    torch = torch_module()
    return torch is not None and torch.Tensor in type.__dict__["__mro__"].__get__(kind)


def is_module(kind: type) -> bool:
    """Whether instances of the class are ``torch.nn.Module``."""
    torch = torch_module()
    return torch is not None and torch.nn.Module in type.__dict__["__mro__"].__get__(kind)


def is_numpy_array(kind: type) -> bool:
    array = getattr(sys.modules.get("numpy"), "ndarray", None)
    return array is not None and array in type.__dict__["__mro__"].__get__(kind)


def foreign_framework(kind: type) -> str | None:
    """``tf`` or ``jax`` for arrays of these."""
    for ancestor in type.__dict__["__mro__"].__get__(kind):
        package = str(getattr(ancestor, "__module__", "")).partition(".")[0]
        framework, names = _FOREIGN.get(package, ("", set()))
        if ancestor.__name__ in names and package in sys.modules and "numpy" in sys.modules:
            return framework
    return None


def is_tensor(kind: type) -> bool:
    """Whether instances of the class are tensors of any kind known here."""
    return is_torch_tensor(kind) or is_numpy_array(kind) or foreign_framework(kind) is not None


def facts_of(value: Any, limit: int | None = None) -> Facts | None:
    """The facts of a tensor; None for anything else. Never raises.

    :param limit: elements to read at most, 0 for none; by the settings unless given
    """
    kind = type(value)
    if is_torch_tensor(kind):
        return torch_tensor.facts_of(torch_module(), value, limit)
    numpy = sys.modules.get("numpy")
    if is_numpy_array(kind):
        return numpy_array.facts_of(numpy, value, limit)
    framework = foreign_framework(kind)
    return foreign.facts_of(numpy, value, framework, limit) if framework is not None else None
