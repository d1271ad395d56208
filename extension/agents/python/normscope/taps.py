"""The four taps of a norm layer: what its class's ``__call__`` does while capture is on."""

from __future__ import annotations

import sys
import threading
from time import perf_counter
from typing import Any, Callable

import torch
from torch import Tensor, nn
from torch.utils.hooks import unserializable_hook

from .classes import Unsuitable, Unsupported, geometry_of
from .compiling import is_compiling, recorded_by, unseen
from .discovery import Discovery
from .guard import Guard
from .input_gradient import Parts, Source
from .layers import GRAD_POST, GRAD_PRE, POST, PRE, Layer, LayerTable
from .locations import user_location
from .merge import merged
from .output_gradient import Hook, Reading, watch_output
from .reading import PLAIN, eval_reason, input_of, number, why_not
from .sampling import stride_for
from .statistics import MAX_SAMPLES, Binning, summarise
from .steps import Steps

_MARK = "_normscope_tapped"


class Taps:
    """Wraps classes and accumulates what their instances see."""

    def __init__(self, table: LayerTable, steps: Steps, guard: Guard) -> None:
        self.on = False
        #: Rotates which values of large tensors are binned.
        self.turn = 0
        #: Largest stride used since the last reset.
        self.largest_stride = 1
        #: Ids of layers whose histograms are to be as full as can be.
        self.focus: frozenset[int] = frozenset()
        #: Seconds spent on the training threads since the last reset.
        self.seconds = 0.0
        #: Told the device at every first call of a layer.
        self.first_call: Callable[[torch.device], None] = lambda device: None
        self.discovery = Discovery(table, self.tap_class)
        self._table = table
        self._steps = steps
        self._guard = guard
        self._inside = threading.local()
        #: Input gradients of the backward pass running now of which a part is still to come.
        self._awaited: dict[int, tuple[Layer, Parts]] = {}

    def tap_class(self, cls: type) -> None:
        """Puts the taps into ``cls.__call__``, once in an inheritance chain."""
        current: Any = cls.__call__
        if getattr(current, _MARK, False):
            return
        own = None if current is nn.Module.__call__ else current
        taps = self

        def __call__(self: Any, *args: Any, **kwargs: Any) -> Any:
            # nn.Module.__call__ is looked up late, for tools that replace it for a while.
            call = nn.Module.__call__ if own is None else own
            if is_compiling() or not taps.on:
                return call(self, *args, **kwargs)
            return taps.tapped(call, self, args, kwargs)

        setattr(__call__, _MARK, True)
        cls.__call__ = __call__  # type: ignore[method-assign, assignment]

    def tapped(self, call: Any, module: nn.Module, args: tuple, kwargs: dict) -> Any:
        """Calls ``module`` and measures around it."""
        inside: set[int] = self._inside.__dict__.setdefault("modules", set())
        key = id(module)
        if key in inside:
            # A derived class's `__call__` calls the one of its base.
            return call(module, *args, **kwargs)
        inside.add(key)
        try:
            return self._measured(call, module, args, kwargs)
        finally:
            inside.discard(key)

    def _measured(self, call: Any, module: nn.Module, args: tuple, kwargs: dict) -> Any:
        started = perf_counter()
        layer = x = source = None
        try:
            with unseen():
                layer, x = self._before(module, args, kwargs)
                if x is not None and x.requires_grad:
                    source = Source(x, module, args, kwargs)
        except Exception as error:
            self._guard.caught(error, self._table.find(module))
        self.seconds += perf_counter() - started
        output = call(module, *args, **kwargs)
        if layer is None or x is None:
            return output
        started = perf_counter()
        try:
            with unseen():
                self._after(layer, x, source, output)
        except Exception as error:
            self._guard.caught(error, layer)
        self.seconds += perf_counter() - started
        return output

    def _before(
        self, module: nn.Module, args: tuple, kwargs: dict
    ) -> tuple[Layer | None, Tensor | None]:
        """The layer and its input, if this call is measured."""
        layer = self.discovery.of(module)
        if layer is None or layer.off:
            return None, None
        x = input_of(args, kwargs)
        if x is None or not self._ready(layer, module, x):
            return None, None
        if self._steps.in_backward():
            self._table.set_status(
                layer,
                "recomputed",
                "Activation checkpointing runs it again in the backward pass; it is counted once.",
            )
            if layer.counted_before == self._steps.backward_count:
                return None, None
            # A first run without gradients was not counted, and this one has the graph.
        else:
            layer.counted_before = self._steps.backward_count
        self._measure(layer, PRE, x)
        return layer, x

    def _after(self, layer: Layer, x: Tensor, source: Source | None, output: Any) -> None:
        y = output[0] if isinstance(output, (tuple, list)) and output else output
        if type(y) not in PLAIN or tuple(y.shape) != layer.input_shape:
            if not layer.certain:
                raise Unsuitable
            return
        self._measure(layer, POST, y)
        if not layer.certain:
            layer.certain = True
            self._table.changed = True
        self._table.seen = True
        if not y.requires_grad:
            return
        in_place = source is not None and x._version != source.version
        if y is x and not in_place:
            reason = "It returns its input itself, so it has no gradients of its own."
            self._table.set_status(layer, "unsupported", reason)
            return
        layer.in_place_hides = not watch_output(y, x, self._gradient_hook(layer))
        if source is None:
            return
        if in_place and y is not x:
            reason = "It changes its input in place, so the gradient before it can not be seen."
            self._table.set_status(layer, "unsupported", reason)
            return
        self._watch_input(layer, source, output)

    def _watch_input(self, layer: Layer, source: Source, output: Any) -> None:
        consumers = source.consumers(output)
        if consumers is None:
            reason = "Its graph is too large to find the gradient before it."
            self._table.set_status(layer, "unsupported", reason)
            return
        parts = Parts(len(consumers), lambda g: self._measure_gradient(layer, GRAD_PRE, g))
        for node, indices in consumers:
            node.register_hook(self._input_hook(layer, parts, indices))

    def _gradient_hook(self, layer: Layer) -> Hook:
        if layer.gradient_hook is not None:
            return layer.gradient_hook

        @unserializable_hook
        def hook(gradient: Any, read: Reading | None = None) -> None:
            if self._sees_gradients(layer):
                self._guarded(
                    layer,
                    lambda: self._measure_gradient(
                        layer, GRAD_POST, gradient if read is None else read(gradient)
                    ),
                )

        layer.gradient_hook = hook
        return hook

    def _input_hook(self, layer: Layer, parts: Parts, indices: tuple[int, ...]) -> Any:
        def hook(gradients: Any, _: Any) -> None:
            if parts.differentiated:
                return
            if self._sees_gradients(layer):
                self._guarded(layer, lambda: take(gradients))
            if torch.is_grad_enabled():
                parts.differentiated = True
                reason = (
                    "The program takes gradients of its gradients, as for a penalty, so the one "
                    "before it is not captured."
                )
                self._table.set_status(layer, "unsupported", reason)

        def take(gradients: Any) -> None:
            if parts.take(gradients[index] for index in indices):
                self._awaited.pop(id(parts), None)
            else:
                self._awaited[id(parts)] = (layer, parts)

        return hook

    def backward_ended(self, completed: bool) -> None:
        """Measures input gradients of which a part never came; none of a pass that failed."""
        for key in list(self._awaited):
            layer, parts = self._awaited.pop(key, (None, None))
            if layer is None or parts is None:
                continue
            if completed and self.on and not layer.off:
                self._guarded(layer, parts.finish)
            else:
                parts.drop()

    def _sees_gradients(self, layer: Layer) -> bool:
        """False for gradients asked for outside `backward`, as in a penalty: they are not dL."""
        return self.on and not layer.off and self._steps.backward_depth > 0

    def _guarded(self, layer: Layer, measure: Callable[[], None]) -> None:
        started = perf_counter()
        try:
            if recorded_by() is None:
                with unseen():
                    measure()
        except Exception as error:
            self._guard.caught(error, layer)
        self.seconds += perf_counter() - started

    def _measure_gradient(self, layer: Layer, tap: int, gradient: Any) -> None:
        if type(gradient) in PLAIN:
            inverse = self._steps.inverse
            layer.scaled = layer.scaled or inverse is not None
            self._measure(layer, tap, gradient, inverse)

    def _measure(self, layer: Layer, tap: int, x: Tensor, factor: Tensor | None = None) -> None:
        if layer.geometry is None:
            return
        stride = stride_for(x.numel(), layer.id in self.focus)
        if stride > self.largest_stride:
            self.largest_stride = stride
        with torch.no_grad():
            summary = summarise(x.detach(), layer.geometry, Binning(stride, self.turn, factor))
            known = layer.taps[tap]
            layer.taps[tap] = summary if known is None else merged(known, summary)
        samples = max(1, layer.taps[tap].samples)  # type: ignore[union-attr]
        if samples > MAX_SAMPLES:
            samples = MAX_SAMPLES
            self._table.set_status(
                layer,
                "sampled",
                f"Only the first {MAX_SAMPLES} samples of a step have figures of their own.",
            )
        if samples > layer.samples[tap]:
            grown = samples if not layer.samples[tap] else 1 << (samples - 1).bit_length()
            layer.samples[tap] = min(MAX_SAMPLES, max(samples, grown))
            self._table.changed = True

    def _ready(self, layer: Layer, module: nn.Module, x: Tensor) -> bool:
        """Whether this call is to be measured; describes the layer for this input."""
        if not layer.called_at:
            layer.called_at = user_location(sys._getframe())
            self.first_call(x.device)
        if not torch.is_grad_enabled() or not module.training:
            if not layer.fired and "eval" not in layer.status:
                self._table.set_status(layer, "eval", eval_reason(module))
            return False
        passing = recorded_by()
        reason = passing or why_not(x)
        if reason is None and tuple(x.shape) != layer.input_shape:
            reason = self._describe(layer, module, x)
        if reason is not None:
            if not layer.off:
                self._table.set_status(layer, "unsupported", reason)
                layer.unreadable = None if passing else reason
                layer.hindered = True
            return False
        if layer.status:
            self._table.set_status(layer, "eval", None)
            if layer.hindered:
                self._table.set_status(layer, "unsupported", None)
                layer.unreadable, layer.hindered = None, False
        return True

    def _describe(self, layer: Layer, module: nn.Module, x: Tensor) -> str | None:
        try:
            if not layer.fired and self.discovery.is_block(module):
                raise Unsuitable
            geometry = geometry_of(module, x, self.discovery.extra)
        except Unsuitable:
            self._reject(layer)
            return "It is no norm layer."
        except Unsupported as error:
            return str(error)
        if layer.geometry is not None and layer.geometry.features != geometry.features:
            return f"Its number of features changed to {geometry.features}."
        layer.geometry = geometry
        layer.input_shape = tuple(x.shape)
        layer.dtype = str(x.dtype).replace("torch.", "")
        layer.class_name = type(module).__name__
        layer.eps = number(module, "eps", "variance_epsilon", "epsilon")
        has_running = getattr(module, "running_mean", None) is not None
        layer.momentum = number(module, "momentum") if has_running else None
        return None

    def _reject(self, layer: Layer) -> None:
        layer.off = True
        layer.certain = False
        self._table.changed = True
