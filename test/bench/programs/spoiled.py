"""Spoils the input of one norm in every third forward pass, and notes when."""

import sys
import time

import torch
from torch import nn

torch.manual_seed(0)
blocks = nn.ModuleList(nn.Sequential(nn.Linear(64, 64), nn.LayerNorm(64)) for _ in range(8))
mask = torch.zeros(256, 64, dtype=torch.bool)
mask[7, 3] = True
optimizer = torch.optim.SGD(blocks.parameters(), lr=0.0)

with open(sys.argv[1], "w", buffering=1) as notes:
    for step in range(3 * int(sys.argv[2])):
        x = torch.randn(256, 64)
        for number, block in enumerate(blocks):
            if number == 4 and step % 3 == 2:
                notes.write(f"{1000 * time.time()}\n")
                x = torch.where(mask, torch.nan, x)
            x = block(x)
        if step % 3 == 2:
            # No update: it would spoil the weights for good.
            continue
        optimizer.zero_grad()
        x.square().mean().backward()
        optimizer.step()
