"""Steps on their way into frames, on the sender's thread."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from conftest import AGENT
from normscope.bins import BIN_COUNT
from normscope.encoding import sparse

#: More filled bins than one operation is to hold.
TAPS, ROWS, VALUES = 23, 3, 9000


def counted() -> list[torch.Tensor | None]:
    generator = torch.Generator().manual_seed(3)
    taps: list[torch.Tensor | None] = []
    for tap in range(TAPS):
        bins = torch.randint(BIN_COUNT * ROWS, (VALUES,), generator=generator)
        rows = torch.bincount(bins, minlength=ROWS * BIN_COUNT).view(ROWS, BIN_COUNT)
        taps.append(None if tap in (4, TAPS - 1) else rows)
    return taps


def test_histograms_of_many_taps_are_those_of_each_without_the_bins_that_are_not_sent() -> None:
    taps = counted()
    splits, bins, counts = sparse(taps, [ROWS] * TAPS)
    own_splits = np.frombuffer(splits, "<u4")
    own_bins, own_counts = np.frombuffer(bins, "<u2"), np.frombuffer(counts, "<u4")
    assert len(own_splits) == TAPS * ROWS + 1
    assert own_splits[-1] == len(own_bins) == len(own_counts) > 2 * 32_767
    for place in range(TAPS * ROWS):
        tap, row = taps[place // ROWS], place % ROWS
        wanted = np.zeros(BIN_COUNT, int) if tap is None else tap[row].numpy().copy()
        wanted[np.arange(BIN_COUNT) % 2048 >= 2040] = 0
        if row > 0:
            wanted[[0, 2048]] = 0
        here = slice(own_splits[place], own_splits[place + 1])
        found = np.zeros(BIN_COUNT, int)
        found[own_bins[here]] = own_counts[here]
        assert (found == wanted).all(), place


def test_of_no_taps_nothing_is_sent() -> None:
    assert sparse([None, None], [1, 3]) == (bytes(4 * 5), b"", b"")


_COUNTS_THREADS = """
import os, sys, threading, torch
sys.path[:0] = sys.argv[1:]
from test_encoding import ROWS, TAPS, counted
from normscope.encoding import sparse

torch.set_num_threads(4)
taps = counted()

def encode():
    before = len(os.listdir("/proc/self/task"))
    sparse(taps, [ROWS] * TAPS)
    print(len(os.listdir("/proc/self/task")) - before)

thread = threading.Thread(target=encode)
thread.start()
thread.join()
"""


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="the system lists no threads")
def test_encoding_a_step_starts_no_threads_that_compete_with_training() -> None:
    command = [sys.executable, "-c", _COUNTS_THREADS, str(Path(__file__).parent), str(AGENT)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["0"]
