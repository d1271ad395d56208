"""Which module classes are norm layers, and what their figures mean.

PyTorch's own classes and their subclasses are known. Any other class is a candidate when its name
says norm; whether it is one shows at its first call, when its weight has to agree with its input.
"""

from __future__ import annotations

import math
import re
from fnmatch import fnmatchcase
from typing import Any

from torch import Tensor, nn
from torch.nn.modules.batchnorm import _BatchNorm
from torch.nn.modules.instancenorm import _InstanceNorm

from .geometry import Geometry

_RMS_NORM: Any = getattr(nn, "RMSNorm", None)

#: PyTorch's norm layers, each with its family.
BUILT_IN: tuple[tuple[type, str], ...] = (
    (_BatchNorm, "batch"),
    (_InstanceNorm, "instance"),
    (nn.LayerNorm, "layer"),
    (nn.GroupNorm, "group"),
    *(((_RMS_NORM, "rms"),) if _RMS_NORM is not None else ()),
)

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
#: Reparametrizations of weights and norms without parameters; they are no layers of this kind.
_NOT_BEFORE_NORM = {"weight", "spectral", "grad", "gradient", "response", "no", "pre", "post"}
#: Names that parameters of a norm layer go by; the first that is there counts.
_WEIGHT_NAMES = ("weight", "gamma", "scale", "gain", "g", "a_2", "alpha")
_FAMILY_WORDS = (
    ("rms", "rms"),
    ("batch", "batch"),
    ("group", "group"),
    ("instance", "instance"),
    ("layer", "layer"),
)
#: Root-mean-square norms under a LayerNorm's name.
_RMS_BY_ANOTHER_NAME = re.compile(r"T5LayerNorm$|SwitchTransformersLayerNorm$")


class Unsuitable(Exception):
    """The module is no norm layer after all."""


class Unsupported(Exception):
    """The module is one, but this input can not be described; the message is a sentence."""


def built_in_family(cls: type) -> str | None:
    """Family of one of PyTorch's classes or their subclasses."""
    for base, family in BUILT_IN:
        if issubclass(cls, base):
            return family
    return None


def says_norm(name: str) -> bool:
    """Whether a class name has the word norm: ``LlamaRMSNorm``, but not ``NormalDistribution``."""
    words = [word.lower() for word in _WORDS.findall(name)]
    for before, word in zip(["", *words], words):
        if word in ("norm", "normalization", "normalisation"):
            if before not in _NOT_BEFORE_NORM:
                return True
        elif word.endswith("norm") and word[:-4] not in _NOT_BEFORE_NORM | {"de", "un", "sub"}:
            return True
    return False


def is_candidate(cls: type, extra: tuple[str, ...]) -> bool:
    """Whether instances of ``cls`` may be norm layers."""
    if built_in_family(cls) is not None:
        return True
    if is_extra(cls, extra):
        return True
    return not cls.__module__.startswith("torch.nn.") and says_norm(cls.__name__)


def is_extra(cls: type, patterns: tuple[str, ...]) -> bool:
    """Whether the settings name ``cls``, by its name or by module and name."""
    full = f"{cls.__module__}.{cls.__qualname__}"
    return any(fnmatchcase(cls.__name__, p) or fnmatchcase(full, p) for p in patterns)


def geometry_of(module: nn.Module, x: Tensor, extra: tuple[str, ...]) -> Geometry:
    """Axes of ``module`` for the input ``x``; raises :class:`Unsuitable`, :class:`Unsupported`."""
    cls = type(module)
    family = built_in_family(cls)
    shape = tuple(x.shape)
    if family is None:
        return _custom(module, shape, is_extra(cls, extra))
    if not shape:
        raise Unsupported("Its input has no axes.")
    if family in ("layer", "rms"):
        return _trailing(module, shape, family, tuple(module.normalized_shape))  # type: ignore
    if family == "instance":
        unbatched = len(shape) == module._get_no_batch_dim()  # type: ignore[operator]
        axis = 0 if unbatched else 1
        return _channels(shape, family, axis, tuple(range(axis + 1, len(shape))))
    if family == "group":
        return _channels(shape, family, 1, tuple(range(1, len(shape))))
    if len(shape) > 2 and shape[1] != (wanted := module.num_features) and shape[-1] == wanted:
        return _channels(shape, family, len(shape) - 1, tuple(range(len(shape) - 1)))
    return _channels(shape, family, 1, tuple(a for a in range(len(shape)) if a != 1))


