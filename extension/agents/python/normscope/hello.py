"""What the process says about itself when it connects."""

from __future__ import annotations

import os
import platform
import sys
from typing import Any

import torch

from .frames import clip

PROTOCOL_VERSION = 2


def _program() -> str:
    main = sys.modules.get("__main__")
    spec = getattr(main, "__spec__", None)
    if spec is not None and getattr(spec, "name", None):
        name = spec.name
        return clip(f"-m {name[: -len('.__main__')] if name.endswith('.__main__') else name}")
    arguments = getattr(sys, "argv", None) or [""]
    return clip(arguments[0] or "python")


def _rank() -> tuple[int, int]:
    """Rank and world size: the process group's, else the launcher's."""
    distributed = getattr(torch, "distributed", None)
    try:
        if distributed is not None and distributed.is_available() and distributed.is_initialized():
            return distributed.get_rank(), distributed.get_world_size()
        rank, world = int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1"))
    except Exception:
        return 0, 1
    return (rank, world) if 0 <= rank < world else (0, 1)


def hello(device: str, started_at: int) -> dict[str, Any]:
    """Body of the first frame; ``started_at`` in milliseconds since 1970."""
    rank, world = _rank()
    return {
        "kind": "hello",
        "protocol": PROTOCOL_VERSION,
        "agent": "python",
        "framework": "torch",
        "frameworkVersion": str(torch.__version__),
        "backend": device,
        "runtimeVersion": platform.python_version(),
        "pid": os.getpid(),
        "program": _program(),
        "startedAt": started_at,
        "rank": rank,
        "worldSize": world,
    }
