"""NormScope's agent inside a Python training process.

Importing this package costs nothing: torch is never imported by it, only observed. The agent runs
under a private name, because a program may have a module of its own that is called ``normscope``.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from typing import Any

PRIVATE_NAME = "_normscope_agent"


def _private(module: str) -> Any:
    """A module of the agent under the private name; ``sitecustomize`` may have loaded it before."""
    if PRIVATE_NAME not in sys.modules:
        here = os.path.abspath(__file__)
        spec = importlib.util.spec_from_file_location(
            PRIVATE_NAME, here, submodule_search_locations=[os.path.dirname(here)]
        )
        if spec is None or spec.loader is None:
            raise ImportError("the agent's own files are missing")
        package = importlib.util.module_from_spec(spec)
        sys.modules[PRIVATE_NAME] = package
        spec.loader.exec_module(package)
    return importlib.import_module(f"{PRIVATE_NAME}.{module}")


def inject(address: str, token: str, capture_json: str = "{}") -> str:
    """Starts the agent in a process that already runs, such as one a debugger attached to.

    ``address``, ``token`` and ``capture_json`` are what ``NORMSCOPE_ADDRESS``, ``NORMSCOPE_TOKEN``
    and ``NORMSCOPE_CAPTURE`` would have held. Returns one sentence about the outcome; never raises.
    """
    try:
        answer: str = _private("bootstrap").attach(address, token, capture_json)
    except Exception as error:
        return f"NormScope could not start in this process: {error!r}."
    return answer
