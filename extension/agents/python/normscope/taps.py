"""The four taps of a norm layer: what its class's ``__call__`` does while capture is on."""

from __future__ import annotations

import sys
from time import perf_counter
from typing import Any, Callable

import torch
from torch import Tensor, nn

from .classes import Unsuitable, Unsupported, geometry_of
from .compiling import is_compiling, recorded_by
from .discovery import Discovery
from .guard import Guard
from .layers import GRAD_POST, GRAD_PRE, POST, PRE, Layer, LayerTable
from .locations import user_location
from .merge import merged
from .output_gradient import Hook, Reading, watch_output
from .sampling import stride_for
from .statistics import MAX_SAMPLES, Binning, summarise
from .steps import Steps

_PLAIN = (Tensor, nn.Parameter)
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
        started = perf_counter()
        layer = x = None
        try:
            layer, x, args, kwargs = self._before(module, args, kwargs)
        except Exception as error:
            self._guard.caught(error, self._table.find(module))
        self.seconds += perf_counter() - started
        output = call(module, *args, **kwargs)
        if layer is None or x is None:
            return output
        started = perf_counter()
        try:
            self._after(layer, x, output)
        except Exception as error:
            self._guard.caught(error, layer)
        self.seconds += perf_counter() - started
        return output

    def _before(
        self, module: nn.Module, args: tuple, kwargs: dict
    ) -> tuple[Layer | None, Tensor | None, tuple, dict]:
        """The layer and its input, if this call is measured, and the arguments to go on with."""
        layer = self.discovery.of(module)
        if layer is None or layer.off:
            return None, None, args, kwargs
        place, x = _input_of(args, kwargs)
        if x is None or not self._ready(layer, module, x):
            return None, None, args, kwargs
        if self._steps.in_backward():
            self._table.set_status(
                layer,
                "recomputed",
                "Activation checkpointing runs it again in the backward pass; it is counted once.",
            )
            if layer.counted_before == self._steps.backward_count:
                return None, None, args, kwargs
            # A first run without gradients was not counted, and this one has the graph.
        else:
            layer.counted_before = self._steps.backward_count
        self._measure(layer, PRE, x)
        if x.requires_grad and not vars(x):
            # A view of its own gets the gradient through this layer only, not what a residual
            # connection adds; it does not change the order in which gradients are summed.
            with torch.enable_grad():
                alias = x.view_as(x)
            alias.register_hook(self._hooks_of(layer)[1])
            if place is None:
                args = (alias, *args[1:])
            else:
                kwargs = {**kwargs, place: alias}
        return layer, x, args, kwargs

    def _after(self, layer: Layer, x: Tensor, output: Any) -> None:
        y = output[0] if isinstance(output, (tuple, list)) and output else output
        if type(y) not in _PLAIN or tuple(y.shape) != layer.input_shape:
            if not layer.certain:
                raise Unsuitable
            return
        self._measure(layer, POST, y)
        if not layer.certain:
            layer.certain = True
            self._table.changed = True
        if y.requires_grad:
            layer.in_place_hides = not watch_output(y, x, self._hooks_of(layer)[0])

    def _hooks_of(self, layer: Layer) -> tuple[Hook, Hook]:
        if layer.gradient_hooks is None:
            layer.gradient_hooks = (
                self._gradient_hook(layer, GRAD_POST),
                self._gradient_hook(layer, GRAD_PRE),
            )
        return layer.gradient_hooks

    def _gradient_hook(self, layer: Layer, tap: int) -> Hook:
        def hook(gradient: Any, read: Reading | None = None) -> None:
            # Gradients that are asked for outside `backward`, as in a penalty, are not dL.
            if not self.on or layer.off or not self._steps.backward_depth:
                return
            started = perf_counter()
            try:
                if type(gradient) in _PLAIN and recorded_by() is None:
                    if read is not None:
                        gradient = read(gradient)
                    inverse = self._steps.inverse
                    layer.scaled = layer.scaled or inverse is not None
                    self._measure(layer, tap, gradient, inverse)
            except Exception as error:
                self._guard.caught(error, layer)
            self.seconds += perf_counter() - started

        return hook

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
                self._table.set_status(layer, "eval", _eval_reason(module))
            return False
        passing = recorded_by()
        reason = passing or _why_not(x)
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
        layer.eps = _number(module, "eps", "variance_epsilon", "epsilon")
        has_running = getattr(module, "running_mean", None) is not None
        layer.momentum = _number(module, "momentum") if has_running else None
        return None

    def _reject(self, layer: Layer) -> None:
        layer.off = True
        layer.certain = False
        self._table.changed = True


def _input_of(args: tuple, kwargs: dict) -> tuple[str | None, Tensor | None]:
    """The first tensor, and the keyword it came by; None and None for no tensor we can read."""
    if args:
        return None, args[0] if isinstance(args[0], Tensor) else None
    for name, value in kwargs.items():
        if isinstance(value, Tensor):
            return name, value
    return None, None


def _why_not(x: Tensor) -> str | None:
    if type(x) not in _PLAIN:
        return f"Its input is a {type(x).__name__}, whose values the capture does not read."
    if x.is_quantized or x.layout != torch.strided or getattr(x, "is_nested", False):
        return "Its input is not a dense tensor."
    if not x.is_floating_point():
        return f"Its input is {str(x.dtype).replace('torch.', '')}, not floating-point."
    if x.device.type == "meta":
        return "Its input has no values (meta device)."
    if x.is_cuda and torch.cuda.is_current_stream_capturing():
        return "It runs inside a captured CUDA graph."
    return None


def _eval_reason(module: nn.Module) -> str:
    if module.training:
        return "It ran only with gradients off; such passes are not captured."
    return "It ran only in eval mode; such passes are not captured."


def _number(module: nn.Module, *names: str) -> float | None:
    for name in names:
        value = getattr(module, name, None)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return float(value)
    return None
