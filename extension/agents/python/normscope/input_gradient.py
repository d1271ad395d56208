"""The gradient at a layer's input through that layer only, read off the graph as it is.

The layer gets its own argument: one that is replaced, even by a view, would change the order in
which autograd adds gradients up, and so training. Instead, the nodes that the layer made and that
consume its input are asked what they pass on to it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Any, Callable

import torch
from torch import Tensor

#: Nodes of a layer's own graph that are looked at; a norm layer has a few dozen at most.
MAX_NODES = 256

#: A node of the graph, and which of the gradients that it passes on go to the layer's input.
Consumer = tuple[Any, tuple[int, ...]]


class Source:
    """Where the layer's input ``x`` comes from, taken before the layer is called.

    ``x`` must require a gradient. The walk back from the output ends there, and at the tensors
    among ``others``, which the layer gets or holds besides.
    """

    def __init__(self, x: Tensor, others: Iterable[Any]) -> None:
        self.node = _node_of(x)
        self.number = x.output_nr
        self.version = x._version
        self._ends = [self.node]
        self._ends += [o.grad_fn for o in others if isinstance(o, Tensor) and o.grad_fn is not None]

    def consumers(self, output: Any) -> list[Consumer] | None:
        """Nodes between the input and ``output`` that consume the input; None if that can not be
        told, because the graph is too large."""
        outputs = output if isinstance(output, (tuple, list)) else (output,)
        pending = deque(o.grad_fn for o in outputs if isinstance(o, Tensor))
        seen = {id(end): end for end in self._ends}
        found: list[Consumer] = []
        walked = 0
        while pending:
            node = pending.popleft()
            if node is None or id(node) in seen:
                continue
            seen[id(node)] = node
            walked += 1
            if walked > MAX_NODES:
                return None
            here: list[int] = []
            for index, (below, number) in enumerate(node.next_functions):
                if below is self.node and number == self.number:
                    here.append(index)
                elif below is not None:
                    pending.append(below)
            if here:
                found.append((node, tuple(here)))
        return found


def _node_of(x: Tensor) -> Any:
    node = x.grad_fn
    if node is not None:
        return node
    with torch.enable_grad():
        return x.view_as(x).grad_fn.next_functions[0][0]  # type: ignore[union-attr]


class Parts:
    """Adds up what the consumers of one call's input pass on, in copies of its own: autograd may
    go on adding in place to what it passed on."""

    def __init__(self, consumers: int, measure: Callable[[Any], None]) -> None:
        #: Whether gradients of these gradients were asked for, which come by other ways too.
        self.differentiated = False
        self._wanted = consumers
        self._came = 0
        self._sum: Tensor | None = None
        self._measure = measure

    def take(self, gradients: Iterable[Tensor | None]) -> bool:
        """Takes one consumer's gradients; false while others are awaited."""
        given = [gradient for gradient in gradients if gradient is not None]
        self._came += 1
        if self._wanted == 1 and len(given) == 1:
            self._came = 0
            self._measure(given[0])
            return True
        with torch.no_grad():
            for gradient in given:
                part = gradient.detach()
                self._sum = part.clone() if self._sum is None else self._sum.add_(part)
        if self._came < self._wanted:
            return False
        self.finish()
        return True

    def finish(self) -> None:
        """Measures what came."""
        total = self.drop()
        if total is not None:
            self._measure(total)

    def drop(self) -> Tensor | None:
        """Forgets what came."""
        total, self._sum, self._came = self._sum, None, 0
        return total
