"""Padding rows, as the masks say that the modules around a norm are given."""

from __future__ import annotations

import pytest
import torch
from normscope.axes import by_axis
from normscope.padding import Padding, mask_parameters, may_be_padded
from torch import Tensor, nn

KEPT = torch.tensor([[1, 1, 1, 0], [1, 1, 0, 0], [1, 1, 1, 1]])
PADDED = (KEPT == 0).reshape(-1).tolist()


class Norm(nn.Module):
    """Stands for a norm: finds the padding of its input where the taps do."""

    def __init__(self, axis: int = -1) -> None:
        super().__init__()
        self.axis = axis
        self.padding = Padding()
        self.found: list = []

    def __call__(self, x: Tensor) -> Tensor:
        import sys

        frame = sys._getframe()
        geometry = by_axis("layer", tuple(x.shape), self.axis % x.dim())
        found = self.padding.rows(frame, x, geometry) if may_be_padded(frame) else None
        self.found.append(None if found is None else (found[0].tolist(), found[1]))
        return x


class Inner(nn.Module):
    def __init__(self, norm: Norm) -> None:
        super().__init__()
        self.norm = norm

    def forward(self, x: Tensor) -> Tensor:
        return self.norm(x)


def model(parameters: str, norm: Norm | None = None, **attributes: object) -> nn.Module:
    """A model whose `forward` has these further parameters and calls a norm inside another one."""
    scope: dict = {}
    exec(f"def forward(self, x, {parameters}):\n    return self.inner(x)", scope)
    made = type("Model", (nn.Module,), {"forward": scope["forward"]})()
    made.inner = Inner(norm or Norm())
    for name, value in attributes.items():
        setattr(made, name, value)
    return made


def found(made: nn.Module) -> object:
    return made.inner.norm.found[-1]


X = torch.zeros(3, 4, 5)


@pytest.mark.parametrize(
    ("name", "mask"),
    [
        ("attention_mask", KEPT),
        ("attention_mask", KEPT.bool()),
        ("attention_mask", KEPT.float()),
        ("attention_mask", torch.where(KEPT == 0, float("-inf"), 0.0)),
        ("key_padding_mask", KEPT == 0),
        ("src_key_padding_mask", KEPT == 0),
        ("src_key_padding_mask", torch.where(KEPT == 0, float("-inf"), 0.0)),
        ("padding_mask", (KEPT == 0).to(torch.uint8)),
        ("pad_mask", KEPT == 0),
        ("mask", KEPT == 0),
        ("mask", KEPT.bool()),
    ],
)
@pytest.mark.parametrize("by_name", [False, True])
def test_masks_are_found_by_name_and_read_as_their_owners_mean_them(name, mask, by_name) -> None:
    made = model(f"{name}=None")
    made(X, **{name: mask}) if by_name else made(X, mask)
    assert found(made) == (PADDED, name)


@pytest.mark.parametrize(
    ("parameters", "given"),
    [
        ("other=None", {"other": KEPT}),
        ("attention_mask=None", {}),
        ("attention_mask=None", {"attention_mask": torch.ones(3, 4)}),
        ("attention_mask=None", {"attention_mask": torch.zeros(3, 1, 4, 4)}),
        ("attention_mask=None", {"attention_mask": torch.ones(3, 5)}),
        ("memory_key_padding_mask=None", {"memory_key_padding_mask": KEPT == 0}),
        ("encoder_attention_mask=None", {"encoder_attention_mask": KEPT}),
        ("a_padding_mask=None, b_padding_mask=None",
         {"a_padding_mask": KEPT == 0, "b_padding_mask": KEPT == 1}),
    ],
)  # fmt: skip
def test_other_arguments_are_no_padding(parameters, given) -> None:
    made = model(parameters)
    made(X, **given)
    assert found(made) is None


@pytest.mark.parametrize("kept", [True, False])
def test_a_mask_of_either_meaning_may_be_padded_at_the_beginning(kept) -> None:
    mask = KEPT.flip(1).bool() == kept
    made = model("mask=None")
    made(X, mask=mask)
    assert found(made) == ((KEPT.flip(1) == 0).reshape(-1).tolist(), "mask")


@pytest.mark.parametrize(
    "mask",
    [
        # As for masked language modelling: no sample tells what is kept.
        [[True, False, True, True], [False, True, True, False], [True, True, False, True]],
        # Two samples that disagree.
        [[True, True, True, True], [False, False, False, False], [True, True, False, True]],
    ],
)
def test_a_mask_of_either_meaning_that_does_not_tell_which_is_no_padding(mask) -> None:
    made = model("mask=None")
    made(X, mask=torch.tensor(mask))
    assert found(made) is None


