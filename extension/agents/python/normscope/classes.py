"""Which module classes are norm layers, and of which family.

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

from .settings import ExtraClass

_RMS_NORM: Any = getattr(nn, "RMSNorm", None)

#: PyTorch's norm layers, each with its family.
BUILT_IN: tuple[tuple[type, str], ...] = (
    (_BatchNorm, "batch"),
    (_InstanceNorm, "instance"),
    (nn.LayerNorm, "layer"),
    (nn.GroupNorm, "group"),
    *(((_RMS_NORM, "rms"),) if _RMS_NORM is not None else ()),
)

#: The settings' further classes.
Extra = tuple[ExtraClass, ...]

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
#: Reparametrizations of weights and norms without parameters; they are no layers of this kind.
_NOT_BEFORE_NORM = {"weight", "spectral", "grad", "gradient", "response", "no", "pre", "post"}
#: Names that parameters of a norm layer go by; the first that is there counts.
WEIGHT_NAMES = ("weight", "gamma", "scale", "gain", "g", "a_2", "alpha")
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


def activates(module: nn.Module) -> bool:
    """Whether a norm applies an activation of its own, as those of timm do."""
    return any(
        isinstance(activation := module._modules.get(name), nn.Module)
        and not isinstance(activation, nn.Identity)
        for name in ("act", "activation")
    )


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


def is_candidate(cls: type, extra: Extra) -> bool:
    """Whether instances of ``cls`` may be norm layers."""
    if built_in_family(cls) is not None or extra_class(cls, extra) is not None:
        return True
    return not cls.__module__.startswith("torch.nn.") and says_norm(cls.__name__)


def extra_class(cls: type, extra: Extra) -> ExtraClass | None:
    """The first entry of the settings that names ``cls``, by its name or by module and name."""
    full = f"{cls.__module__}.{cls.__qualname__}"
    for entry in extra:
        if fnmatchcase(cls.__name__, entry.pattern) or fnmatchcase(full, entry.pattern):
            return entry
    return None


def declared(module: nn.Module | None) -> tuple[str, int]:
    """Family and number of features before the first call; 0 where not even the layer knows."""
    if module is None:
        return "other", 0
    family = built_in_family(type(module)) or family_by_name(class_name_of(module))
    shape = getattr(module, "normalized_shape", None)
    if isinstance(shape, (tuple, list)) and all(isinstance(size, int) for size in shape):
        return family, math.prod(shape)
    for name in ("num_features", "num_channels"):
        count = getattr(module, name, None)
        if isinstance(count, int):
            return family, count
    return family, 0


def family_by_name(name: str) -> str:
    """Family that a class name says, such as ``rms`` for ``LlamaRMSNorm``; else ``other``."""
    if _RMS_BY_ANOTHER_NAME.search(name):
        return "rms"
    lower = name.lower()
    return next((family for word, family in _FAMILY_WORDS if word in lower), "other")


def weight_shape(module: nn.Module) -> tuple[int, ...] | None:
    """Shape of the weight of a custom norm, also where it is reparametrized; None without one."""
    tensors = {**module._buffers, **module._parameters}
    for name, inner in _parametrizations(module):
        tensors.setdefault(name, inner._parameters.get("original"))
    for name in WEIGHT_NAMES:
        value = tensors.get(name)
        if isinstance(value, Tensor):
            return tuple(value.shape)
    vectors = [p for p in module._parameters.values() if isinstance(p, Tensor) and p.dim() == 1]
    return tuple(vectors[0].shape) if vectors else None


def _parametrizations(module: nn.Module) -> list[tuple[str, nn.Module]]:
    holder = module._modules.get("parametrizations")
    inner = {} if holder is None else holder._modules
    return [(name, value) for name, value in inner.items() if value is not None]


def class_name_of(module: nn.Module) -> str:
    """Name of its class as the program wrote it, without what ``parametrize`` makes of it."""
    cls = type(module)
    made = cls.__module__ == "torch.nn.utils.parametrize" and len(cls.__bases__) == 1
    return cls.__bases__[0].__name__ if made else cls.__name__


def has_norm_inside(module: nn.Module, extra: Extra) -> bool:
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
