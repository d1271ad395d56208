"""Stops with tensors, arrays and modules of many kinds in a frame."""

import sys
import time

import numpy as np
import torch
from torch import nn


class Loud(torch.Tensor):
    """Says so when anybody looks at it the way a debugger without care does."""

    def __repr__(self):
        print("repr of a tensor was called")
        return "loud"

    @property
    def expensive(self):
        print("a property of a tensor was evaluated")
        return 1


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.width = 4
        self.norm = nn.LayerNorm(4)
        self.layers = nn.ModuleList(nn.Linear(4, 4) for _ in range(3))
        self.register_buffer("seen", torch.zeros(2))

    def __repr__(self):
        print("repr of a module was called")
        return "net"

    def forward(self, x):
        y = self.norm(x)
        print("forward")  # in forward
        return y


def look():
    x = torch.arange(2048, dtype=torch.float32).reshape(8, 64, 4) / 1024
    x[..., 2] = 7.0
    loud = torch.ones(16).as_subclass(Loud)
    weight = nn.Parameter(torch.full((3, 2), 0.5))
    (weight * 2).sum().backward()
    huge = torch.zeros(1).expand(10**9)
    memory = np.broadcast_to(np.float32(3), (1000, 1000, 1000))
    broken = torch.tensor([1.0, float("nan"), float("inf"), 2.0, 3.0, 4.0, 5.0, 6.0])
    array = np.linspace(0, 1, 24).reshape(4, 6)
    half = torch.ones(8, dtype=torch.bfloat16)
    memory_of = getattr(torch.Tensor, "untyped_storage", torch.Tensor.storage)
    storage = memory_of(torch.empty(10**9, dtype=torch.uint8))
    cube = np.zeros((6,) * 10, np.uint8)
    net = Net()
    module = {"list": [net]}
    long = torch.arange(25_000)
    many = [torch.ones(5), loud]
    named = {"x": x, "loud": loud}
    wide = nn.ParameterList(nn.Parameter(torch.ones(1)) for _ in range(int(sys.argv[1])))
    texts = ["é" * 70_000 for _ in range(300)]
    net(torch.ones(2, 4))
    return (
        x,
        weight,
        huge,
        memory,
        broken,
        array,
        half,
        long,
        many,
        named,
        wide,
        texts,
        storage,
        cube,
        module,
    )  # in look


if sys.argv[2:] == ["listen"]:
    import debugpy

    print(f"port {debugpy.listen(('127.0.0.1', 0))[1]}", flush=True)
    debugpy.wait_for_client()
    # debugpy goes on to set this thread's trace function from another one. CPython 3.11 was seen to
    # crash where the thread ran Python at that moment, so it waits where it runs none.
    time.sleep(1)
look()
