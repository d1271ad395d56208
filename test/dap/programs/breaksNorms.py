"""Trains two blocks with norms; what goes wrong in them is told by the arguments."""

import sys
import threading

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

torch.set_num_threads(1)
torch.manual_seed(0)
fault = sys.argv[1]
at = int(sys.argv[2])


class Spoil(torch.autograd.Function):
    """Passes on, and spoils the gradient."""

    @staticmethod
    def forward(context, x):
        return x.clone()

    @staticmethod
    def backward(context, gradient):
        return gradient * float("nan")


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(6, 6)
        self.norm = nn.LayerNorm(6)

    def forward(self, x, spoiled):
        x = self.linear(x)
        if spoiled == "forward":
            x = x.clone()
            x[3, 2] = float("inf")
        if spoiled == "dead":
            x = x * torch.tensor([1.0, 0, 0, 0, 1, 1])
        if spoiled == "backward":
            x = Spoil.apply(x)
        y = self.norm(x)
        return torch.relu(y)  # BEHIND NORM


blocks = nn.ModuleList([Block(), Block(), Block()])
if "compiled" in sys.argv:
    for block in blocks[1:]:
        block.compile(backend="aot_eager")
head = nn.Linear(6, 1)
optimizer = torch.optim.SGD([*blocks.parameters(), *head.parameters()], lr=0.01)


def train(step, x):
    for index, block in enumerate(blocks):
        x = block(x, fault if index == 1 and step >= at else "")
    loss = head(x).square().mean()
    optimizer.zero_grad()
    loss.backward()
    after = step  # BEHIND BACKWARD
    optimizer.step()
    return after  # BEHIND STEP


class Samples(Dataset):
    def __len__(self):
        return 240

    def __getitem__(self, index):
        return torch.randn(6, generator=torch.Generator().manual_seed(index))


def run():
    workers = 2 if "loader" in sys.argv else 0
    for step, x in enumerate(DataLoader(Samples(), 8, num_workers=workers)):
        train(step, x)


if "thread" in sys.argv:
    worker = threading.Thread(target=run)
    worker.start()
    worker.join()
else:
    run()
print("over")
