"""Keeps the agent's own exceptions out of training: caught, counted, told once."""

from __future__ import annotations

import os
import traceback
from typing import Callable

from .classes import Unsuitable
from .layers import Layer, LayerTable

_FAILURES_PER_LAYER = 20


class Guard:
    """Counts exceptions caught in agent code."""

    def __init__(self, table: LayerTable) -> None:
        self.errors = 0
        #: Told a sentence at the first exception.
        self.report: Callable[[str], None] = lambda message: None
        self._table = table

    def caught(self, error: Exception, layer: Layer | None = None) -> None:
        """Takes note of an exception; a layer that keeps failing is left alone from then on."""
        if isinstance(error, Unsuitable):
            if layer is not None:
                layer.off = True
                layer.taps = [None, None, None, None]
                layer.samples = [0, 0, 0, 0]
                self._table.changed = True
            return
        self.errors += 1
        if os.environ.get("NORMSCOPE_DEBUG"):
            traceback.print_exception(type(error), error, error.__traceback__)
        if layer is not None:
            layer.failures += 1
            if layer.failures == _FAILURES_PER_LAYER:
                layer.off = True
                self._table.set_status(
                    layer,
                    "unsupported",
                    f"Capture failed here {_FAILURES_PER_LAYER} times and is off: "
                    f"{type(error).__name__}.",
                )
        if self.errors == 1:
            where = f" at layer {layer.name or layer.class_name}" if layer is not None else ""
            self.report(
                f"Capture failed{where} ({type(error).__name__}: {error}); training is not "
                "affected, but figures of this step are missing. Please report this."
            )
