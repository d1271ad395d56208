"""Trains a small pre-LayerNorm Transformer to continue English, one character at a time.

The text is what every Python has at hand: the docstrings of its standard library. Lines differ in
length, so batches are padded, and the padding takes no part in attention or in the loss.
"""

import argparse
import importlib
import inspect
import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn

MODULES = [
    "argparse",
    "asyncio",
    "collections",
    "csv",
    "datetime",
    "decimal",
    "difflib",
    "email",
    "fractions",
    "functools",
    "heapq",
    "inspect",
    "json",
    "logging",
    "pathlib",
    "random",
    "shutil",
    "socket",
    "statistics",
    "subprocess",
    "tarfile",
    "textwrap",
    "threading",
    "typing",
    "unittest",
    "urllib.request",
    "zipfile",
]
ALPHABET = [chr(code) for code in range(32, 127)]
PADDING, START = 0, 1  # Characters begin at 2.
VOCABULARY = len(ALPHABET) + 2
LONGEST = 64


def docstring_lines() -> list[str]:
    """Lines of 20 to 64 characters from docstrings, each once, in a fixed order."""
    lines: dict[str, None] = {}
    for name in MODULES:
        module = importlib.import_module(name)
        for member in [module, *(value for _, value in sorted(vars(module).items(), key=str))]:
            if not (inspect.ismodule(member) or inspect.isclass(member) or callable(member)):
                continue
            for line in (inspect.getdoc(member) or "").splitlines():
                line = "".join(c for c in line.strip() if c in ALPHABET)
                if 20 <= len(line) <= LONGEST:
                    lines[line] = None
    return list(lines)


def draw_batch(lines: list[str], size: int) -> Tensor:
    """Token numbers of lines drawn at random: [size, longest line + 1], padded on the right."""
    chosen = [lines[i] for i in torch.randint(len(lines), (size,)).tolist()]
    tokens = torch.full((size, max(map(len, chosen)) + 1), PADDING)
    for row, line in enumerate(chosen):
        numbers = [START] + [ord(c) - 32 + 2 for c in line]
        tokens[row, : len(numbers)] = torch.tensor(numbers)
    return tokens


class Block(nn.Module):
    """Self-attention and a feed-forward network, each behind its own LayerNorm."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.norm1 = nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width)
        self.projection = nn.Linear(width, width)
        self.norm2 = nn.LayerNorm(width)
        self.feed_forward = nn.Sequential(
            nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width)
        )
        self.dropout = nn.Dropout(0.1)

    def attend(self, x: Tensor, allowed: Tensor) -> Tensor:
        batch, length, width = x.shape
        split = self.qkv(x).view(batch, length, 3, self.heads, width // self.heads)
        query, key, value = split.permute(2, 0, 3, 1, 4)
        scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
        weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
        return self.projection((weights @ value).transpose(1, 2).reshape(batch, length, width))

    def forward(self, x: Tensor, allowed: Tensor) -> Tensor:
        x = x + self.dropout(self.attend(self.norm1(x), allowed))
        return x + self.dropout(self.feed_forward(self.norm2(x)))


class Transformer(nn.Module):
    """Logits of the next character at every place: [batch, length, vocabulary]."""

    def __init__(self, width: int = 64, heads: int = 4, depth: int = 4) -> None:
        super().__init__()
        self.characters = nn.Embedding(VOCABULARY, width)
        self.places = nn.Embedding(LONGEST + 1, width)
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(depth))
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, VOCABULARY)

    def forward(self, tokens: Tensor) -> Tensor:
        length = tokens.shape[1]
        earlier = torch.ones(length, length, dtype=torch.bool).tril()
        allowed = earlier & (tokens != PADDING)[:, None, None, :]
        x = self.characters(tokens) + self.places(torch.arange(length))
        for block in self.blocks:
            x = block(x, allowed)
        return self.head(self.norm(x))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--batch", type=int, default=16)
    options = parser.parse_args()

    torch.manual_seed(0)
    torch.set_num_threads(1)  # So small a model gains nothing from more.
    lines = docstring_lines()
    model = Transformer()
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    print(f"{len(lines)} lines, {sum(p.numel() for p in model.parameters())} parameters")

    for step in range(options.steps):
        tokens = draw_batch(lines, options.batch)
        logits = model(tokens[:, :-1])
        loss = F.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten(), ignore_index=PADDING)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step % 20 == 0 or step == options.steps - 1:
            print(f"step {step:4d}  loss {loss.item():.3f}", flush=True)


if __name__ == "__main__":
    main()