def declared(module: nn.Module | None) -> tuple[str, int]:
    """Family and number of features before the first call; 0 where not even the layer knows."""
    if module is None:
        return "other", 0
    family = built_in_family(type(module)) or _family_by_name(type(module).__name__)
    shape = getattr(module, "normalized_shape", None)
    if isinstance(shape, (tuple, list)) and all(isinstance(size, int) for size in shape):
        return family, math.prod(shape)
    for name in ("num_features", "num_channels"):
        count = getattr(module, name, None)
        if isinstance(count, int):
            return family, count
    return family, 0


def _channels(
    shape: tuple[int, ...], family: str, axis: int, normalized: tuple[int, ...]
) -> Geometry:
    if axis >= len(shape):
        raise Unsupported("Its input has no channel axis.")
    return Geometry(family, shape[axis], (axis,), normalized, axis > 0)


def _trailing(
    module: nn.Module, shape: tuple[int, ...], family: str, wanted: tuple[int, ...]
) -> Geometry:
    depth = len(wanted)
    own_forward = type(module).forward not in [base.forward for base, _ in BUILT_IN]  # type: ignore
    channels_fit = depth == 1 and len(shape) > 2 and shape[1] == wanted[0]
    trailing_fit = shape[-depth:] == wanted
    says_images = re.search(r"[23][dD]", type(module).__name__) is not None
    if channels_fit and own_forward and (not trailing_fit or says_images):
        return _channels(shape, family, 1, (1,))
    if not trailing_fit:
        raise Unsupported(f"Its input of shape {list(shape)} does not end in {list(wanted)}.")
    axes = tuple(range(len(shape) - depth, len(shape)))
    return Geometry(family, math.prod(wanted), axes, axes, len(shape) > depth)


def _custom(module: nn.Module, shape: tuple[int, ...], asked_for: bool) -> Geometry:
    family = _family_by_name(type(module).__name__)
    weight = _weight_shape(module)
    if len(shape) < 2:
        raise Unsuitable
    if weight is None:
        if not asked_for:
            raise Unsuitable
        last = len(shape) - 1
        return Geometry(family, shape[last], (last,), (last,), True)
    size = math.prod(weight)
    flat = tuple(length for length in weight if length != 1) or (1,)
    spatial = re.search(r"[123][dD]", type(module).__name__) is not None
    first = family in ("batch", "group", "instance") or spatial
    fits_first = len(flat) == 1 and shape[1] == size
    fits_last = shape[-len(flat) :] == flat and len(shape) > len(flat)
    if fits_first and (first or not fits_last):
        axes = [a for a in range(len(shape)) if a != 1]
        by_family = {"group": (1, *axes[1:]), "instance": tuple(axes[1:]), "batch": tuple(axes)}
        return _channels(shape, family, 1, by_family.get(family, (1,)))
    if fits_last:
        axes_last = tuple(range(len(shape) - len(flat), len(shape)))
        normalized = axes_last
        if family == "batch":
            normalized = tuple(range(len(shape) - len(flat)))
        return Geometry(family, size, axes_last, normalized, True)
    raise Unsuitable


def _family_by_name(name: str) -> str:
    if _RMS_BY_ANOTHER_NAME.search(name):
        return "rms"
    lower = name.lower()
    return next((family for word, family in _FAMILY_WORDS if word in lower), "other")


def _weight_shape(module: nn.Module) -> tuple[int, ...] | None:
    tensors = {**module._buffers, **module._parameters}
    for name in _WEIGHT_NAMES:
        value = tensors.get(name)
        if isinstance(value, Tensor):
            return tuple(value.shape)
    vectors = [p for p in module._parameters.values() if isinstance(p, Tensor) and p.dim() == 1]
    return tuple(vectors[0].shape) if vectors else None


def has_norm_inside(module: nn.Module, extra: tuple[str, ...]) -> bool:
    """Whether one of its descendants is a candidate, which makes it a block, no layer."""
    pending = list(module._modules.values())
    seen = {id(module)}
    while pending:
        child = pending.pop()
        if child is None or id(child) in seen:
            continue
        if is_candidate(type(child), extra):
            return True
        seen.add(id(child))
        pending.extend(child._modules.values())
    return False
