"""Capture settings as the extension sends them, validated."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any

MAX_PATTERNS = 256


@dataclass(frozen=True)
class CaptureSettings:
    """What to capture; see ``environment.ts``."""

    enabled: bool = True
    #: Share of a step's time that capture may take, in percent; 0 captures every step.
    budget_percent: float = 1.0
    #: Further norm classes, by name or glob.
    extra_classes: tuple[str, ...] = ()


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
    extra = value.get("extraClasses", ())
    names = [name for name in extra if isinstance(name, str)] if isinstance(extra, list) else []
    return CaptureSettings(
        enabled=enabled if isinstance(enabled, bool) else default.enabled,
        budget_percent=min(100.0, max(0.0, float(percent))),
        extra_classes=tuple(names[:MAX_PATTERNS]),
    )


def settings_from_text(text: str) -> CaptureSettings:
    """Reads JSON text; see :func:`settings_from`."""
    try:
        return settings_from(json.loads(text or "{}"))
    except ValueError:
        return CaptureSettings()
