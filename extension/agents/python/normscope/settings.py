"""Capture settings as the extension sends them, validated."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any

MAX_PATTERNS = 256
FAMILIES = ("batch", "layer", "rms", "group", "instance", "other")
_MAX_AXES = 64


@dataclass(frozen=True, repr=False)
class ExtraClass:
    """A further class of norm layers; see ``environment.ts``."""

    #: Class name, or module and class name; ``*`` and ``?`` stand for any text and any character.
    pattern: str
    #: None: told from the class name.
    family: str | None = None
    #: Axis of the features, from the end where negative; None: told from the parameters' shapes.
    feature_axis: int | None = None


@dataclass(frozen=True, repr=False)
class CaptureSettings:
    """What to capture; see ``environment.ts``."""

    enabled: bool = True
    #: Share of a step's time that capture may take, in percent; 0 captures every step.
    budget_percent: float = 1.0
    extra_classes: tuple[ExtraClass, ...] = ()


def settings_from(value: Any) -> CaptureSettings:
    """Reads a decoded JSON object; whatever is missing or wrong falls back to its default."""
    default = CaptureSettings()
    if not isinstance(value, dict):
        return default
    enabled = value.get("enabled", default.enabled)
    percent = value.get("budgetPercent", default.budget_percent)
    if isinstance(percent, bool) or not isinstance(percent, (int, float)):
        percent = default.budget_percent
    if not math.isfinite(percent):
        percent = default.budget_percent
    given = value.get("extraClasses")
    extra = [_extra_class(entry) for entry in given] if isinstance(given, list) else []
    return CaptureSettings(
        enabled=enabled if isinstance(enabled, bool) else default.enabled,
        budget_percent=min(100.0, max(0.0, float(percent))),
        extra_classes=tuple([one for one in extra if one is not None][:MAX_PATTERNS]),
    )


def _extra_class(entry: Any) -> ExtraClass | None:
    """One entry of the list: an object, or only its pattern."""
    if isinstance(entry, str):
        return ExtraClass(entry)
    if not isinstance(entry, dict) or not isinstance(entry.get("pattern"), str):
        return None
    family, axis = entry.get("family"), entry.get("featureAxis")
    fits = type(axis) is int and -_MAX_AXES <= axis < _MAX_AXES
    return ExtraClass(
        entry["pattern"], family if family in FAMILIES else None, axis if fits else None
    )


def settings_from_text(text: str) -> CaptureSettings:
    """Reads JSON text; see :func:`settings_from`."""
    try:
        return settings_from(json.loads(text or "{}"))
    except ValueError:
        return CaptureSettings()
