"""Runs single norm layers with given inputs and gradients; argv: a JSON file of jobs."""

from __future__ import annotations

import json
import sys

import torch
from torch import Tensor, nn


class DetachNorm(nn.Module):
    """LayerNorm without gain whose mean, deviation or both are constants in the backward pass."""

    def __init__(self, eps: float, mean: bool, deviation: bool) -> None:
        super().__init__()
        self.eps, self.mean, self.deviation = eps, mean, deviation

    def forward(self, x: Tensor) -> Tensor:
        mu = x.mean(-1, keepdim=True)
        centre = mu.detach() if self.mean else mu
        sigma = ((x - centre).square().mean(-1, keepdim=True) + self.eps).sqrt()
        return (x - centre) / (sigma.detach() if self.deviation else sigma)


class AdaNorm(nn.Module):
    """z = C (1 - k y) y with the factor detached."""

    def __init__(self, eps: float, c: float, k: float) -> None:
        super().__init__()
        self.eps, self.c, self.k = eps, c, k

    def forward(self, x: Tensor) -> Tensor:
        centred = x - x.mean(-1, keepdim=True)
        y = centred / (centred.square().mean(-1, keepdim=True) + self.eps).sqrt()
        return (self.c * (1 - self.k * y)).detach() * y


def build(spec: dict, rank: int, dtype: torch.dtype) -> nn.Module:
    """The layer in training mode with its given vectors."""
    kind, features, eps = spec["kind"], spec["features"], spec["eps"]
    if kind == "batch_norm":
        made = {2: nn.BatchNorm1d, 3: nn.BatchNorm1d, 4: nn.BatchNorm2d}[rank](features, eps=eps)
    elif kind == "layer_norm":
        made = nn.LayerNorm(features, eps=eps)
    elif kind == "layer_norm_simple":
        made = nn.LayerNorm(features, eps=eps, elementwise_affine=False)
    elif kind == "rms_norm":
        made = nn.RMSNorm(features, eps=eps)
    elif kind == "group_norm":
        made = nn.GroupNorm(spec["groups"], features, eps=eps)
    elif kind == "instance_norm":
        made = nn.InstanceNorm2d(features, eps=eps, affine=True)
    elif kind == "detach_norm":
        made = DetachNorm(eps, spec["detachMean"], spec["detachStd"])
    else:
        made = AdaNorm(eps, spec["C"], spec["k"])
    names = {
        "gamma": "weight",
        "beta": "bias",
        "runningMean": "running_mean",
        "runningVariance": "running_var",
    }
    with torch.no_grad():
        for name, attribute in names.items():
            held = getattr(made, attribute, None)
            if held is not None and name in spec:
                held.copy_(torch.tensor(spec[name]))
    return made.to(dtype)


def run(job: dict, layer: nn.Module, dtype: torch.dtype) -> None:
    # A layer without parameters needs something to optimize all the same.
    scale = nn.Parameter(torch.ones((), dtype=dtype))
    optimizer = torch.optim.SGD([scale, *layer.parameters()], lr=0.0)
    for batches in job["steps"]:
        optimizer.zero_grad()
        for batch in batches:
            x, g = (
                torch.tensor([float(v) for v in batch[name]], dtype=dtype).reshape(batch["shape"])
                for name in ("x", "g")
            )
            moved = batch["featureAxis"] != 1 and job["layer"]["kind"] == "batch_norm"
            if moved:
                x, g = x.transpose(1, -1), g.transpose(1, -1)
            layer(x * scale).backward(g)
        optimizer.step()


def main() -> None:
    with open(sys.argv[1], encoding="utf-8") as file:
        jobs = json.load(file)
    for job in jobs:
        dtype = getattr(torch, job["dtype"])
        run(job, build(job["layer"], len(job["steps"][0][0]["shape"]), dtype), dtype)


main()
