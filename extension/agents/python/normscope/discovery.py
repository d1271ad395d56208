"""Finds norm layers as they are constructed, copied or unpickled, on any PyTorch since 1.13.

Classes are tapped, not instances: nothing is added to a module, so copying, pickling, scripting
and tracing a model see exactly what they would see without the agent.
"""

from __future__ import annotations

import gc
import sys
import weakref
from typing import Any, Callable

from torch import nn

from .classes import BUILT_IN, Extra, built_in_family, has_norm_inside, is_candidate
from .compiling import is_compiling
from .layers import Layer, LayerTable
from .locations import user_location

_MAX_SCANNED = 20_000_000
_PRUNE_FROM = 4096


class Discovery:
    """Enters candidates into the table and has their classes tapped."""

    def __init__(self, table: LayerTable, tap_class: Callable[[type], None]) -> None:
        self.extra: Extra = ()
        self._table = table
        self._tap_class = tap_class
        self._verdicts: dict[type, bool] = {}
        self._modules: list[weakref.ref[nn.Module]] = []
        self._prune_at = _PRUNE_FROM
        self.on = True

    def install(self) -> None:
        """Observes module construction from now on."""
        for cls, _ in BUILT_IN:
            self._tap_class(cls)
        self._wrap("__init__")
        self._wrap("__setstate__")

    def _wrap(self, name: str) -> None:
        original = getattr(nn.Module, name)
        discovery = self

        def observed(self: nn.Module, *args: Any, **kwargs: Any) -> None:
            original(self, *args, **kwargs)
            if not is_compiling() and discovery.on:
                try:
                    discovery.consider(self, sys._getframe(1))
                except Exception:
                    return

        observed.__name__ = name
        observed.__qualname__ = f"Module.{name}"
        observed.__doc__ = original.__doc__
        observed.__wrapped__ = original  # type: ignore[attr-defined]
        setattr(nn.Module, name, observed)

    def consider(self, module: nn.Module, frame: Any) -> None:
        """Looks at a module that came to be."""
        try:
            self._modules.append(weakref.ref(module))
            if len(self._modules) > self._prune_at:
                self._modules = [r for r in self._modules if r() is not None]
                self._prune_at = max(_PRUNE_FROM, 2 * len(self._modules))
            if self.is_candidate(type(module)) and self._table.find(module) is None:
                self._enter(module, frame)
        except Exception:
            # A module that can not be observed is not captured.
            return

    def is_candidate(self, cls: type) -> bool:
        """Whether instances may be norm layers; taps the class when they may."""
        verdict = self._verdicts.get(cls)
        if verdict is None:
            if len(self._verdicts) > 10_000:
                self._verdicts.clear()
            verdict = self._verdicts[cls] = is_candidate(cls, self.extra)
            if verdict:
                self._tap_class(cls)
        return verdict

    def set_extra(self, extra: Extra) -> None:
        """Further classes that the settings name."""
        self.extra = extra
        self._verdicts.clear()

    def _enter(self, module: nn.Module, frame: Any) -> Layer | None:
        location = user_location(frame, module) if frame is not None else None
        layer = self._table.add(module, location)
        if layer is not None:
            layer.certain = built_in_family(type(module)) is not None
            self._table.seen = self._table.seen or layer.certain
        return layer

    def known(self, module: nn.Module) -> Layer | None:
        """The layer of a module, if it was entered."""
        return self._table.find(module)

    def of(self, module: nn.Module) -> Layer | None:
        """The layer of a module that is called; enters one that came to be unseen."""
        layer = self._table.find(module)
        if layer is None and not getattr(module, "_is_replica", False):
            layer = self._enter(module, None)
            if layer is not None:
                self._modules.append(weakref.ref(module))
        return layer

    def is_block(self, module: nn.Module) -> bool:
        """Whether ``module`` holds the norm instead of being it."""
        return has_norm_inside(module, self.extra)

    def modules(self) -> list[nn.Module]:
        """All modules alive, oldest first."""
        found: dict[int, nn.Module] = {}
        for reference in self._modules:
            module = reference()
            if module is not None and "_modules" in vars(module):
                found.setdefault(id(module), module)
        return list(found.values())

    def scan(self) -> None:
        """Enters what a running process already holds."""
        for index, candidate in enumerate(gc.get_objects()):
            if index > _MAX_SCANNED:
                return
            try:
                # Not isinstance: some objects compute their class when asked, and warn.
                if issubclass(type(candidate), nn.Module):
                    self.consider(candidate, None)
            except Exception:
                continue
