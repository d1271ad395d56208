"""Which code the workers of a data loader may run, as far as what they are given tells."""

from __future__ import annotations

import functools
import sys
from collections import OrderedDict, namedtuple
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
import pytest
import torch
from normscope.loader_workers import reachable
from torch import nn
from torch.utils.data import ConcatDataset, Dataset, Subset, random_split

helpers = ModuleType("normscope_test_helpers")
exec(compile("def augment(x):\n    return x", "helpers.py", "exec"), vars(helpers))
sys.modules[helpers.__name__] = helpers

#: Has no truth value.
MEANS = np.array([0.1, 0.2])


def inner(x: Any) -> Any:
    return x


def pad(batch: Any, length: int = 0) -> Any:
    return batch


def with_default(x: Any, then: Any = inner) -> Any:
    return then(x)


def finds(function: FunctionType, *given: Any) -> bool:
    return function.__code__ in reachable(given)


class Transform:
    def __call__(self, x: Any) -> Any:
        return x


class Unit(nn.Module):
    def forward(self, x: Any) -> Any:
        return x


class Samples(Dataset):
    def __len__(self) -> int:
        return 4

    def __getitem__(self, index: int) -> Any:
        return index


class OfModule(Samples):
    def __getitem__(self, index: int) -> Any:
        return helpers.augment(index) - MEANS


class InComprehension(Samples):
    def __getitem__(self, index: int) -> Any:
        return [inner(x) for x in range(index)]


class ImportedInside(Samples):
    def __getitem__(self, index: int) -> Any:
        from normscope_test_helpers import augment

        return augment(index)


class OfClass(Samples):
    transform = Transform()


class Lazily(Samples):
    @functools.cached_property
    def table(self) -> Any:
        return inner(0)


class Holding(Samples):
    def __init__(self, held: Any) -> None:
        self.held = held


Pair = namedtuple("Pair", "data transform")


@pytest.mark.parametrize(
    ("function", "given"),
    [
        (Samples.__getitem__, Samples()),
        (helpers.augment, OfModule()),
        (inner, InComprehension()),
        (helpers.augment, ImportedInside()),
        (Transform.__call__, OfClass()),
        (inner, Lazily()),
        (inner, with_default),
        (pad, functools.partial(pad, length=3)),
        (Transform.__call__, Holding({"train": [Transform()]})),
        (Transform.__call__, Holding(OrderedDict(a=Transform()))),
        (Transform.__call__, Holding((Transform(),))),
        (Unit.forward, Holding(nn.Sequential(nn.Identity(), Unit()))),
        (Transform.__call__, Pair([1], Transform())),
        (Transform.__call__, Subset(Holding(Transform()), [0])),
        (Transform.__call__, ConcatDataset([Samples(), OfClass()])),
        (Transform.__call__, random_split(OfClass(), [2, 2])[0]),
        # Very many values that are no code do not hide it.
        (Transform.__call__, Holding([[1.0] * 100_000, torch.zeros(3), "text", Transform()])),
    ],
)
def test_code_that_a_worker_may_run_is_found(function, given) -> None:
    assert finds(function, given)


def test_code_that_nothing_names_is_not() -> None:
    given = [OfModule(), Holding({"a": Transform()}), OfClass(), functools.partial(pad)]
    assert None not in reachable(given)
    assert not finds(with_default, *given)


def test_more_than_can_be_looked_at_is_said() -> None:
    assert list(reachable([[object.__new__(Transform) for _ in range(6000)]]))[-1] is None


def test_objects_are_not_asked_what_they_are() -> None:
    class Proxy:
        @property
        def __class__(self) -> Any:
            raise SystemExit(3)

        def __bool__(self) -> bool:
            raise SystemExit(4)

    list(reachable([Holding(Proxy())]))
