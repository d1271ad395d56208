"""The four taps of a norm layer: what its calls do while capture is on."""

from __future__ import annotations

import sys
import threading
from collections.abc import Hashable
from time import perf_counter
from typing import Any, Callable

import torch
from torch import Tensor, nn

from . import boundaries, functional
from .called import Called
from .classes import Unsuitable
from .compiling import recorded_by, unseen
from .completing import MAX_WAITING, complete
from .deep import DeepCapture
from .discovery import Discovery
from .finite_check import finite, non_finite_values
from .gradient_taps import GradientTaps
from .guard import Guard
from .input_gradient import Source
from .layers import POST, PRE, TAPS, Layer, LayerTable
from .merge import merged
from .output_gradient import watch_output
from .padding import Padding, may_be_padded
from .parameters import hold
from .passes import Passes
from .readiness import Readiness
from .reading import EVAL_WHILE_TRAINING, PLAIN
from .sampling import stride_for
from .statistics import summarise
from .steps import Steps
from .summary import MAX_SAMPLES, Binning

_MARK = "_normscope_tapped"
#: Status of a layer to which no mask says what is padding.
CONSTANT_ROWS = (
    "Some rows of its input hold one value throughout, as padding does; the figures are given with "
    "and without them."
)


class Opened:
    """A call between its beginning and its end."""

    __slots__ = ("key", "layer", "mask", "norm", "source", "x")

    def __init__(self, key: Hashable) -> None:
        self.key = key
        #: Whether functional calls inside are part of it.
        self.norm = True
        #: None where the call is not measured.
        self.layer: Layer | None = None
        self.x: Tensor | None = None
        self.source: Source | None = None
        self.mask: Tensor | None = None


