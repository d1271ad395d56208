"""Which axes of an input a norm layer takes for features and which it normalizes."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace

from torch import Tensor, nn

from .classes import (
    BUILT_IN,
    Extra,
    Unsuitable,
    Unsupported,
    built_in_family,
    class_name_of,
    extra_class,
    family_by_name,
    weight_shape,
)
from .geometry import Geometry
from .settings import ExtraClass


def geometry_of(module: nn.Module, x: Tensor, extra: Extra) -> Geometry:
    """Axes of ``module`` for the input ``x``; raises :class:`Unsuitable`, :class:`Unsupported`.

    What the settings say of its class goes before what the class says.
    """
    cls = type(module)
    family = built_in_family(cls)
    shape = tuple(x.shape)
    asked = extra_class(cls, extra)
    if asked is not None and (asked.family is not None or asked.feature_axis is not None):
        return _as_asked(module, shape, asked, family)
    if family is None:
        return _custom(module, shape, asked is not None)
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


def function_geometry(family: str, shape: tuple[int, ...], normalized: Sequence[int]) -> Geometry:
    """Axes of a call of one of ``torch.nn.functional``'s norms; ``normalized`` is its
    ``normalized_shape``, which only layer and RMS norms have."""
    if not shape:
        raise Unsupported("Its input has no axes.")
    if family in ("layer", "rms"):
        return _ending(shape, family, tuple(normalized))
    return by_axis(family, shape, 1)


def by_axis(family: str, shape: tuple[int, ...], axis: int) -> Geometry:
    """Axes of a norm of ``family`` whose features lie on ``axis``, with samples on axis 0."""
    rest = tuple(a for a in range(len(shape)) if a != axis)
    normalized = {
        "batch": rest,
        "instance": tuple(a for a in rest if a != 0),
        "group": tuple(a for a in range(len(shape)) if a != 0 or axis == 0),
    }
    return _channels(shape, family, axis, normalized.get(family, (axis,)))


def _as_asked(
    module: nn.Module, shape: tuple[int, ...], asked: ExtraClass, built_in: str | None
) -> Geometry:
    family = asked.family or built_in or family_by_name(class_name_of(module))
    if not shape:
        raise Unsupported("Its input has no axes.")
    axis = asked.feature_axis
    if axis is None:
        try:
            known = _custom(module, shape, True)
        except Unsuitable:
            raise Unsupported(
                f"Its input of shape {list(shape)} does not fit its parameters; name the feature "
                "axis in the setting for further classes."
            ) from None
        if len(known.feature_axes) > 1:
            return replace(known, family=family)
        axis = known.feature_axes[0]
    if not -len(shape) <= axis < len(shape):
        raise Unsupported(
            f"Its input of shape {list(shape)} has no axis {axis}, which the setting for further "
            "classes names."
        )
    return by_axis(family, shape, axis % len(shape))


def _channels(
    shape: tuple[int, ...], family: str, axis: int, normalized: tuple[int, ...]
) -> Geometry:
    if axis >= len(shape):
        raise Unsupported("Its input has no channel axis.")
    return Geometry(family, shape[axis], (axis,), normalized, axis > 0)


def _last(shape: tuple[int, ...], family: str, depth: int) -> Geometry:
    """The last ``depth`` axes hold the features and are normalized."""
    axes = tuple(range(len(shape) - depth, len(shape)))
    return Geometry(family, math.prod(shape[-depth:]), axes, axes, len(shape) > depth)


def _ending(shape: tuple[int, ...], family: str, wanted: tuple[int, ...]) -> Geometry:
    if not wanted or shape[-len(wanted) :] != wanted:
        raise Unsupported(f"Its input of shape {list(shape)} does not end in {list(wanted)}.")
    return _last(shape, family, len(wanted))


def _trailing(
    module: nn.Module, shape: tuple[int, ...], family: str, wanted: tuple[int, ...]
) -> Geometry:
    depth = len(wanted)
    own_forward = type(module).forward not in [base.forward for base, _ in BUILT_IN]  # type: ignore
    channels_fit = depth == 1 and len(shape) > 2 and shape[1] == wanted[0]
    trailing_fit = shape[-depth:] == wanted
    says_images = re.search(r"[23][dD]", class_name_of(module)) is not None
    if channels_fit and own_forward and (not trailing_fit or says_images):
        return _channels(shape, family, 1, (1,))
    return _ending(shape, family, wanted)


def _custom(module: nn.Module, shape: tuple[int, ...], asked_for: bool) -> Geometry:
    family = family_by_name(class_name_of(module))
    weight = weight_shape(module)
    if len(shape) < 2:
        raise Unsuitable
    if weight is None:
        if not asked_for:
            raise Unsuitable
        return by_axis(family, shape, len(shape) - 1)
    flat = tuple(length for length in weight if length != 1) or (1,)
    says_images = re.search(r"[123][dD]", class_name_of(module)) is not None
    says_first = getattr(module, "data_format", None) == "channels_first"
    first = family in ("batch", "group", "instance") or says_images or says_first
    fits_first = len(flat) == 1 and shape[1] == flat[0]
    fits_last = shape[-len(flat) :] == flat and len(shape) > len(flat)
    if fits_first and (first or not fits_last):
        return by_axis(family, shape, 1)
    if fits_last and len(flat) == 1:
        return by_axis(family, shape, len(shape) - 1)
    if fits_last:
        return _last(shape, family, len(flat))
    raise Unsuitable
