"""The two taps of the backward pass: hooks on what a layer's call left in the graph."""

from __future__ import annotations

from time import perf_counter
from typing import Any, Callable

import torch
from torch import Tensor
from torch.utils.hooks import unserializable_hook

from .compiling import recorded_by, unseen
from .guard import Guard
from .input_gradient import Parts, Source
from .layers import GRAD_POST, GRAD_PRE, Layer, LayerTable
from .output_gradient import Hook, Reading
from .reading import TWICE_DIFFERENTIATED
from .steps import Steps


class GradientTaps:
    """Hooks that measure gradients while capture is on."""

    def __init__(
        self,
        table: LayerTable,
        steps: Steps,
        guard: Guard,
        on: Callable[[], bool],
        measure: Callable[[Layer, int, Tensor], None],
        spent: Callable[[float], None],
    ) -> None:
        self._table = table
        self._steps = steps
        self._guard = guard
        self._on = on
        self._measure = measure
        self._spent = spent
        #: Input gradients of the backward pass running now of which a part is still to come.
        self._awaited: dict[int, tuple[Layer, Parts]] = {}

    def watch_input(self, layer: Layer, source: Source, mask: Tensor | None, output: Any) -> None:
        consumers = source.consumers(output)
        if consumers is None:
            reason = "Its graph is too large to find the gradient before it."
            self._table.set_status(layer, "unsupported", reason)
            return
        parts = Parts(len(consumers), lambda g: self._gradient(layer, GRAD_PRE, g, mask))
        for node, indices in consumers:
            node.register_hook(self._input_hook(layer, parts, indices))

    def output_hook(self, layer: Layer, mask: Tensor | None) -> Hook:
        if mask is None and layer.gradient_hook is not None:
            return layer.gradient_hook

        @unserializable_hook
        def hook(gradient: Any, read: Reading | None = None) -> None:
            try:
                self._guarded(layer, lambda: take(gradient, read))
            except Exception:
                return

        def take(gradient: Any, read: Reading | None) -> None:
            if self._sees_gradients(layer):
                whole = gradient if read is None else read(gradient)
                self._gradient(layer, GRAD_POST, whole, mask)

        if mask is None:
            layer.gradient_hook = hook
        return hook

    def _gradient(self, layer: Layer, tap: int, gradient: Any, mask: Tensor | None) -> None:
        layer = layer.into or layer
        layer.row_mask = mask
        if isinstance(gradient, Tensor) and gradient.layout == torch.strided:
            self._measure(layer, tap, gradient)

    def _input_hook(self, layer: Layer, parts: Parts, indices: tuple[int, ...]) -> Any:
        def take(gradients: Any) -> None:
            if not self._sees_gradients(layer):
                return
            if parts.take(gradients[index] for index in indices):
                self._awaited.pop(id(parts), None)
            else:
                self._awaited[id(parts)] = (layer, parts)

        def hook(gradients: Any, _: Any) -> None:
            if parts.differentiated:
                return
            try:
                self._guarded(layer, lambda: take(gradients))
                if torch.is_grad_enabled():
                    parts.differentiated = True
                    self._table.set_status(layer, "unsupported", TWICE_DIFFERENTIATED)
            except Exception:
                return

        return hook

    def backward_ended(self, completed: bool) -> None:
        """Measures input gradients of which a part never came; none of a pass that failed."""
        for key in list(self._awaited):
            layer, parts = self._awaited.pop(key, (None, None))
            if layer is None or parts is None:
                continue
            if completed and self._on() and not layer.off:
                self._guarded(layer, parts.finish)
            else:
                parts.drop()

    def _sees_gradients(self, layer: Layer) -> bool:
        """False for gradients asked for outside `backward`, as in a penalty: they are not dL."""
        return self._on() and not layer.off and self._steps.backward_depth > 0

    def _guarded(self, layer: Layer, measure: Callable[[], None]) -> None:
        started = perf_counter()
        try:
            if recorded_by() is None:
                with unseen():
                    measure()
        except Exception as error:
            self._guard.caught(error, layer)
        self._spent(perf_counter() - started)
