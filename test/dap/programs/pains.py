"""Does what users of debuggers report to go wrong; the first argument says what."""

import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return 2 * x

    @staticmethod
    def backward(ctx, gradient):
        return 2 * gradient  # in backward


def backward():
    x = torch.ones(3, 4, requires_grad=True)
    Double.apply(x).sum().backward()


def update():
    x = torch.zeros(2, 3)
    for step in range(3):
        x += 1
        print("step", step)  # in loop


def scaled(sample):
    return sample / 48  # called by a worker


class Samples(Dataset):
    def __init__(self):
        self.samples = torch.arange(48.0).reshape(12, 4)

    def __len__(self):
        return len(self.samples)

    def __getitem__(self, index):
        sample = self.samples[index]  # in a worker
        return scaled(sample)


def workers(how):
    model = nn.Sequential(nn.Linear(4, 4), nn.LayerNorm(4))
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    data = Samples()
    for _ in range(2):
        for batch in DataLoader(data, 4, num_workers=2, multiprocessing_context=how):
            optimizer.zero_grad()
            loss = model(batch).square().mean()
            loss.backward()
            optimizer.step()  # with workers
    print("trained", len(data))


if __name__ == "__main__":
    what, *rest = sys.argv[1].split("-")
    {"backward": backward, "update": update, "workers": workers}[what](*rest)
