"""A layer's parameters, their gradients and updates, and its running statistics."""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import Tensor

from .classes import WEIGHT_NAMES
from .reading import PLAIN

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
    "gamma": WEIGHT_NAMES,
    "beta": ("bias", "beta", "shift", "b", "b_2"),
    "runningMean": ("running_mean", "moving_mean"),
    "runningVariance": ("running_var", "moving_variance"),
}
#: Of each slot, what it is of.
_BASES = {name: name.replace("Gradient", "").replace("Update", "") for name in PARAMETERS}


class _Kept(NamedTuple):
    """One vector: where it lives and what it was before the update."""

    tensor: Tensor
    before: Tensor


class Held(NamedTuple):
    """What a layer held at its first call of a step, by the names of :data:`PARAMETERS`."""

    vectors: dict[str, _Kept]
    #: Which slots these give, in order.
    names: tuple[str, ...]
    #: Whether γ is 1 + what is kept.
    one_plus_weight: bool


def hold(tensors: dict[str, Tensor], features: int, one_plus_weight: bool = False) -> Held:
    """Copies the vectors of ``features`` values among a layer's ``tensors``, by name.

    To be called before the layer, which may go on to change its running statistics. A copy each
    on their own device; nothing waits. Of a layer with a gain of 1 + weight that is γ.
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
        base = _BASES[name]
        kept = found.get(base)
        if kept is not None and (base == name or isinstance(kept.tensor, torch.nn.Parameter)):
            names.append(name)
    return Held(found, tuple(names), one_plus_weight)


def _fits(tensor: Tensor, features: int) -> bool:
    return (
        type(tensor) in PLAIN
        and tensor.numel() == features
        and tensor.layout == torch.strided
        and tensor.is_floating_point()
        and tensor.device.type != "meta"
    )


class Updated:
    """Which parameters the update that ended a step was of."""

    def __init__(self, optimizer: Any, scaled: bool) -> None:
        """``optimizer`` is None where it is not known to be one: then the update is of all."""
        groups = getattr(optimizer, "param_groups", None)
        self._ids = None if groups is None else {id(p) for g in groups for p in g["params"]}
        self._scaled = scaled

    def includes(self, parameter: Tensor) -> bool:
        """Whether it was updated."""
        return self._ids is None or id(parameter) in self._ids

    def unscaled(self, parameter: Tensor) -> bool:
        """Whether its gradient is without a gradient scaler's factor."""
        return not self._scaled or self.includes(parameter)


def slots(
    held: Held | None, names: tuple[str, ...], features: int, updated: Updated
) -> list[Tensor | None]:
    """The vectors for ``names`` after the step's update, [features] each; None where there is none
    now, such as a gradient that the program has cleared, or the update of another optimizer that
    is still to come."""
    return [None if held is None else _slot(held, name, features, updated) for name in names]


def _slot(held: Held, name: str, features: int, updated: Updated) -> Tensor | None:
    kept = held.vectors.get(_BASES[name])
    if kept is None:
        return None
    value: Tensor | None = kept.before
    if name == "gamma" and held.one_plus_weight:
        value = kept.before.float() + 1
    elif name.endswith("Update"):
        there = _fits(kept.tensor, features) and updated.includes(kept.tensor)
        value = kept.tensor.detach() - kept.before if there else None
    elif name.endswith("Gradient"):
        gradient = kept.tensor.grad
        there = gradient is not None and _fits(gradient, features)
        value = gradient if there and updated.unscaled(kept.tensor) else None
    return None if value is None else value.detach().reshape(features)
