"""What part this process has in the program."""

from __future__ import annotations

import os
import sys

import torch


def is_multiprocessing_child() -> bool:
    """Whether another process of the program started this one and lets it do its work."""
    process = sys.modules.get("multiprocessing.process")
    parent = getattr(process, "parent_process", None)
    return parent is not None and parent() is not None


def belongs_to_torch() -> bool:
    """Whether the program is one of PyTorch's own, such as a launcher of training processes."""
    main = sys.modules.get("__main__")
    name = str(getattr(getattr(main, "__spec__", None), "name", "") or "")
    file = os.path.abspath(getattr(main, "__file__", None) or os.curdir)
    folder = os.path.dirname(os.path.abspath(torch.__file__)) + os.sep
    launches = "torch.distributed.run" in sys.modules
    return launches or name.split(".")[0] == "torch" or file.startswith(folder)


def started_children() -> bool:
    """Whether this process ever started one with multiprocessing."""
    return any(name.startswith("multiprocessing.popen_") for name in list(sys.modules))
