"""Calls back once, right after ``torch`` was imported; until then the process pays nothing."""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Callable


class _TorchFinder:
    def __init__(self, imported: Callable[[], None]) -> None:
        self._imported = imported
        self._searching = False

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name != "torch" or self._searching:
            return None
        self._searching = True
        try:
            spec = self._find_elsewhere(name, path, target)
        finally:
            self._searching = False
        if spec is not None and hasattr(spec.loader, "exec_module"):
            self._observe(spec.loader)
        return spec

    def _find_elsewhere(self, name: str, path: Any, target: Any) -> ModuleSpec | None:
        for finder in list(sys.meta_path):
            find = getattr(finder, "find_spec", None)
            if finder is self or find is None:
                continue
            spec = find(name, path, target)
            if spec is not None:
                return spec
        return None

    def _observe(self, loader: Any) -> None:
        execute = loader.exec_module

        def exec_module(module: ModuleType) -> None:
            execute(module)
            self._withdraw(loader)
            self._imported()

        try:
            loader.exec_module = exec_module
        except AttributeError:
            # A loader with slots can not be observed; the program runs without capture.
            self._withdraw(loader)

    def _withdraw(self, loader: Any) -> None:
        """Leaves the import system as it was found."""
        vars(loader).pop("exec_module", None) if hasattr(loader, "__dict__") else None
        if self in sys.meta_path:
            sys.meta_path.remove(self)


def when_torch_is_imported(imported: Callable[[], None]) -> None:
    """Arranges that ``imported`` runs after torch's own import and before what follows it."""
    sys.meta_path.insert(0, _TorchFinder(imported))  # type: ignore[arg-type]
