"""Tells the collector which layers there are, and where their figures lie in a step."""

from __future__ import annotations

import sys
from typing import Callable

from .discovery import Discovery
from .layers import MAX_LAYERS, Layer, LayerTable
from .layout import Layout, fitted_layout
from .naming import name_layers
from .session import Session

_COMPILED = (
    "It runs inside torch.compile'd code, where hooks do not fire; run without compilation to "
    "capture it."
)
_COMPILED_LATER = (
    "It was captured until torch.compile took over the code it runs in, where hooks do not fire; "
    "run without compilation to capture it further."
)


class Announcer:
    """Sends a layout when something in it changed."""

    def __init__(self, table: LayerTable, discovery: Discovery, session: Session) -> None:
        #: Told an event's name and its sentence.
        self.tell: Callable[[str, str], None] = lambda event, message: None
        self._table = table
        self._discovery = discovery
        self._session = session
        self._layout: Layout | None = None
        #: Ids that were ever announced: the collector bounds them over the whole run.
        self._announced: set[int] = set()

    def layout(self) -> Layout | None:
        """The layout for the step that ended; None when the collector can not take it now."""
        if self._layout is not None and not self._table.changed:
            return self._layout
        self._table.forget_dead()
        # Cleared first: another thread may see a further change meanwhile.
        self._table.changed = False
        accepted = False
        try:
            listed, compiled = name_layers(list(self._table), self._discovery.modules())
            _note_compiled(listed, compiled)
            kept, beyond = self._within_bound(listed)
            number = 0 if self._layout is None else self._layout.number + 1
            layout, frame = fitted_layout(number, kept)
            accepted = self._session.frame(frame)
        finally:
            if not accepted:
                self._table.changed = True
        if not accepted:
            return None
        self._layout = layout
        self._announced.update(layer.id for layer in layout.layers)
        self._table.closed = len(self._announced) >= MAX_LAYERS
        self._leave_out([*layout.crowded_out, *layout.unlisted, *beyond])
        self.tell_unreadable(listed)
        return layout

    def tell_unreadable(self, layers: list[Layer]) -> None:
        """Tells of the first of ``layers`` whose input can not be read."""
        for layer in layers:
            if layer.unreadable is not None:
                self.tell(
                    "unsupported",
                    f"The layer {layer.name or layer.class_name} is not captured: "
                    f"{layer.unreadable[0].lower()}{layer.unreadable[1:]} "
                    "The status of each layer says why it has no figures.",
                )
                return

    def _within_bound(self, listed: list[Layer]) -> tuple[list[Layer], list[Layer]]:
        room = MAX_LAYERS - len(self._announced)
        kept: list[Layer] = []
        beyond: list[Layer] = []
        for layer in listed:
            if layer.id in self._announced:
                kept.append(layer)
            elif room > 0:
                room -= 1
                kept.append(layer)
            else:
                beyond.append(layer)
        return kept, beyond

    def _leave_out(self, layers: list[Layer]) -> None:
        """Layers for which there is no room cost nothing from now on."""
        for layer in layers:
            layer.off = True
        if layers or self._table.overflowed:
            captured = sum(not layer.off for layer in self._table)
            self.tell(
                "too-many-layers",
                "The program has more norm layers than can be captured in one run; "
                f"{captured} of those alive are captured. Construct fewer models in one run, or "
                "debug a smaller configuration.",
            )


def _note_compiled(listed: list[Layer], compiled: set[int]) -> None:
    dynamo = sys.modules.get("torch._dynamo.utils")
    counters = getattr(dynamo, "counters", None)
    frames = counters.get("frames", {}).get("ok", 0) if isinstance(counters, dict) else 0
    for layer in listed:
        reason = None
        unexplained = not layer.status.keys() - {"compiled"}
        if layer.fell_silent:
            reason = _COMPILED_LATER if layer.id in compiled else None
        elif not layer.fired and (layer.id in compiled or (unexplained and frames > 0)):
            reason = _COMPILED
        if reason is None:
            layer.status.pop("compiled", None)
        else:
            layer.status["compiled"] = reason