class Taps:
    """Wraps classes and functions and accumulates what calls of them see."""

    def __init__(self, table: LayerTable, steps: Steps, guard: Guard) -> None:
        #: Whether calls are looked at at all, and whether they are measured.
        self.on = False
        self.capturing = False
        self._watching = False
        #: Told of values at a tap that are not finite, where someone watches for them.
        self.found_nonfinite: Callable[[Layer, dict[str, Any]], None] = lambda layer, found: None
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
        self.deep = DeepCapture()
        #: Values that wait for the step's end.
        self.waiting = 0
        self.discovery = Discovery(table, self.tap_class)
        self._table = table
        self._steps = steps
        self._guard = guard
        self._passes = Passes(steps)
        self._padding = Padding()
        self._inside = threading.local()
        self._readiness = Readiness(table, self._passes, lambda device: self.first_call(device))
        self._gradients = GradientTaps(
            table,
            steps,
            guard,
            lambda: self.on,
            lambda layer, tap, gradient: self._measure_gradient(layer, tap, gradient),
            self._spent,
        )
        self.backward_ended = self._gradients.backward_ended
        table.joined = _join_figures

    def switch(self, capturing: bool) -> None:
        """Turns measuring on or off."""
        self.capturing = capturing
        self.on = capturing or self._watching

    def watch(self, watching: bool) -> None:
        """Turns the look for values that are not finite on or off."""
        self._watching = watching
        self.on = self.capturing or watching

    def forget_step(self) -> None:
        """What belongs to a step that is over, or that there was none of."""
        self.deep.drop()
        self.largest_stride = 1
        self.waiting = 0

    def _spent(self, seconds: float) -> None:
        self.seconds += seconds

    def tap_class(self, cls: type) -> None:
        """Puts the taps into ``cls.__call__``, once in an inheritance chain."""
        current: Any = cls.__call__
        if getattr(current, _MARK, False):
            return
        own = None if current is nn.Module.__call__ else current
        tapped = boundaries.of_class(self, own)
        setattr(tapped, _MARK, True)
        cls.__call__ = tapped  # type: ignore[method-assign, assignment]

    def tap_functions(self) -> None:
        """Puts the taps into the norms of ``torch.nn.functional``."""
        functional.observe(boundaries.of_functions(self))

    def begin_function(self, name: str, arguments: dict[str, Any]) -> Opened | None:
        """Begins a call of a function; None inside a norm, and where nothing is to be measured."""
        x = arguments.get("input")
        if self._inside.__dict__.get("norms", 0) or not isinstance(x, Tensor) or recorded_by():
            return None
        frame = functional.caller()
        if frame is None or functional.is_parameter(x):
            return None
        return self.begin(functional.FunctionCall(self._table, frame, name, arguments))

    def begin(self, called: Called) -> Opened | None:
        """Measures before a call; None where a derived class's `__call__` calls its base's."""
        here = self._inside.__dict__
        keys: set[Hashable] = here.setdefault("keys", set())
        if called.key in keys:
            return None
        started = perf_counter()
        opened = Opened(called.key)
        try:
            with unseen():
                self._before(called, opened)
        except Exception as error:
            opened.layer = None
            self._guard.caught(error, called.known())
        keys.add(opened.key)
        if opened.norm:
            here["norms"] = here.get("norms", 0) + 1
        self.seconds += perf_counter() - started
        return opened

    def end(self, opened: Opened, output: Any) -> None:
        """Measures after a call."""
        here = self._inside.__dict__
        here["keys"].discard(opened.key)
        if opened.norm:
            here["norms"] -= 1
        layer, x = opened.layer, opened.x
        if layer is None or x is None or output is boundaries.NO_OUTPUT:
            return
        started = perf_counter()
        try:
            with unseen():
                self._after(layer, x, opened, output)
        except Exception as error:
            self._guard.caught(error, layer)
        self.seconds += perf_counter() - started

    def _before(self, called: Called, opened: Opened) -> None:
        first = called.layer()
        if first is None:
            return
        if not first.off:
            self._enter(called, first, opened)
        # What turned out to be a block holds norms and is none.
        opened.norm = first.certain or not first.off

    def _enter(self, called: Called, first: Layer, opened: Opened) -> None:
        x = called.x
        if x is None or not self._readiness.ready(called, first, x):
            return
        layer = self._chosen(first)
        if layer is None or layer.off or not self._readiness.described(called, first, layer, x):
            return
        called.note(layer)
        if layer.status or not called.uses_batch:
            constant = not called.uses_batch and "running_mean" in layer.tensors()
            for one in (first, layer):
                self._table.set_status(one, "eval", EVAL_WHILE_TRAINING if constant else None)
        layer.row_mask = self._padding_of(layer, x)
        self._measure(layer, PRE, x)
        opened.mask = layer.row_mask
        opened.layer, opened.x = layer, x
        if x.requires_grad:
            opened.source = Source(x, called.others())

    def _chosen(self, first: Layer) -> Layer | None:
        """The layer of this call, which is to be measured; None where it was counted before."""
        if self._steps.in_backward():
            reason = (
                "Activation checkpointing runs it again in the backward pass; it is counted once."
            )
            for layer in first.all_calls:
                self._table.set_status(layer, "recomputed", reason)
            # A first run without gradients was not counted, and this one has the graph.
            return None if first.counted_before == self._steps.backward_count else first
        first.counted_before = self._steps.backward_count
        current = self._passes.current()
        if first.seen_in is not current:
            first.seen_in, first.calls_seen = current, 0
        number = first.calls_seen
        first.calls_seen += 1
        layer = self._table.of_call(first, number)
        if number == 1 and first.others:
            for one in first.all_calls:
                self._tell_shared(one)
        elif number > 1 and layer is not first:
            self._tell_shared(layer)
        return layer

    def _tell_shared(self, layer: Layer) -> None:
        self._table.set_status(
            layer,
            "shared",
            "It is called more than once per pass, and each call has figures of its own; this is "
            f"call {layer.call + 1}. Its parameters and their gradients are those of all calls.",
        )

    def _padding_of(self, layer: Layer, x: Tensor) -> Tensor | None:
        if layer.may_be_padded is None:
            layer.may_be_padded = may_be_padded(sys._getframe())
        if not layer.may_be_padded or layer.geometry is None:
            return None
        found = self._padding.rows(sys._getframe(), x, layer.geometry)
        if found is None:
            return None
        rows, name = found
        self._table.set_status(
            layer,
            "padding",
            f"The argument {name} says which rows are padding; they are counted, and the figures "
            "without them are given too.",
        )
        return rows

    def _after(self, layer: Layer, x: Tensor, opened: Opened, output: Any) -> None:
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
        source = opened.source
        in_place = source is not None and x._version != source.version
        if y is x and not in_place:
            reason = "It returns its input itself, so it has no gradients of its own."
            self._table.set_status(layer, "unsupported", reason)
            return
        hook = self._gradients.output_hook(layer, opened.mask)
        layer.in_place_hides = not watch_output(y, x, hook)
        if source is None:
            return
        if in_place and y is not x:
            reason = "It changes its input in place, so the gradient before it can not be seen."
            self._table.set_status(layer, "unsupported", reason)
            return
        self._gradients.watch_input(layer, source, opened.mask, output)

    def _measure_gradient(self, layer: Layer, tap: int, gradient: Any) -> None:
        if type(gradient) in PLAIN:
            inverse = self._steps.inverse
            layer.scaled = layer.scaled or inverse is not None
            self._measure(layer, tap, gradient, inverse)

    def _measure(self, layer: Layer, tap: int, x: Tensor, factor: Tensor | None = None) -> None:
        if layer.geometry is None:
            return
        if self._watching:
            self._check_finite(layer, tap, x.detach(), factor)
        if not self.capturing:
            return
        stride = stride_for(x.numel(), layer.id in self.focus)
        if stride > self.largest_stride:
            self.largest_stride = stride
        binning = Binning(stride, self.turn, factor)
        with torch.no_grad():
            if tap == PRE and layer.held is None:
                self._hold(layer, layer.geometry.features)
            last, mask = layer.last_scales[tap], layer.row_mask
            summary = summarise(x.detach(), layer.geometry, binning, mask, tap == PRE, last)
            self.waiting += summary.waiting
            if self.waiting > MAX_WAITING:
                complete((summary,))
            if tap == PRE and layer.row_mask is None and summary.constant_rows is not None:
                layer.row_mask = summary.constant_rows
                self._table.set_status(layer, "padding", CONSTANT_ROWS)
            known = layer.taps[tap]
            total = summary if known is None else merged(known, summary)
            layer.taps[tap] = total
            if layer.id in self.focus:
                self.deep.measure(layer, tap, x.detach(), factor)
        if summary.unpadded is not None and not layer.padded:
            layer.padded = self._table.changed = True
        samples = max(1, total.samples)
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

    def _check_finite(self, layer: Layer, tap: int, x: Tensor, factor: Tensor | None) -> None:
        # Infinite gradients are how a gradient scaler finds its factor.
        if factor is not None or layer.geometry is None:
            return
        began = perf_counter()
        if not finite(x):
            with torch.no_grad():
                found = non_finite_values(x, layer.geometry)
            self.found_nonfinite(layer, {"tap": TAPS[tap], **found})
        # The person asked for it, and it waits for the device: it is no cost of capture.
        self.seconds -= perf_counter() - began

    def _hold(self, layer: Layer, features: int) -> None:
        layer.held = hold(layer.tensors(), features, layer.one_plus_weight)
        if layer.held.names != layer.vectors:
            layer.vectors = layer.held.names
            self._table.changed = True


def _join_figures(first: Layer) -> None:
    """Takes over what the further calls of a module saw in this step."""
    for other in first.others:
        for tap, theirs in enumerate(other.taps):
            mine = first.taps[tap]
            if theirs is not None:
                first.taps[tap] = theirs if mine is None else merged(mine, theirs)
            first.samples[tap] = max(first.samples[tap], other.samples[tap])
    first.status.pop("shared", None)
