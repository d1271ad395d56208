# ruff: noqa: RUF001
"""The one line of text of a tensor: its numbers against numpy's, and tensors of every kind."""

from __future__ import annotations

import re
import warnings
from collections import namedtuple
from dataclasses import dataclass

import numpy as np
import pytest
import torch
from normscope.tensors import line, options, torch_tensor
from normscope.tensors.inside import short_of
from normscope.tensors.kinds import facts_of
from normscope.tensors.notation import bins_of, number, spark
from normscope.tensors.pace import Pace
from torch import nn


@pytest.fixture(autouse=True)
def _no_pace(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine less would be read, which these tests are not about."""
    monkeypatch.setattr(line, "PACE", type("Still", (Pace,), {"limit": lambda self: None})())


def figures(value: object):
    facts = facts_of(value)
    assert facts is not None
    assert facts.figures is not None, facts.text
    return facts.figures


def reference(values: np.ndarray) -> tuple[float, float, float, float]:
    wide = np.asarray(values, np.float64)
    finite = wide[np.isfinite(wide)]
    return finite.mean(), finite.std(), finite.min(), finite.max()


def assert_figures(value: object, expected: np.ndarray, rtol: float = 1e-12) -> None:
    f = figures(value)
    got = (f.mean, f.deviation, f.low, f.high)
    np.testing.assert_allclose(got, reference(expected), rtol=rtol, atol=1e-14)


def test_the_line_says_shape_device_and_figures_in_this_order() -> None:
    x = torch.linspace(-4, 4, 16 * 128 * 256).reshape(16, 128, 256)
    x[..., 7] = 0.5
    x[0, 0, 0] = float("nan")
    text = line.line_of(x.requires_grad_())
    assert text is not None
    pattern = (
        r"float32\[16, 128, 256\] cpu grad · μ [−\d.e]+ σ 2\.3\d? · −4 … 4 [▁-█]{7} · NaN 1"
        " · dead 1/256"
    )
    # A leaf that takes gradients is a parameter, whose rows are no positions of features.
    assert re.fullmatch(pattern.replace(" · dead 1/256", ""), text)
    assert re.fullmatch(pattern, line.line_of(x * 1.0) or "")


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_floats_agree_with_numpy(dtype: torch.dtype) -> None:
    x = (torch.randn(3, 50, 70, generator=torch.Generator().manual_seed(3)) * 3 + 100).to(dtype)
    assert_figures(x, x.double().numpy())


def test_a_large_mean_does_not_cancel() -> None:
    x = torch.arange(40_000, dtype=torch.float64) % 2 + 1e8
    assert figures(x).deviation == pytest.approx(0.5, rel=1e-9)


@pytest.mark.parametrize("dtype", [torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64])
def test_integers_agree_with_numpy_and_have_no_nan(dtype: torch.dtype) -> None:
    x = (torch.arange(5_000) % 100).to(dtype)
    assert_figures(x, x.numpy())
    assert "NaN" not in (line.line_of(x) or "")
    assert "0 … 99" in (line.line_of(x) or "")


def test_booleans_are_counted() -> None:
    assert line.line_of(torch.arange(20) < 11) == "bool[20] cpu · True 11/20"


def test_complex_numbers_by_their_magnitude() -> None:
    z = torch.complex(torch.arange(100.0), -torch.arange(100.0))
    # Magnitudes are rounded to float32 by either.
    assert_figures(z, np.abs(z.numpy()), 1e-6)
    assert_figures(z.conj(), np.abs(z.numpy()), 1e-6)
    assert_figures(z.conj().imag, np.arange(100.0))
    assert "|z| μ" in (line.line_of(z) or "")


def test_few_values_are_shown_themselves() -> None:
    assert line.line_of(torch.tensor(3.25)) == "float32[] cpu · 3.25"
    assert line.line_of(torch.tensor([1, -2, 3])) == "int64[3] cpu · 1, −2, 3"
    assert line.line_of(torch.tensor([float("nan"), -float("inf")])) == ("float32[2] cpu · NaN, −∞")
    assert line.line_of(np.array([0.5, 2.0])) == "float64[2] numpy · 0.5, 2"


def test_what_is_not_finite_is_counted_and_spoils_nothing() -> None:
    x = torch.randn(200, 300, dtype=torch.float64)
    x[0, :3], x[1, :2], x[2, 0] = float("nan"), float("inf"), -float("inf")
    f = figures(x)
    assert (f.nan, f.infinite, f.finite) == (3, 3, 60_000 - 6)
    assert_figures(x, x.numpy())
    assert " · NaN 3 · Inf 3" in (line.line_of(x) or "")
    assert line.line_of(torch.full((100,), float("nan"))) == "float32[100] cpu · NaN 100"


def test_zeros_and_dead_features_are_counted() -> None:
    x = torch.randn(32, 10, 16)
    x[..., 3], x[..., 5] = 0.0, 2.5
    f = figures(x)
    assert (f.dead, f.features, f.zeros) == (2, 16, 320)


def test_features_of_images_are_on_axis_one() -> None:
    x = torch.randn(4, 6, 8, 8)
    x[:, 2] = 1.0
    f = figures(x)
    assert (f.dead, f.features) == (1, 6)
    nhwc = figures(x.contiguous(memory_format=torch.channels_last))
    assert (nhwc.dead, nhwc.features) == (1, 6)


@pytest.mark.parametrize(
    "x",
    [torch.zeros(3, 64), nn.Linear(50, 50).weight, torch.zeros(500), torch.zeros(50, 50).long()],
    ids=["few positions", "parameter", "one axis", "integers"],
)
def test_no_dead_features_where_no_axis_is_evident(x: torch.Tensor) -> None:
    assert figures(x).dead is None


@pytest.mark.parametrize(
    "view",
    [
        lambda x: x.transpose(0, 2),
        lambda x: x[:, ::3],
        lambda x: x[5:, 2:, 1:],
        lambda x: x.permute(2, 0, 1)[::2],
        lambda x: x.reshape(-1).unfold(0, 9, 4),
    ],
)
def test_views_agree_with_numpy(view) -> None:
    x = torch.randn(40, 30, 20, dtype=torch.float64)
    assert_figures(view(x), view(x).numpy())


def test_above_the_limit_an_even_sample_is_read_and_said(monkeypatch) -> None:
    monkeypatch.setattr(options.OPTIONS, "max_elements", 4096)
    x = torch.randn(64, 50, 48, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    f = figures(x)
    assert f.sampled
    assert 2048 < f.read <= 4096
    assert abs(f.mean - x.mean().item()) < 4 / f.read**0.5
    assert re.search(r" · from [\d,]+ of 153,600$", line.line_of(x) or "")


def test_a_sample_meets_every_index_of_every_axis_about_equally(monkeypatch) -> None:
    monkeypatch.setattr(options.OPTIONS, "max_elements", 4096)
    # The mean of an axis's own indices shows whether some of them were left out.
    for axis, size in enumerate((32, 64, 20)):
        x = torch.arange(size, dtype=torch.float64)
        whole = x.view(*(-1 if i == axis else 1 for i in range(3))).expand(32, 64, 20).contiguous()
        f = facts_of(whole.to(torch.int64)).figures
        assert f.mean == pytest.approx((size - 1) / 2, rel=0.05), axis


def test_an_expanded_view_is_read_once_and_counted_in_full() -> None:
    base = torch.tensor([1.0, float("nan"), 3.0] * 4)
    f = figures(base.view(1, 12, 1).expand(1000, 12, 1000))
    assert not f.sampled
    assert (f.total, f.read, f.nan) == (12_000_000, 12, 4_000_000)
    assert (f.mean, f.deviation) == (2.0, 1.0)


def test_numpy_arrays_of_every_kind() -> None:
    x = np.linspace(-1, 1, 9_000).reshape(90, 100)
    assert_figures(x, x)
    assert_figures(x[::-1, ::2].T, x[::-1, ::2])
    masked = np.ma.masked_array(x, x > 0)
    assert (line.line_of(masked) or "").startswith("float64[90, 100] numpy MaskedArray · μ")
    record = np.zeros(10, dtype=[("a", "f4"), ("b", "i2")])
    assert (line.line_of(record) or "").endswith("values not read (not numbers)")
    odd = np.frombuffer(b"\0" * 9 * 100, dtype=np.dtype([("x", "f8"), ("y", "u1")]))["x"]
    assert figures(odd).mean == 0
    assert line.line_of(np.array(["a", "b"])) == "<U1[2] numpy · values not read (not numbers)"


class Loud(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        raise AssertionError("the tensor's own code ran")

    def __repr__(self):
        raise AssertionError("repr ran")

    @property
    def shape(self):
        raise AssertionError("a property ran")


def test_a_subclass_is_read_without_its_own_code() -> None:
    x = torch.arange(100.0).as_subclass(Loud)
    assert (line.line_of(x) or "").startswith("float32[100] cpu Loud · μ 49.5 σ 28.9 · 0 … 99 ")


def odd_tensors() -> dict[str, tuple[torch.Tensor, str]]:
    quantized = torch.quantize_per_tensor(torch.linspace(0, 1, 20), 0.1, 0, torch.quint8)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        nested = torch.nested.nested_tensor([torch.ones(2, 3), torch.ones(4, 3)])
        csr = torch.eye(10).to_sparse_csr()
    return {
        "meta": (torch.empty(3, 4, device="meta"), "float32[3, 4] meta · no data"),
        "empty": (torch.empty(0, 4), "float32[0, 4] cpu · empty"),
        "sparse": (torch.eye(10).to_sparse(), "sparse_coo nonzero 10 · μ 1 σ 0 · 1 … 1 · NaN 0"),
        "csr": (csr, "sparse_csr nonzero 10 · μ 1 σ 0"),
        "quantized": (quantized, "quint8[20] cpu quantized · μ 0.5"),
        "nested": (nested, "float32[2, *] cpu · values not read (nested"),
        "lazy": (nn.LazyLinear(4).weight, "float32[?] cpu grad UninitializedParameter · values"),
    }


@pytest.mark.parametrize("kind", odd_tensors())
def test_odd_tensors_show_what_applies_or_why_not(kind: str) -> None:
    tensor, expected = odd_tensors()[kind]
    assert expected in (line.line_of(tensor) or "")


@pytest.mark.skipif(not hasattr(torch, "float8_e4m3fn"), reason="no 8-bit floats")
def test_eight_bit_floats_are_read_as_wider_ones() -> None:
    x = torch.linspace(-2, 2, 64).to(torch.float8_e4m3fn)
    assert_figures(x, x.double().numpy())
    few = torch.tensor([0.5, -0.25]).to(torch.float8_e4m3fn)
    assert line.line_of(few) == "float8_e4m3fn[2] cpu · 0.5, −0.25"


def test_a_tensor_that_stands_in_for_another_is_said_to() -> None:
    fake = pytest.importorskip("torch._subclasses.fake_tensor")
    with fake.FakeTensorMode():
        stand_in, beside = torch.empty(3, 4), None
        beside = line.line_of(stand_in)
    assert line.line_of(stand_in) == beside
    assert "float32[3, 4] cpu FakeTensor · values not read (it stands in" in (beside or "")


def test_a_mode_of_the_paused_thread_sees_none_of_it() -> None:
    python_dispatch = pytest.importorskip("torch.utils._python_dispatch")
    seen = []

    class Counting(python_dispatch.TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            seen.append(func)
            return func(*args, **(kwargs or {}))

    x = torch.randn(50, 60)
    with Counting():
        assert "μ" in (line.line_of(x) or "")
    assert seen == []


def test_nothing_of_the_program_changes() -> None:
    torch.manual_seed(5)
    weight = nn.Parameter(torch.randn(30, 40))
    hidden = (weight * 2).relu()
    before = (torch.get_rng_state().clone(), weight._version, hidden.grad_fn, hidden.clone())
    for value in (weight, hidden, hidden.t(), torch.randn(1).expand(10**9)):
        line.line_of(value)
    drawn = torch.get_rng_state()
    torch.set_rng_state(before[0])
    torch.randn(1)
    assert torch.equal(drawn, torch.get_rng_state())
    assert (weight._version, hidden.grad_fn) == before[1:3]
    assert torch.equal(hidden, before[3])
    hidden.sum().backward()
    assert torch.equal(weight.grad, 2.0 * (weight > 0))


def test_in_inference_mode_and_after() -> None:
    with torch.inference_mode():
        x = torch.arange(100.0)
        inside = line.line_of(x)
    assert inside == line.line_of(x)


def test_tracing_records_none_of_it() -> None:
    texts = []

    def step(x):
        texts.append(line.line_of(x))
        return x * 2

    traced = torch.jit.trace(step, torch.ones(20), check_trace=False)
    assert [node.kind() for node in traced.graph.nodes() if "mul" not in node.kind()] == [
        "prim::Constant"
    ]
    assert "torch.jit is tracing" in texts[0]


def test_inside_a_function_transform_values_are_not_read() -> None:
    func = pytest.importorskip("torch.func")
    texts = []

    def squared(x):
        texts.append(line.line_of(x))
        return (x * x).sum()

    func.vmap(squared)(torch.ones(5, 20))
    assert "inside a function transform" in texts[0]


def test_modules_in_one_line_without_repr() -> None:
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.first = nn.Linear(10, 20)
            self.second = self.first
            self.norm = nn.LayerNorm(20)

        def __repr__(self):
            raise AssertionError("repr ran")

    net = Net()
    assert line.line_of(net) == "Net · 260 parameters · 3 children · training"
    assert line.line_of(net.eval()) == "Net · 260 parameters · 3 children · eval"


def test_a_parameter_whose_shape_is_still_to_come_is_counted_as_none() -> None:
    net = nn.Sequential(nn.LazyLinear(3), nn.Linear(3, 2))
    assert (line.line_of(net) or "").startswith("Sequential · 8 parameters")


def test_a_storage_by_its_size_alone() -> None:
    storage = torch.zeros(1000).untyped_storage()
    assert line.line_of(storage) == "UntypedStorage 4,000 bytes cpu"
    record = {"a": [storage, torch.ones(2, 3)]}
    assert short_of(record["a"]) is None
    assert short_of(storage) == "UntypedStorage 4,000 bytes cpu"


@dataclass
class Output:
    loss: torch.Tensor
    label: str
    parts: list


def test_records_of_tensors_by_their_shapes() -> None:
    Pair = namedtuple("Pair", "x y")
    x = torch.ones(3, 4)
    assert short_of(Pair(x, 3)) == "Pair(x=float32[3, 4] cpu, y=3)"
    assert short_of(Output(x, "a", [x])) == (
        "Output(loss=float32[3, 4] cpu, label='a', parts=list(…))"
    )
    assert short_of(Pair(1, 2)) is None


def test_what_is_no_tensor_has_no_line() -> None:
    for value in (None, 3, "x", [torch.ones(3)], torch.float32, np.float32(3), object()):
        assert line.line_of(value) is None


def test_a_tensor_whose_reading_fails_says_so(monkeypatch) -> None:
    def fails(*args, **kwargs):
        raise RuntimeError("device lost\nand a long trace")

    monkeypatch.setattr(torch_tensor, "figures_of", fails)
    text = line.line_of(torch.ones(3, 10))
    assert text == "float32[3, 10] cpu · values not read (RuntimeError: device lost)"


def test_many_at_once_are_read_less_and_less() -> None:
    pace = Pace()
    assert pace.limit() is None
    pace.spent(0.07)
    assert pace.limit() == 1 << 13
    pace._spent = 0.06
    assert pace.limit() == 1 << 14


def test_texts_come_in_the_persons_language(monkeypatch) -> None:
    monkeypatch.setattr(options.OPTIONS, "language", "zh-cn")
    x = torch.randn(32, 16)
    assert "失活 0/16" in (line.line_of(x) or "")
    assert "个参数" in (line.line_of(nn.Linear(2, 2)) or "")


def test_numbers_are_short() -> None:
    shown = [0.0, 1.5, -4.1234, 12345.6, 1e-5, 2.5e7, 100.0, float("nan"), -float("inf"), 3, 10**15]
    assert [number(value) for value in shown] == [
        "0", "1.5", "−4.12", "12346", "1e−5", "2.5e+7", "100", "NaN", "−∞", "3", "1e+15",
    ]  # fmt: skip


def test_bins_and_bars() -> None:
    assert bins_of([0, 1, 2, 3, 4, 5, 6, 7, 9], 0, 7) == [1, 1, 1, 1, 1, 1, 2]
    assert bins_of([1e308, -1e308], -1e308, 1e308) == [1, 0, 0, 0, 0, 0, 1]
    assert spark([0, 1, 4, 8]) == "▁▂▅█"
    assert spark([0, 0]) == ""


def test_settings_from_outside_are_checked() -> None:
    parsed = options.options_from
    assert parsed('{"maxElements": 5000, "language": "zh-cn"}') == options.Options(5000, "zh-cn")
    for text in ("", "[1]", "{", '{"maxElements": "x", "language": 3}', '{"maxElements": true}'):
        assert parsed(text) == options.Options()
    assert parsed('{"maxElements": 99999999999}').max_elements == 1 << 26
