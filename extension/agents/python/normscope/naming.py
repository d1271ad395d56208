"""Qualified names and model order, from who holds whom."""

from __future__ import annotations

from collections.abc import Iterable

from torch import nn

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
    nothing ran anywhere yet.
    """
    tree = _Tree(modules)
    by_module = {id(m): layer for layer in layers if (m := layer.reference()) is not None}
    roots: dict[int, nn.Module] = {}
    for layer in by_module.values():
        module = layer.reference()
        if module is not None:
            root = tree.root(module)
            roots[id(root)] = root
    models: list[tuple[nn.Module, list[Layer]]] = []
    compiled: set[int] = set()
    for root in sorted(roots.values(), key=lambda r: tree.order.get(id(r), len(tree.order))):
        found: list[Layer] = []
        for name, module, is_compiled in _walk(root):
            layer_here = by_module.get(id(module))
            if layer_here is None or not layer_here.certain:
                continue
            layer_here.name = name
            # A lazy module becomes one of another class at its first call.
            layer_here.class_name = type(module).__name__
            found.append(layer_here)
            if is_compiled:
                compiled.add(layer_here.id)
        models.append((root, found))
    live = [model for model in models if any(_ran(layer) for layer in model[1])] or models
    _make_unique(live)
    return [layer for _, found in live for layer in found], compiled


def _ran(layer: Layer) -> bool:
    return layer.fired or bool(layer.status)


def _make_unique(models: list[tuple[nn.Module, list[Layer]]]) -> None:
    """Numbers what has no name; puts the root's class in front where two models share names."""
    times: dict[str, int] = {}
    for _, found in models:
        for name in {layer.name for layer in found}:
            times[name] = times.get(name, 0) + 1
    taken: set[str] = set()
    for root, found in models:
        clash = any(layer.name and times[layer.name] > 1 for layer in found)
        for layer in found:
            if not layer.name:
                layer.name = _numbered(layer.class_name, taken)
            elif clash:
                layer.name = f"{type(root).__name__}.{layer.name}"
                if layer.name in taken:
                    layer.name = _numbered(layer.name, taken)
            taken.add(layer.name)


def _numbered(stem: str, taken: set[str]) -> str:
    number = 0
    while f"{stem}[{number}]" in taken:
        number += 1
    return f"{stem}[{number}]"
