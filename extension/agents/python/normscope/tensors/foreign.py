"""Arrays of TensorFlow and JAX: read through numpy where they lie in the host's memory."""

from __future__ import annotations

from typing import Any

from . import numpy_array
from .facts import Facts
from .words import word

#: Elements that are copied from a device at most.
_COPIED = 1 << 22


def facts_of(numpy: Any, array: Any, framework: str, limit: int | None = None) -> Facts:
    """Reads an array of ``framework``. Never raises: what can not be read is said."""
    facts = Facts("?", ("?",), [framework])
    try:
        why = (_tensorflow if framework == "tf" else _jax)(numpy, array, facts, limit)
    except Exception as error:
        first = (str(error).splitlines() or [""])[0][:80]
        why = f"{type(error).__name__}: {first}"
    if why is not None:
        facts.notes.append(why if facts.sizes_only else word("values not read ({0})", word(why)))
    return facts


def host_view(numpy: Any, array: Any, framework: str) -> Any:
    """A numpy array on the memory of ``array``; None where that is not the host's, or there is
    none. Never raises."""
    try:
        if framework == "tf":
            value = _eager(array)
            on_host = value is not None and "CPU" in str(value.device).upper()
            return numpy.asarray(value._numpy()) if on_host else None
        if _is_tracer(array) or array.is_deleted() or not _on_host(array):
            return None
        return numpy.asarray(array)
    except Exception:
        return None


def _eager(tensor: Any) -> Any:
    """The value of a tensor or variable of TensorFlow; None while it is traced."""
    value = tensor.value() if hasattr(tensor, "assign") else tensor
    return value if hasattr(value, "_numpy") else None


def _on_host(array: Any) -> bool:
    return all(device.platform == "cpu" for device in array.devices())


def _is_tracer(array: Any) -> bool:
    """Of JAX: tracers answer for much that an array has, and raise when asked for the rest."""
    return any(
        ancestor.__name__ == "Tracer" for ancestor in type.__dict__["__mro__"].__get__(type(array))
    )


def _named(facts: Facts, dtype: str, sizes: tuple[object, ...], device: str) -> None:
    facts.dtype, facts.sizes = dtype, sizes
    facts.traits = [device, *facts.traits] if device else facts.traits
    facts.boolean = dtype == "bool"
    facts.floating = "float" in dtype or "complex" in dtype


def _tensorflow(numpy: Any, tensor: Any, facts: Facts, limit: int | None) -> str | None:
    shape = tensor.shape
    known = shape.rank is not None
    sizes = tuple("?" if size is None else size for size in shape.as_list()) if known else ("?",)
    device = str(getattr(tensor, "device", "") or "")
    _named(facts, tensor.dtype.name, sizes, device.rpartition("device:")[2].lower())
    if limit == 0:
        return None
    value = _eager(tensor)
    if value is None:
        facts.sizes_only = True
        return word("no data ({0})", word(_TRACED))
    total = 1
    for size in shape.as_list():
        total *= size
    if "CPU" not in device.upper() and total > _COPIED:
        return "too large to copy from its device"
    # Of a CPU tensor this is a view; the public numpy() would copy it.
    return numpy_array.read_into(numpy, numpy.asarray(value._numpy()), facts, limit)


def _jax(numpy: Any, array: Any, facts: Facts, limit: int | None) -> str | None:
    aval = array.aval
    sizes = tuple(aval.shape)
    _named(facts, str(aval.dtype), sizes, "")
    if _is_tracer(array):
        facts.sizes_only = True
        return word("no data ({0})", word(_TRACED))
    if array.is_deleted():
        return "its memory was given back"
    devices = sorted(str(device).lower() for device in array.devices())
    shown = devices[0] if len(devices) == 1 else f"{len(devices)} devices"
    _named(facts, str(aval.dtype), sizes, shown)
    if limit == 0:
        return None
    if not _on_host(array) and array.size > _COPIED:
        return "too large to copy from its device"
    return numpy_array.read_into(numpy, numpy.asarray(array), facts, limit)


_TRACED = "it stands in for a tensor while the program is traced"
