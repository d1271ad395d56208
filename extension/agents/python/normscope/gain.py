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
    Qwen3-Next do: then a weight of 0 is a gain of 1. Told from the source of its ``forward``; false
    without one, and where the sum is made under a condition.
    """
    known = _known.get(kind)
    if known is None:
        known = _known[kind] = _adds_one(kind)
    return known


def _adds_one(kind: type[nn.Module]) -> bool:
    owner = next((one for one in kind.__mro__ if "forward" in vars(one)), None)
    if owner is None or owner.__module__.partition(".")[0] == "torch":
        return False
    try:
        source = inspect.getsource(vars(owner)["forward"])
        if len(source) > _MOST_SOURCE:
            return False
        tree = ast.parse(textwrap.dedent(source))
    except (OSError, TypeError, SyntaxError, ValueError, RecursionError):
        return False
    search = _Search()
    search.visit(tree)
    return search.found


class _Search(ast.NodeVisitor):
    """Looks for the sum in what runs at every call."""

    def __init__(self) -> None:
        self.found = False

    def visit_If(self, node: ast.If) -> None:
        self.visit(node.test)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self.visit(node.test)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        left, right = node.left, node.right
        pairs = ((left, right), (right, left))
        if isinstance(node.op, ast.Add) and any(_is_one(a) and _is_weight(b) for a, b in pairs):
            self.found = True
        self.generic_visit(node)


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
