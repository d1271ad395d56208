"""A layer's parameters, their gradients and updates, and its running statistics."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

#: Order of the slots; see ``layers.ts``.
PARAMETERS = (
    "gamma",
    "beta",
    "gammaGradient",
    "betaGradient",
    "gammaUpdate",
    "betaUpdate",
    "runningMean",
    "runningVariance",
)
#: Names that they go by in modules; the first that fits counts.
_NAMES = {
    "gamma": ("weight", "gamma", "scale", "gain", "g", "a_2", "alpha"),
    "beta": ("bias", "beta", "shift", "b", "b_2"),
    "runningMean": ("running_mean", "moving_mean"),
    "runningVariance": ("running_var", "moving_variance"),
}
_PLAIN = (Tensor, torch.nn.Parameter)


class _Kept(NamedTuple):
    """One vector: where it lives and what it was before the update."""

    tensor: Tensor
    before: Tensor


class Held(NamedTuple):
    """What a layer held at its first call of a step, by the names of :data:`PARAMETERS`."""

    vectors: dict[str, _Kept]
    #: Which slots these give, in order.
    names: tuple[str, ...]


def hold(tensors: dict[str, Tensor], features: int) -> Held:
    """Copies the vectors of ``features`` values among a layer's ``tensors``, by name.

    To be called before the layer, which may go on to change its running statistics. A copy each
    on their own device; nothing waits.
    """
    found: dict[str, _Kept] = {}
    for name, candidates in _NAMES.items():
        for candidate in candidates:
            tensor = tensors.get(candidate)
            if tensor is not None and _fits(tensor, features):
                found[name] = _Kept(tensor, tensor.detach().clone())
                break
    names = []
    for name in PARAMETERS:
        base = name.replace("Gradient", "").replace("Update", "")
        kept = found.get(base)
        if kept is not None and (base == name or isinstance(kept.tensor, torch.nn.Parameter)):
            names.append(name)
    return Held(found, tuple(names))


def _fits(tensor: Tensor, features: int) -> bool:
    return (
        type(tensor) in _PLAIN
        and tensor.numel() == features
        and tensor.layout == torch.strided
        and tensor.is_floating_point()
        and tensor.device.type != "meta"
    )


def slots(held: Held | None, names: tuple[str, ...], features: int) -> list[Tensor | None]:
    """The vectors for ``names`` after the step's update, [features] each; None where there is none
    now, such as a gradient that the program has cleared."""
    return [None if held is None else _slot(held, name, features) for name in names]


def _slot(held: Held, name: str, features: int) -> Tensor | None:
    base = name.replace("Gradient", "").replace("Update", "")
    kept = held.vectors.get(base)
    if kept is None:
        return None
    value: Tensor | None = kept.before
    if name.endswith("Update"):
        value = kept.tensor.detach() - kept.before if _fits(kept.tensor, features) else None
    elif name.endswith("Gradient"):
        gradient = kept.tensor.grad
        value = gradient if gradient is not None and _fits(gradient, features) else None
    return None if value is None else value.detach().reshape(features)
