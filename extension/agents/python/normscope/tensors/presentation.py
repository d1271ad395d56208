"""The texts and rows as pydevd, the debugger inside debugpy, asks for them."""

from __future__ import annotations

import sys
from typing import Any

from .array_rows import array_rows
from .kinds import is_module, is_tensor, is_torch_tensor
from .line import line_of
from .module_rows import module_rows
from .rows import Figure, Row, Rows
from .storages import is_storage, storage_rows
from .torch_rows import tensor_rows


def _ours(kind: type) -> bool:
    try:
        return is_tensor(kind) or is_module(kind) or is_storage(kind)
    except Exception:
        return False


class TensorText:
    """A ``StrPresentationProvider``: the same text in every pane."""

    def can_provide(self, type_object: type, type_name: str) -> bool:
        return type_object in (Figure, Rows) or _ours(type_object)

    def get_str(self, value: Any) -> str:
        # One that raises would not be asked about its class again.
        if isinstance(value, Figure):
            return str.__str__(value)
        if isinstance(value, Rows):
            return value.text
        return line_of(value) or type(value).__name__

    def get_str_in_context(self, value: Any, context: str) -> str:
        return self.get_str(value)


class TensorRows:
    """A ``TypeResolveProvider``: what is there when a tensor or a module is expanded."""

    def can_provide(self, type_object: type, type_name: str) -> bool:
        return type_object is Rows or _ours(type_object)

    def get_contents_debug_adapter_protocol(
        self, value: Any, fmt: Any = None
    ) -> list[tuple[str, Any, str | None]]:
        return [(row.name, row.value, row.suffix) for row in rows_of(value)]

    def get_dictionary(self, value: Any) -> dict[str, Any]:
        return {row.name: row.value for row in rows_of(value)}

    def resolve(self, value: Any, attribute: str) -> Any:
        return next((row.value for row in rows_of(value) if row.name == attribute), None)


def rows_of(value: Any) -> list[Row]:
    """The rows of anything that has some. Never raises."""
    kind = type(value)
    try:
        if kind is Rows:
            rows: list[Row] = value.make()
            return rows
        if is_module(kind):
            return module_rows(value)
        if is_storage(kind):
            return storage_rows(value)
        return tensor_rows(value) if is_torch_tensor(kind) else array_rows(value)
    except Exception as error:
        first = (str(error).splitlines() or [""])[0][:200]
        return [Row(type(error).__name__, Figure(first))]


def install() -> bool:
    """Adds both to a debugger that runs already, before its own. Whether they are there."""
    bundle = sys.modules.get("_pydevd_bundle.pydevd_xml")
    handler = getattr(bundle, "_TYPE_RESOLVE_HANDLER", None)
    if handler is None:
        return False
    if not handler._initialized:
        handler._initialize()
    for providers, ours in (
        (handler._resolve_providers, TensorRows),
        (handler._str_providers, TensorText),
    ):
        if not any(type(one).__name__ == ours.__name__ for one in providers):
            providers.insert(0, ours())
    handler._type_to_resolver_cache.clear()
    handler._type_to_str_provider_cache.clear()
    return True
