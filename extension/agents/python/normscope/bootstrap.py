"""The ways in: the environment at interpreter start, or a call into a running process."""

from __future__ import annotations

import os
import sys
from typing import Any

from .import_hook import when_torch_is_imported
from .settings import CaptureSettings, settings_from_text

ADDRESS_VARIABLE = "NORMSCOPE_ADDRESS"
TOKEN_VARIABLE = "NORMSCOPE_TOKEN"
CAPTURE_VARIABLE = "NORMSCOPE_CAPTURE"
TOKEN_LENGTH = 64

_agent: Any = None


def _plausible(token: str) -> bool:
    return len(token) == TOKEN_LENGTH and all(digit in "0123456789abcdefABCDEF" for digit in token)


def _start(address: str, token: str, settings: CaptureSettings, running: bool) -> None:
    """Imports what needs torch and starts it. Never raises: this runs inside ``import torch``."""
    global _agent
    try:
        from .agent import Agent

        _agent = Agent(address, token, settings)
        _agent.start(running)
    except Exception as error:
        if os.environ.get("NORMSCOPE_DEBUG"):
            print(f"NormScope's agent did not start: {error!r}", file=sys.stderr)


def start_from_environment() -> None:
    """Waits for torch, if the environment says where to connect."""
    address = os.environ.get(ADDRESS_VARIABLE, "")
    token = os.environ.get(TOKEN_VARIABLE, "")
    if not address or not _plausible(token):
        return
    settings = settings_from_text(os.environ.get(CAPTURE_VARIABLE, ""))
    when_torch_is_imported(lambda: _start(address, token, settings, running=False))


def attach(address: str, token: str, capture_json: str) -> str:
    """Starts in a process that already runs; returns a sentence for the person."""
    if not _plausible(token):
        return "NormScope was given a malformed token and did not start."
    if _agent is not None and _agent.alive:
        return "NormScope is already active in this process."
    settings = settings_from_text(capture_json)
    torch = sys.modules.get("torch")
    if torch is None or not hasattr(torch, "nn") or not hasattr(torch, "optim"):
        when_torch_is_imported(lambda: _start(address, token, settings, running=False))
        return "NormScope waits for the process to import torch."
    _start(address, token, settings, running=True)
    if _agent is None or not _agent.alive:
        return "NormScope could not start in this process."
    return f"NormScope is active; {_agent.layer_count} norm layers found so far."
