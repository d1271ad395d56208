"""Whether a norm layer's gain is its weight, or one more."""

from __future__ import annotations

import ast
import inspect
import textwrap
from weakref import WeakKeyDictionary

from torch import nn

from .classes import WEIGHT_NAMES

#: Longest source of a class that is read, in characters.
_MOST_SOURCE = 20_000

_known: WeakKeyDictionary[type, bool] = WeakKeyDictionary()


def is_one_plus_weight(kind: type[nn.Module]) -> bool:
    """Whether a class of norm layers multiplies by ``1 + weight``, as those of Gemma, Nemotron and
    Qwen3-Next do: then a weight of 0 is a gain of 1. Told from its source; false without one.
    """
    known = _known.get(kind)
    if known is None:
        ours = kind.__module__.partition(".")[0] == "torch"
        known = _known[kind] = not ours and _adds_one(kind)
    return known


def _adds_one(kind: type[nn.Module]) -> bool:
    try:
        source = inspect.getsource(kind)
        if len(source) > _MOST_SOURCE:
            return False
        tree = ast.parse(textwrap.dedent(source))
    except (OSError, TypeError, SyntaxError, ValueError, RecursionError):
        return False
    return any(
        isinstance(node, ast.BinOp)
        and isinstance(node.op, ast.Add)
        and (
            (_is_one(node.left) and _is_weight(node.right))
            or (_is_one(node.right) and _is_weight(node.left))
        )
        for node in ast.walk(tree)
    )


def _is_one(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and not isinstance(node.value, bool) and node.value == 1


def _is_weight(node: ast.expr) -> bool:
    """``self.weight`` or a conversion of it, such as ``self.weight.float()``."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        node = node.func.value
    return (
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "self"
        and node.attr in WEIGHT_NAMES
    )
