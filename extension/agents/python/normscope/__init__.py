"""NormScope's agent inside a Python training process.

Importing this package costs nothing: torch is never imported by it, only observed.
"""

from __future__ import annotations


def inject(address: str, token: str, capture_json: str = "{}") -> str:
    """Starts the agent in a process that already runs, such as one a debugger attached to.

    ``address``, ``token`` and ``capture_json`` are what ``NORMSCOPE_ADDRESS``, ``NORMSCOPE_TOKEN``
    and ``NORMSCOPE_CAPTURE`` would have held. Returns one sentence about the outcome; never raises.
    """
    try:
        from .bootstrap import attach

        return attach(address, token, capture_json)
    except Exception as error:
        return f"NormScope could not start in this process: {error!r}."
