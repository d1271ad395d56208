"""Trains a small convolutional network with BatchNorm to tell images apart.

The images are scikit-learn's handwritten digits where it is installed, else circles, squares,
crosses and stripes that this script draws.
"""

import argparse

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def load_digits() -> tuple[Tensor, Tensor]:
    """Images [1797, 1, 16, 16] with values from 0 to 1, and their digits."""
    from sklearn.datasets import load_digits

    digits = load_digits()
    images = torch.tensor(digits.images, dtype=torch.float32)[:, None] / 16
    labels = torch.tensor(digits.target, dtype=torch.int64)
    return F.interpolate(images, scale_factor=2.0, mode="bilinear", align_corners=False), labels


def draw_shapes(count: int = 1800) -> tuple[Tensor, Tensor]:
    """Noisy images [count, 1, 16, 16] of one of four shapes each, and which shape it is."""
    rows, columns = torch.meshgrid(torch.arange(16.0), torch.arange(16.0), indexing="ij")
    labels = torch.randint(4, (count,))
    images = torch.empty(count, 1, 16, 16)
    for index, label in enumerate(labels.tolist()):
        middle = 6 + 4 * torch.rand(2)
        radius = 3 + 3 * torch.rand(())
        y, x = (rows - middle[0]).abs(), (columns - middle[1]).abs()
        if label == 0:
            shape = ((y.square() + x.square()).sqrt() - radius).abs() < 1
        elif label == 1:
            shape = (torch.maximum(y, x) - radius).abs() < 1
        elif label == 2:
            shape = (torch.minimum(y, x) < 1) & (torch.maximum(y, x) < radius)
        else:
            shape = (y % 4 < 2) & (x < radius)
        images[index, 0] = shape.float()
    return images + 0.2 * torch.randn(images.shape), labels


def load_images() -> tuple[Tensor, Tensor]:
    """Images and labels; prints which they are."""
    try:
        images, labels = load_digits()
        print(f"{len(images)} handwritten digits from scikit-learn")
    except ImportError:
        images, labels = draw_shapes()
        print(f"{len(images)} drawn shapes (install scikit-learn for handwritten digits)")
    return images, labels


class ConvNet(nn.Module):
    """Three convolutions, each followed by BatchNorm and ReLU, then a linear classifier."""

    def __init__(self, classes: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(1, 16, 3, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(16)
        self.conv2 = nn.Conv2d(16, 32, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(32)
        self.conv3 = nn.Conv2d(32, 64, 3, padding=1, bias=False)
        self.bn3 = nn.BatchNorm2d(64)
        self.classifier = nn.Linear(64, classes)

    def forward(self, images: Tensor) -> Tensor:
        x = F.max_pool2d(F.relu(self.bn1(self.conv1(images))), 2)
        x = F.max_pool2d(F.relu(self.bn2(self.conv2(x))), 2)
        x = F.relu(self.bn3(self.conv3(x)))
        return self.classifier(x.mean(dim=(2, 3)))


@torch.no_grad()
def accuracy(model: nn.Module, images: Tensor, labels: Tensor) -> float:
    """Share of images that the model, in eval mode, tells right."""
    model.eval()
    right = (model(images).argmax(dim=1) == labels).float().mean().item()
    model.train()
    return right


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--batch", type=int, default=64)
    options = parser.parse_args()

    torch.manual_seed(0)
    torch.set_num_threads(1)  # So small a model gains nothing from more.
    images, labels = load_images()
    order = torch.randperm(len(images))
    test, train = order[:300], order[300:]
    model = ConvNet(classes=int(labels.max()) + 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)

    for step in range(options.steps):
        batch = train[torch.randint(len(train), (options.batch,))]
        loss = F.cross_entropy(model(images[batch]), labels[batch])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 20 == 0 or step == options.steps - 1:
            print(f"step {step:4d}  loss {loss.item():.3f}", flush=True)
    print(f"test accuracy {accuracy(model, images[test], labels[test]):.1%}")


if __name__ == "__main__":
    main()
