"""Pauses with what people have in their frames, and with what is too large for a debugger."""

import sys

import numpy as np
import torch
from torch import nn


def usual(stop):
    torch.manual_seed(0)
    batch = torch.randn(16, 128, 256)
    image = torch.randn(8, 64, 32, 32)
    weight = nn.Parameter(torch.randn(512, 512))
    tokens = torch.randint(0, 50_000, (16, 128))
    array = np.random.default_rng(0).normal(size=(128, 256))
    model = nn.TransformerEncoder(nn.TransformerEncoderLayer(64, 4, batch_first=True), 4)
    small = [torch.randn(8, 8) for _ in range(20)]
    stop()  # usual
    return batch, image, weight, tokens, array, model, small


def huge(stop, folder):
    expanded = torch.zeros(1).expand(10**9)
    mapped = np.memmap(f"{folder}/mapped", np.float32, "w+", shape=(10**9,))
    model = nn.ModuleList(nn.Linear(4, 4) for _ in range(50_000))
    stop()  # huge
    return expanded, mapped, model


usual(lambda: None)
huge(lambda: None, sys.argv[1])