def test_a_causal_mask_is_no_padding() -> None:
    made = model("mask=None")
    made(torch.zeros(4, 4, 5), mask=torch.ones(4, 4).tril().bool())
    assert found(made) is None


def test_the_innermost_module_that_takes_a_mask_decides() -> None:
    inner = model("attention_mask=None")

    class Outer(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.inner = inner

        def forward(self, x: Tensor, attention_mask: Tensor, given: object) -> Tensor:
            return self.inner(x, attention_mask=given)

    outer = Outer()
    outer(X, KEPT, None)
    assert found(inner) is None
    outer(X, KEPT, torch.zeros(3, 1, 1, 4))
    assert found(inner) == (PADDED, "attention_mask"), "an extended mask is passed over"


def test_layouts_of_the_input() -> None:
    time_first = (KEPT == 0).t().reshape(-1).tolist()
    made = model("src_key_padding_mask=None", batch_first=False)
    made(torch.zeros(4, 3, 5), KEPT == 0)
    assert found(made) == (time_first, "src_key_padding_mask")
    square = KEPT[:, :3]
    made(torch.zeros(3, 3, 5), square == 0)
    assert found(made) == ((square == 0).t().reshape(-1).tolist(), "src_key_padding_mask")
    channels = model("attention_mask=None", Norm(axis=1))
    channels(torch.zeros(3, 5, 4), KEPT)
    assert found(channels) == (PADDED, "attention_mask")
    flat = model("attention_mask=None")
    flat(torch.zeros(12, 5), KEPT)
    assert found(flat) == (PADDED, "attention_mask")
    heads = model("attention_mask=None")
    heads(torch.zeros(3, 2, 4, 5), KEPT)
    wide = (KEPT == 0)[:, None, :].expand(3, 2, 4).reshape(-1).tolist()
    assert found(heads) == (wide, "attention_mask")


def test_a_mask_that_was_changed_is_read_again() -> None:
    made = model("attention_mask=None")
    mask = KEPT.clone()
    made(X, mask)
    mask[2, 3] = 0
    made(X, mask)
    assert found(made) == ([*PADDED[:-1], True], "attention_mask")


def test_what_torch_calls_mask_is_no_padding() -> None:
    names = [parameter.name for parameter in mask_parameters(nn.TransformerEncoder)]
    assert names == ["src_key_padding_mask"]


ENCODER = """
import torch
from torch import nn
torch.manual_seed(0)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(11, 8)
        layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=BATCH_FIRST)
        self.encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.final = nn.LayerNorm(8)
    def forward(self, tokens):
        x = self.embed(tokens if BATCH_FIRST else tokens.t())
        return self.final(self.encoder(x, src_key_padding_mask=tokens == 0))
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
tokens = torch.randint(1, 11, (4, 6)); tokens[0, 4:] = 0; tokens[1, 1:] = 0
for _ in range(3):
    net(tokens).square().sum().backward(); optimizer.step()
net(torch.randint(1, 11, (4, 6))).square().sum().backward(); optimizer.step()
"""


@pytest.mark.parametrize("batch_first", ["True", "False"])
def test_padding_of_an_encoder_is_counted_at_every_tap(train, batch_first) -> None:
    outcome = train(ENCODER.replace("BATCH_FIRST", batch_first))
    assert outcome.returncode == 0, outcome.stderr
    run = outcome.run
    assert run.bye["errors"] == 0
    for index in range(2):
        for norm in ("norm1", "norm2"):
            name = f"encoder.layers.{index}.{norm}"
            assert [s["code"] for s in run.layer(name)["status"]] == ["padding"]
            assert "src_key_padding_mask" in run.layer(name)["status"][0]["reason"]
            for tap in ("pre", "post", "gradPost", "gradPre"):
                assert run.counts(2, name, tap)["paddingRows"] == 7, (name, tap)
                assert run.counts(3, name, tap)["paddingRows"] == 0
    assert run.layer("final")["status"] == []
    assert run.counts(2, "final", "pre")["paddingRows"] == 0


def test_packed_sequences_have_no_padding(train) -> None:
    run = train("""
        import torch
        from torch import nn
        from torch.nn.utils.rnn import pack_padded_sequence
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.norm, self.rnn = nn.LayerNorm(4), nn.GRU(4, 4, batch_first=True)
            def forward(self, x, padding_mask):
                lengths = (~padding_mask).sum(1)
                packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
                packed = packed._replace(data=self.norm(packed.data))
                return self.rnn(packed)[1]
        net = Net()
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        mask = torch.tensor([[False, False, True], [False, True, True]])
        net(torch.randn(2, 3, 4), mask).sum().backward(); optimizer.step()
    """).run
    assert run.counts(0, "norm", "pre")["elements"] == 12
    assert run.counts(0, "norm", "pre")["paddingRows"] == 0
    assert run.layer("norm")["status"] == []
