"""How the layout describes a layer; see ``LayerInfo`` in ``layers.ts``."""

from __future__ import annotations

from typing import Any

from .classes import declared
from .frames import clip
from .layers import Layer


def layer_info(layer: Layer) -> dict[str, Any]:
    """Family and features are those of its input, and before the first call what its class says."""
    geometry = layer.geometry
    family, features = declared(layer.reference() if layer.site is None else None)
    return {
        "id": layer.id,
        "name": clip(layer.name),
        "call": layer.call,
        "className": clip(layer.class_name),
        "family": geometry.family if geometry else family,
        "features": geometry.features if geometry else features,
        "featureAxes": list(geometry.feature_axes) if geometry else [],
        "normalizedAxes": list(geometry.normalized_axes) if geometry else [],
        "inputShape": list(layer.input_shape),
        "dtype": layer.dtype,
        "eps": layer.eps,
        "momentum": layer.momentum,
        "constructedAt": _location(layer.constructed_at),
        "calledAt": _location(layer.called_at),
        "status": [{"code": c, "reason": clip(r)} for c, r in layer.status.items()],
    }


def _location(location: tuple[str, int] | None) -> dict[str, Any] | None:
    return None if location is None else {"file": clip(location[0]), "line": location[1]}
