"""Whether a call of a norm can be measured, and what its layer's status says if not."""

from __future__ import annotations

import sys
from typing import Callable

import torch
from torch import Tensor

from .called import Called
from .classes import Unsuitable, Unsupported
from .compiling import recorded_by
from .layers import Layer, LayerTable
from .locations import user_location
from .passes import Passes
from .reading import eval_reason, why_not


class Readiness:
    """Judges calls, and describes layers for the inputs that they get."""

    def __init__(
        self, table: LayerTable, passes: Passes, first_call: Callable[[torch.device], None]
    ) -> None:
        self._table = table
        self._passes = passes
        self._first_call = first_call

    def ready(self, called: Called, layer: Layer, x: Tensor) -> bool:
        """Whether this call can be measured; says why not."""
        if not layer.called_at:
            layer.called_at = user_location(sys._getframe())
            self._first_call(x.device)
        if not torch.is_grad_enabled() or not self._trains(called):
            if not layer.fired and "eval" not in layer.status:
                self._table.set_status(layer, "eval", eval_reason(called.training))
            return False
        passing = recorded_by()
        reason = passing or why_not(x)
        if reason is not None:
            if not layer.certain and passing is None:
                self._describe(called, layer, x)
                layer.certain = layer.geometry is not None
            if not layer.off:
                self._hinder(layer, reason, reads=passing is None)
            return False
        return True

    def _trains(self, called: Called) -> bool:
        """Whether it or the model that it is a part of is in training mode."""
        if called.training:
            return True
        root = self._passes.current().root
        return root is not None and root is not called.owner and root.training

    def _hinder(self, layer: Layer, reason: str, reads: bool) -> None:
        self._table.set_status(layer, "unsupported", reason)
        layer.unreadable = reason if reads else None
        layer.hindered = True

    def described(self, called: Called, first: Layer, layer: Layer, x: Tensor) -> bool:
        """Describes the layer for this input; says why it can not."""
        reason = None
        if layer.geometry is None or tuple(x.shape) != layer.input_shape:
            reason = self._describe(called, layer, x)
        if layer.off:
            return False
        if reason is not None:
            self._hinder(layer, reason, reads=True)
            return False
        for one in (first, layer):
            if one.hindered:
                self._table.set_status(one, "unsupported", None)
                one.unreadable, one.hindered = None, False
        return True

    def _describe(self, called: Called, layer: Layer, x: Tensor) -> str | None:
        try:
            geometry = called.geometry(layer)
        except Unsuitable:
            layer.off = True
            layer.certain = False
            self._table.changed = True
            return None
        except Unsupported as error:
            return str(error)
        if layer.geometry is not None and layer.geometry.features != geometry.features:
            return f"Its number of features changed to {geometry.features}."
        layer.geometry = geometry
        layer.input_shape = tuple(x.shape)
        layer.dtype = str(x.dtype).replace("torch.", "")
        called.describe(layer)
        return None
