"""Wires the agent's parts and decides when a step is captured and sent."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from time import perf_counter
from typing import Any

import torch

from .announcing import Announcer
from .breakpoints import Breakpoints
from .budget import Budget
from .compiling import recorded_by, unseen
from .discovery import Discovery
from .frames import encode
from .guard import Guard
from .layers import GRAD_POST, GRAD_PRE, MAX_LAYERS, PRE, Layer, LayerTable
from .loader_workers import observe_loaders
from .packing import pack, release
from .process_kind import belongs_to_torch, is_multiprocessing_child, started_children
from .scaling import Scaling
from .session import Session
from .settings import CaptureSettings, settings_from
from .steps import Steps
from .taps import Taps

_STEPS_WITHOUT_LAYER = 20
_NO_LAYER = (
    "The program has no normalization layer that NormScope knows; add the class name to the "
    "setting for further norm classes if it has one of its own."
)
#: After the program's own finalizers.
_EXIT_PRIORITY = -1000


class Agent:
    """One training process under observation."""

    def __init__(self, address: str, token: str, settings: CaptureSettings) -> None:
        self.settings = settings
        self._table = LayerTable()
        self._steps = Steps()
        self._guard = Guard(self._table)
        self._taps = Taps(self._table, self._steps, self._guard)
        self._budget = Budget(settings.budget_percent)
        self._session = Session(address, token)
        self._capture_next = settings.enabled
        self._updates = 0
        self._skipped = 0
        self._step_began = perf_counter()
        self._told: set[str] = set()
        self._ran = False
        self._alive = False
        self._worker = is_multiprocessing_child()
        self._finalizer: Any = None
        self._device = "cpu"
        self._discovery: Discovery = self._taps.discovery
        self._discovery.set_extra(settings.extra_classes)
        self._scaling = Scaling(self._steps)
        self._breakpoints = Breakpoints()
        self._announcer = Announcer(self._table, self._discovery, self._session)

    @property
    def alive(self) -> bool:
        """Whether it observes; false once the collector is gone."""
        return self._alive

    @property
    def layer_count(self) -> int:
        """Norm layers known now."""
        return sum(layer.certain for layer in self._table)

    def start(self, running: bool) -> None:
        """Observes from now on; in a process that already runs, what is there is looked for and
        capture begins with the next step."""
        self._alive = True
        self._taps.first_call = self._first_call
        self._guard.report = lambda message: self._tell("hook-failed", message)
        self._announcer.tell = self._tell
        self._steps.ended = self._step_ended
        self._steps.discarded = self._round_discarded
        self._steps.optimizer_made = self._optimizer_made
        self._steps.passed = self._backward_ended
        self._breakpoints.send = lambda body: self._session.frame(encode(body))
        self._breakpoints.tell = self._tell
        self._breakpoints.changed = self._watch
        self._taps.found_nonfinite = self._ask_about
        self._steps.failed = self._guard.caught
        self._session.listen(self._command, self._switch_off, self._not_encoded)
        self._discovery.install()
        self._taps.tap_functions()
        self._steps.install()
        self._scaling.install()
        observe_loaders()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._forked)
        atexit.register(self._exit)
        if running:
            self._scan()
        else:
            self._taps.switch(self._capture_next)

    def _scan(self) -> None:
        self._discovery.scan()
        for candidate in gc.get_objects():
            try:
                if issubclass(type(candidate), torch.optim.Optimizer):
                    self._steps.observe_existing(candidate)
            except Exception:
                continue
        self._worker = False
        self._connect("cpu")

    def _connect(self, device: str) -> None:
        self._device = device
        # Worker processes that only import the training script have nothing to say.
        if self._alive and not self._worker:
            self._session.connect(device)
            self._breakpoints.await_first()
        self._exit_with_child()

    def _exit_with_child(self) -> None:
        """Children of multiprocessing end without ``atexit``, but run its finalizers. It forgets
        those of before the child's own work began."""
        if not is_multiprocessing_child():
            return
        util = sys.modules.get("multiprocessing.util")
        active = self._finalizer is not None and self._finalizer.still_active()
        if util is not None and not active:
            self._finalizer = util.Finalize(None, self._exit, exitpriority=_EXIT_PRIORITY)

    def _first_call(self, device: torch.device) -> None:
        self._ran = True
        self._connect(device.type)

    def _watch(self) -> None:
        self._taps.watch(self._alive and self._breakpoints.nonfinite)

    def _ask_about(self, layer: Layer, found: dict[str, Any]) -> None:
        if not layer.name:
            # Layers are named when they are first announced.
            self._announcer.layout()
        which = {"layer": layer.id, "name": layer.name or layer.class_name}
        self._breakpoints.ask({"about": "nonfinite", "step": self._updates, **which, **found})

    def _backward_ended(self, completed: bool) -> None:
        self._taps.backward_ended(completed)
        self._breakpoints.settle()

    def _optimizer_made(self, optimizer: Any) -> None:
        if self._session.open:
            return
        groups = getattr(optimizer, "param_groups", None) or [{}]
        parameters = groups[0].get("params") or [None]
        self._connect(getattr(getattr(parameters[0], "device", None), "type", "cpu"))

    def _step_ended(self) -> None:
        """An optimizer was updated after at least one backward pass."""
        now = perf_counter()
        if self._worker:
            self._worker = False
            self._connect(self._device)
        captured = self._taps.capturing
        seen = captured and recorded_by() is not None
        if seen:
            self._forget_step(list(self._table))
        sent = False
        if captured and not seen:
            with unseen():
                sent = self._send_step()
        elif self.settings.enabled:
            self._skipped += 1
        step = self._updates
        self._updates += 1
        if self._updates == _STEPS_WITHOUT_LAYER:
            self._tell_if_no_layer()
        self._scaling.forget()
        agent_seconds = self._taps.seconds + (perf_counter() - now)
        self._taps.seconds = 0.0
        ended = perf_counter()
        elsewhere = self._session.spent()
        due = self._budget.step_ended(ended - self._step_began, agent_seconds, captured, elsewhere)
        self._step_began = ended
        self._taps.switch(self._alive and self.settings.enabled and due)
        if sent and self._breakpoints.steps:
            # The wait is the person's wish and no cost of capture.
            self._breakpoints.ask({"about": "step", "step": step})
            self._step_began = perf_counter()

    def _round_discarded(self) -> None:
        """Backward passes without their update; what they left is not part of the next step."""
        self._forget_step(list(self._table))
        self._scaling.forget()
        self._taps.seconds = 0.0
        self._step_began = perf_counter()

    def _send_step(self) -> bool:
        """Whether there was a connection and room for it."""
        layers = list(self._table)
        try:
            layout = None
            if self._session.has_room:
                self._note_merges(layers)
                layout = self._announcer.layout()
            if layout is not None:
                packed = pack(layout, self._steps, self._scaling.learned)
                packed.fields = self._fields()
                sent = self._session.step(packed)
                self._taps.deep.send(layout.layers, self._updates, self._session.later)
                return sent
            if self._session.open:
                self._session.dropped += 1
        except Exception as error:
            self._guard.caught(error)
        finally:
            self._forget_step(layers)
            self._taps.turn += 1
        return False

    def _forget_step(self, layers: list[Layer]) -> None:
        release(layers)
        self._taps.forget_step()

    def _fields(self) -> dict[str, Any]:
        overhead = self._budget.overhead_percent
        return {
            "step": self._updates,
            "time": self._session.milliseconds,
            "microBatches": self._steps.micro_batches,
            "dropped": self._session.dropped,
            "skipped": self._skipped,
            "overheadPercent": None if overhead is None else round(overhead, 3),
            "interval": self._budget.interval,
            "histogramStride": self._taps.largest_stride,
        }

    def _note_merges(self, layers: list[Layer]) -> None:
        passes = self._steps.micro_batches
        scaled = None if self._steps.last_inverse is None else self._scaling.sentence()
        for layer in layers:
            gradient = layer.taps[GRAD_POST] or layer.taps[GRAD_PRE]
            if gradient is not None:
                self._table.set_status(layer, "scaled", scaled if layer.scaled else None)
            forward = layer.taps[PRE]
            self._table.note_silence(layer, forward is None)
            if forward is None:
                continue
            if layer.in_place_hides:
                reason = "It works in place on its input, so its gradients can not be seen."
                hidden = gradient is None and passes > 0
                self._table.set_status(layer, "unsupported", reason if hidden else None)
            told_apart = layer.call > 0 or bool(layer.others)
            if forward.calls > max(1, passes) and not told_apart:
                reason = (
                    "It is called more than once before the backward pass; its figures are over "
                    "all calls."
                )
                self._table.set_status(layer, "shared", reason)
            elif passes > 1:
                reason = "A step has several backward passes; its figures are over all of them."
                self._table.set_status(layer, "accumulated", reason)

    def _tell(self, event: str, message: str) -> None:
        """Tells the person once."""
        if event not in self._told:
            self._told.add(event)
            self._session.tell(event, message)

    def _tell_if_no_layer(self) -> None:
        if not self._table.seen:
            self._tell("no-norm-layer", _NO_LAYER)

    def _command(self, body: dict[str, Any]) -> None:
        """Runs on the receiving thread."""
        self._breakpoints.command(body)
        if body.get("kind") == "focus":
            ids = body.get("layers")
            wanted = ids[:MAX_LAYERS] if isinstance(ids, list) else []
            self._taps.focus = frozenset(number for number in wanted if type(number) is int)
        if body.get("kind") != "configure":
            return
        settings = settings_from(body.get("capture"))
        if settings.extra_classes != self.settings.extra_classes:
            self._discovery.set_extra(settings.extra_classes)
        self._budget.percent = settings.budget_percent
        self.settings = settings
        if not settings.enabled:
            self._taps.switch(False)

    def _not_encoded(self, error: Exception) -> None:
        self._session.dropped += 1
        self._guard.caught(error)

    def _switch_off(self) -> None:
        """The collector is gone: training goes on without capture."""
        self._alive = False
        self._taps.switch(False)
        self._breakpoints.gone()
        self._steps.on = False
        self._discovery.on = False

    def _forked(self) -> None:
        # Its locks may be held by threads that are not here any more.
        self._breakpoints = Breakpoints()
        self._switch_off()
        self._session.abandon()

    def _exit(self) -> None:
        try:
            if not self._alive:
                return
            self._say_what_was_missing()
            never_connected = not self._session.open
            self._switch_off()
            if never_connected:
                self._say_last_words()
            self._session.end(self._updates, self._skipped, self._guard.errors)
        except Exception:
            return

    def _say_last_words(self) -> None:
        """PyTorch was imported, but no layer ran and there was no optimizer."""
        if is_multiprocessing_child() or belongs_to_torch():
            return
        if self._steps.backward_count == 0 and started_children():
            # Its children may have trained.
            return
        event, message = "no-norm-layer", _NO_LAYER
        if self._table.seen:
            event = "no-optimizer-step"
            message = (
                "The program ended without calling one of its normalization layers and without an "
                "optimizer, so there are no steps; train the model in the program that is debugged."
            )
        self._session.last_words(self._device, event, message, self._guard.errors)

    def _say_what_was_missing(self) -> None:
        if not self._session.open:
            return
        self._tell_if_no_layer()
        if self._updates == 0 and self._ran:
            if self._steps.micro_batches and self._taps.capturing:
                self._send_step()
            if self._steps.skipped_rounds:
                reason = (
                    "The gradient scaler skipped every optimizer update because of infinite or "
                    "NaN gradients, so there are no steps; lower its init_scale or find where they "
                    "come from."
                )
            else:
                reason = (
                    "The program ended without an optimizer update, so there are no steps; call "
                    "optimizer.step() after backward()."
                )
            self._tell("no-optimizer-step", reason)
        self._announcer.tell_unreadable(list(self._table))
