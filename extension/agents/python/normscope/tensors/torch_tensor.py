"""The facts of a torch tensor of any kind."""

from __future__ import annotations

from typing import Any

from .facts import FEW, Facts
from .torch_figures import Busy, feature_axis, figures_of
from .torch_guard import apart, occupied
from .words import word

#: Where values can be read. Elsewhere reading may compile, run what is pending, or mean nothing.
_READABLE = ("cpu", "cuda", "mps", "xpu")
_FEWER = 1 << 12
_UNREADABLE_CLASSES = {
    "FakeTensor": "it stands in for a tensor while the program is traced",
    "FunctionalTensor": "it stands in for a tensor while the program is traced",
    "UninitializedParameter": "its initialization is still to come",
    "UninitializedBuffer": "its initialization is still to come",
}


def _own_dispatch(torch: Any, kind: type) -> bool:
    """Whether the class decides itself what operations do, so that it need not hold its values."""
    default = getattr(torch.Tensor, "__torch_dispatch__", None)
    return getattr(kind, "__torch_dispatch__", default) is not default


def _attribute(tensor: Any, name: str) -> Any:
    """An instance attribute, past any ``__getattr__`` of its class."""
    try:
        return object.__getattribute__(tensor, name)
    except Exception:
        return None


def facts_of(torch: Any, tensor: Any, limit: int | None = None) -> Facts:
    """Reads a tensor. Never raises: what can not be read is said.

    :param limit: elements to read at most, 0 for none; by the settings unless given
    """
    with apart(torch):
        facts = _outside(torch, tensor)
        if limit == 0:
            return facts
        try:
            why = _read_into(torch, tensor, facts, limit)
        except Busy:
            why = "the device is busy"
        except Exception as error:
            first = (str(error).splitlines() or [""])[0][:80]
            why = f"{type(error).__name__}: {first}"
        if why is not None:
            why = word(why)
            facts.notes.append(why if facts.sizes_only else word("values not read ({0})", why))
    return facts


def _outside(torch: Any, tensor: Any) -> Facts:
    kind = type(tensor)
    base = torch._C._TensorBase if hasattr(torch._C, "_TensorBase") else torch._C.TensorBase
    try:
        sizes: tuple[object, ...] = tuple(base.size(tensor))
    except Exception:
        sizes = ("?",)
        if base.is_nested.__get__(tensor):
            sizes = (base.size(tensor, 0), "*")
    if kind.__name__.startswith("Uninitialized"):
        sizes = ("?",)
    dtype = base.dtype.__get__(tensor)
    facts = Facts(str(dtype).replace("torch.", ""), sizes)
    facts.floating = dtype.is_floating_point or dtype.is_complex
    facts.boolean = dtype is torch.bool
    try:
        facts.traits.append(str(base.device.__get__(tensor)))
        if base.requires_grad.__get__(tensor):
            facts.traits.append("grad")
        layout = str(base.layout.__get__(tensor)).replace("torch.", "")
        if layout != "strided":
            facts.traits.append(layout)
    except Exception:
        facts.traits.append("?")
    if kind not in (torch.Tensor, torch.nn.Parameter):
        facts.traits.append(kind.__name__[:40])
    return facts


def _read_into(torch: Any, tensor: Any, facts: Facts, limit: int | None) -> str | None:
    """Adds what the tensor holds; returns why it could not be read, if so."""
    kind, base = type(tensor), torch.Tensor
    unreadable = _UNREADABLE_CLASSES.get(kind.__name__)
    if unreadable is not None:
        return unreadable
    device = base.device.__get__(tensor).type
    if device == "meta":
        facts.sizes_only = True
        return "no data"
    why = occupied(torch, tensor)
    if why is not None:
        return why
    if _own_dispatch(torch, kind):
        return _of_wrapper(torch, tensor, facts, limit)
    if device not in _READABLE:
        return "reading it would run the pending operations"
    if base.is_nested.__get__(tensor):
        return "nested: the parts differ in shape"
    x = base.detach(tensor) if kind is base else base.as_subclass(base.detach(tensor), base)
    if x.layout != torch.strided:
        return _of_sparse(torch, x, facts, limit)
    _of_dense(torch, tensor, x, facts, limit)
    return None


def _of_dense(torch: Any, tensor: Any, x: Any, facts: Facts, limit: int | None) -> None:
    total = x.numel()
    if total == 0:
        facts.notes.append(word("empty"))
        return
    if x.is_quantized:
        # Of a sample, since the whole would take four times its memory.
        step = max(1, -(-x.numel() // (limit or _FEWER)))
        x = x.as_strided((-(-total // step),), (step,)).dequantize() if step > 1 else x.dequantize()
        facts.traits.append("quantized")
        facts.floating = True
    if x.is_neg():
        x = x.resolve_neg() if total <= _FEWER else x
    if total <= FEW and not x.is_quantized:
        facts.values = _few(torch, x)
        if facts.values is not None:
            return
    if x.is_complex():
        facts.of = "|z|"
    leaf = torch.Tensor.is_leaf.__get__(tensor) and torch.Tensor.requires_grad.__get__(tensor)
    parameter = isinstance(tensor, torch.nn.Parameter) or leaf
    axis = None if "quantized" in facts.traits else feature_axis(tuple(x.size()), parameter)
    try:
        facts.figures = figures_of(torch, x, axis, limit)
    except RuntimeError as error:
        # Memory of the device is the program's: what is left must do.
        if "out of memory" not in str(error):
            raise
        facts.figures = figures_of(torch, x, None, _FEWER)
    if x.numel() < total:
        facts.figures.total, facts.figures.sampled = total, True


def _few(torch: Any, x: Any) -> list[object] | None:
    if x.device.type != "cpu":
        return None
    values = x.to(torch.float32).reshape(-1) if "float8" in str(x.dtype) else x.reshape(-1)
    listed: list[object] = values.tolist()
    return listed


def _of_sparse(torch: Any, x: Any, facts: Facts, limit: int | None) -> str | None:
    values = x._values() if x.layout == torch.sparse_coo else x.values()
    facts.traits.append(word("nonzero {0}", f"{values.numel():,}"))
    _of_dense(torch, values, values, facts, limit)
    if facts.figures is not None:
        facts.figures.dead = None
    return None


def _of_wrapper(torch: Any, tensor: Any, facts: Facts, limit: int | None) -> str | None:
    """A class with dispatch of its own: known ones hold a tensor of this process."""
    local = _attribute(tensor, "_local_tensor")
    if not isinstance(local, torch.Tensor):
        return word("its class {0} keeps its values to itself", type(tensor).__name__[:40])
    placements = getattr(_attribute(tensor, "_spec"), "placements", ())
    facts.traits.extend(str(placement) for placement in placements)
    inside = facts_of(torch, local, limit)
    facts.of = word("local {0}", inside.dtype + str(list(inside.sizes)))
    facts.figures, facts.values = inside.figures, inside.values
    facts.notes.extend(inside.notes)
    return None
