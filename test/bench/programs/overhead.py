"""Trains a model in rounds that the benchmark asks for, a line of JSON each; answers with times.

A request: {"mode": "plain" | "wandbWatch" | "tensorboard", "steps": n}. The agent, where it is
loaded, is switched on and off from outside. Two further steps come first that are not timed.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from contextlib import contextmanager
from time import perf_counter

import torch
from torch import nn
from torch.nn import functional as F

UNTIMED = 2


class Block(nn.Module):
    """Pre-LN attention and feed-forward."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.norm1 = nn.LayerNorm(width)
        self.norm2 = nn.LayerNorm(width)
        self.attention = nn.MultiheadAttention(width, heads, batch_first=True)
        self.feed = nn.Sequential(
            nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width)
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.norm1(x)
        x = x + self.attention(y, y, y, need_weights=False)[0]
        return x + self.feed(self.norm2(x))


class Transformer(nn.Module):
    """Four blocks of width 256 over 128 tokens."""

    def __init__(self, vocabulary: int = 128, width: int = 256, tokens: int = 128) -> None:
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, width)
        self.position = nn.Parameter(0.02 * torch.randn(tokens, width))
        self.blocks = nn.ModuleList(Block(width, 8) for _ in range(4))
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, vocabulary)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        x = self.embedding(tokens) + self.position
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


def transformer():
    model = Transformer()
    tokens = torch.randint(128, (16, 129))

    def loss() -> torch.Tensor:
        return F.cross_entropy(model(tokens[:, :-1]).flatten(0, 1), tokens[:, 1:].flatten())

    return model, loss


def small():
    """Steps of a few milliseconds, for what takes many."""
    model = nn.Sequential(
        nn.Linear(256, 256), nn.LayerNorm(256), nn.GELU(), nn.Linear(256, 256), nn.BatchNorm1d(256)
    )
    x, y = torch.randn(128, 256), torch.randn(128, 256)
    return model, lambda: F.mse_loss(model(x), y)


def torchvision_resnet18():
    """A wheel for another device can not load its operators, of which this model needs none."""
    try:
        from torchvision.models import resnet18 as make
    except RuntimeError:
        library = torch.library.Library("torchvision", "DEF")
        for operator in ("nms", "qnms"):
            library.define(f"{operator}(Tensor dets, Tensor scores, float threshold) -> Tensor")
        from torchvision.models import resnet18 as make

        make.operators = library
    return make


def resnet18():
    make = torchvision_resnet18()
    model = make(num_classes=10)
    images = torch.randn(16, 3, 64, 64)
    labels = torch.randint(10, (16,))
    return model, lambda: F.cross_entropy(model(images), labels)


@contextmanager
def plain(model):
    yield lambda loss: None


@contextmanager
def wandb_watch(model):
    import wandb

    if wandb.run is None:
        folder = tempfile.mkdtemp(prefix="wandb-")
        wandb.init(mode="offline", dir=folder, settings=wandb.Settings(silent=True))
    wandb.watch(model, log="all", log_freq=1)
    yield lambda loss: wandb.log({"loss": loss.item()})
    wandb.unwatch(model)


@contextmanager
def tensorboard(model):
    from torch.utils.tensorboard import SummaryWriter

    writer = SummaryWriter(tempfile.mkdtemp(prefix="tensorboard-"))
    step = 0

    def hook(name):
        def forward(module, args, output):
            def tap(tensor, what):
                writer.add_histogram(f"{name}/{what}", tensor.detach(), step)

            tap(args[0], "pre")
            tap(output, "post")
            if args[0].requires_grad:
                args[0].register_hook(lambda gradient: tap(gradient, "gradPre"))
            output.register_hook(lambda gradient: tap(gradient, "gradPost"))

        return forward

    norms = (nn.LayerNorm, nn.modules.batchnorm._BatchNorm)
    handles = [
        module.register_forward_hook(hook(name))
        for name, module in model.named_modules()
        if isinstance(module, norms)
    ]

    def after(loss):
        nonlocal step
        step += 1
        writer.add_scalar("loss", loss.item(), step)

    yield after
    for handle in handles:
        handle.remove()
    writer.close()


JOBS = {"transformer": transformer, "resnet18": resnet18, "small": small}
MODES = {"plain": plain, "wandbWatch": wandb_watch, "tensorboard": tensorboard}


def main() -> None:
    torch.manual_seed(0)
    model, loss_of = JOBS[sys.argv[1]]()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)

    def train(after) -> float:
        began = perf_counter()
        optimizer.zero_grad()
        loss = loss_of()
        loss.backward()
        optimizer.step()
        after(loss)
        return perf_counter() - began

    answers = os.fdopen(os.dup(1), "w", buffering=1)
    answers.write(json.dumps({"torch": torch.__version__}) + "\n")
    for line in sys.stdin:
        request = json.loads(line)
        with MODES[request["mode"]](model) as after:
            seconds = [train(after) for _ in range(UNTIMED + request["steps"])][UNTIMED:]
        answers.write(json.dumps({"seconds": seconds}) + "\n")


if __name__ == "__main__":
    main()
