"""Qualified names and model order, from who holds whom."""

from __future__ import annotations

from collections.abc import Iterable

from torch import nn

from .classes import class_name_of
from .layers import Layer

#: Modules that only wrap another one; a person does not think of them as part of the name.
_WRAPPERS = {
    ("OptimizedModule", "_orig_mod"),
    ("DistributedDataParallel", "module"),
    ("DataParallel", "module"),
    ("FullyShardedDataParallel", "_fsdp_wrapped_module"),
    ("CheckpointWrapper", "_checkpoint_wrapped_module"),
}
_MAX_DEPTH = 256


class _Tree:
    """Parents of modules, among all modules alive."""

    def __init__(self, modules: Iterable[nn.Module]) -> None:
        self.order: dict[int, int] = {}
        self.parents: dict[int, list[nn.Module]] = {}
        for module in modules:
            self.order.setdefault(id(module), len(self.order))
            for child in list(module._modules.values()):
                if child is not None:
                    self.parents.setdefault(id(child), []).append(module)

    def root(self, module: nn.Module) -> nn.Module:
        seen = {id(module)}
        while True:
            above = [p for p in self.parents.get(id(module), ()) if id(p) not in seen]
            if not above:
                return module
            module = above[0]
            seen.add(id(module))


def _walk(root: nn.Module) -> Iterable[tuple[str, nn.Module, bool]]:
    """Modules below ``root`` in registration order: name, module, whether compiled."""
    pending: list[tuple[str, nn.Module, bool, int]] = [("", root, False, 0)]
    seen: set[int] = set()
    while pending:
        name, module, compiled, depth = pending.pop()
        if id(module) in seen or depth > _MAX_DEPTH:
            continue
        seen.add(id(module))
        compiled = compiled or type(module).__name__ == "OptimizedModule"
        compiled = compiled or getattr(module, "_compiled_call_impl", None) is not None
        yield name, module, compiled
        for key, child in reversed(list(module._modules.items())):
            if child is None:
                continue
            wrapped = (type(module).__name__, key) in _WRAPPERS
            below = name if wrapped else f"{name}.{key}" if name else key
            pending.append((below, child, compiled, depth + 1))


def name_layers(layers: Iterable[Layer], modules: Iterable[nn.Module]) -> tuple[list[Layer], set]:
    """Names layers in place; returns those to list, in model order, and the ids of compiled ones.

    Of a model in which nothing ever ran, such as a frozen copy, no layer is listed, unless
    nothing ran anywhere yet. Functional calls come right after the module in whose code they are,
    those outside any module last.
    """
    tree = _Tree(modules)
    at_module: dict[int, list[Layer]] = {}
    homeless: list[Layer] = []
    roots: dict[int, nn.Module] = {}
    for layer in layers:
        module = layer.reference()
        if module is not None:
            at_module.setdefault(id(module), []).append(layer)
            root = tree.root(module)
            roots[id(root)] = root
        elif not layer.owned:
            homeless.append(layer)
    models: list[tuple[nn.Module | None, list[Layer]]] = []
    compiled: set[int] = set()
    for root in sorted(roots.values(), key=lambda r: tree.order.get(id(r), len(tree.order))):
        found: list[Layer] = []
        for name, module, is_compiled in _walk(root):
            for layer in at_module.get(id(module), ()):
                if not layer.certain:
                    continue
                _name(layer, name, module)
                found.append(layer)
                if is_compiled:
                    compiled.add(layer.id)
        models.append((root, found))
    models.append((None, homeless))
    live = [model for model in models if any(_ran(layer) for layer in model[1])] or models
    _make_unique(live)
    listed = [layer for _, found in live for layer in found]
    for layer in listed:
        if layer.call:
            layer.name = f"{layer.name} (call {layer.call + 1})"
    return listed, compiled


def _name(layer: Layer, name: str, module: nn.Module) -> None:
    if layer.site is None:
        layer.name = name
        # A lazy module becomes one of another class at its first call.
        layer.class_name = class_name_of(module)
    else:
        layer.name = f"{name}.{layer.class_name}" if name else layer.class_name


def _ran(layer: Layer) -> bool:
    return layer.fired or bool(layer.status)


def _make_unique(models: list[tuple[nn.Module | None, list[Layer]]]) -> None:
    """Numbers what has no name, and calls of one function in one module; puts the root's class in
    front where two models share names."""
    times: dict[str, int] = {}
    for _, found in models:
        for name in {layer.name for layer in found}:
            times[name] = times.get(name, 0) + 1
    taken: set[str] = set()
    for root, found in models:
        clash = any(layer.name and times[layer.name] > 1 for layer in found)
        own: set[str] = set()
        first_name = ""
        for layer in found:
            if layer.call:
                layer.name = first_name
                continue
            if not layer.name:
                layer.name = _numbered(layer.class_name, taken)
            elif clash and root is not None:
                layer.name = f"{type(root).__name__}.{layer.name}"
            if layer.name in (own if layer.site is not None and not clash else taken):
                layer.name = _numbered(layer.name, taken, 0 if layer.site is None else 1)
            own.add(layer.name)
            taken.add(layer.name)
            first_name = layer.name


def _numbered(stem: str, taken: set[str], number: int = 0) -> str:
    while f"{stem}[{number}]" in taken:
        number += 1
    return f"{stem}[{number}]"
