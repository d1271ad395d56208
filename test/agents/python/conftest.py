from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import torch

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
AGENT = ROOT / "extension" / "agents" / "python"
VECTORS = ROOT / "test" / "fixtures" / "vectors"
for folder in (HERE, AGENT):
    sys.path.insert(0, str(folder))

from collector import Collector  # noqa: E402
from reading import Run  # noqa: E402

TOKEN = "0123456789abcdef" * 4


@dataclass
class Outcome:
    returncode: int
    stdout: str
    stderr: str
    collector: Collector

    @property
    def run(self) -> Run:
        """The only connection's frames."""
        assert len(self.collector.connections) == 1, self.stderr
        return Run(self.collector.connections[0])


@pytest.fixture
def make_collector(tmp_path: Path) -> Iterator[Callable[..., Collector]]:
    made: list[Collector] = []

    def make(reads: bool = True, tcp: bool = False) -> Collector:
        path = None if tcp else f"/tmp/normscope-test-{os.getpid()}-{time.monotonic_ns()}.sock"
        made.append(Collector(path, reads))
        return made[-1]

    yield make
    for collector in made:
        collector.close()


def environment(collector: Collector, **capture: Any) -> dict[str, str]:
    """Environment of a debuggee; one thread, so that tests do not compete for cores."""
    settings = {"enabled": True, "budgetPercent": 0, "extraClasses": [], **capture}
    return {
        **os.environ,
        "PYTHONPATH": str(AGENT),
        "NORMSCOPE_ADDRESS": collector.address,
        "NORMSCOPE_TOKEN": TOKEN,
        "NORMSCOPE_CAPTURE": json.dumps(settings),
        "OMP_NUM_THREADS": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }


@pytest.fixture
def train(tmp_path: Path, make_collector: Callable[..., Collector]) -> Callable[..., Outcome]:
    """Runs a script to its end in a process of its own, with capture on."""

    def run(source: str, *, name: str = "script.py", tcp: bool = False, **capture: Any) -> Outcome:
        script = tmp_path / name
        script.parent.mkdir(parents=True, exist_ok=True)
        script.write_text(textwrap.dedent(source), encoding="utf-8")
        collector = make_collector(tcp=tcp)
        extra = capture.pop("env", {})
        done = subprocess.run(
            [sys.executable, str(script)],
            env={**environment(collector, **capture), **extra},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=600,
        )
        collector.wait_for(lambda: all(c.ended for c in collector.connections))
        return Outcome(done.returncode, done.stdout, done.stderr, collector)

    return run


@pytest.fixture
def vectors() -> Callable[[str], Any]:
    return lambda name: json.loads((VECTORS / name).read_text(encoding="utf-8"))


_MODEL_LIBRARIES = ("torchvision", "timm", "transformers")
_missing = [name for name in _MODEL_LIBRARIES if importlib.util.find_spec(name) is None]
collect_ignore = ["test_architectures.py"] if _missing else []


def pytest_report_header() -> list[str]:
    """Says what can not run here."""
    lines = []
    if _missing:
        lines.append(f"test_architectures.py does not run: no {', '.join(_missing)} here")
    if not torch.cuda.is_available():
        lines.append("the test that nothing waits for a device does not run: no CUDA device here")
    return lines
