"""Gradient scalers of mixed-precision training: figures are without their factor."""

from __future__ import annotations

import weakref
from typing import Any, Callable

import torch
from torch import Tensor
from torch.optim import Optimizer

from .compiling import is_compiling, recorded_by, unseen
from .steps import Steps
from .summary import accumulator_dtype

_MARK = "_normscope_observed"
#: Scaled losses that may wait for their backward pass.
_MAX_PENDING = 64


class _Scaled:
    """A result of ``scale``, which may be gone, and the reciprocal of its factor."""

    def __init__(self, result: Tensor | None, inverse: Tensor) -> None:
        self.result = None if result is None else weakref.ref(result)
        self.inverse = inverse
        self.used = False


class Scaling:
    """Observes every ``GradScaler``. No factor is read from a device on the training threads."""

    def __init__(self, steps: Steps) -> None:
        #: The factor last known on the host; None before a scaler was used.
        self.factor: float | None = None
        self._pending: list[_Scaled] = []
        self._scalers: weakref.WeakSet[Any] = weakref.WeakSet()
        self._steps = steps

    def install(self) -> None:
        """Observes the scalers of this PyTorch and all classes derived from them."""
        for holder in (getattr(torch, "amp", None), getattr(torch.cuda, "amp", None)):
            cls = getattr(holder, "GradScaler", None)
            if isinstance(cls, type) and not getattr(cls.__init_subclass__, _MARK, False):
                self._observe_all(cls)
                self._observe_derived(cls)
        self._steps.inverse_of = self.inverse_of

    def learned(self, inverse: float) -> None:
        """Takes the reciprocal of the factor as it came to the host with a step."""
        if inverse > 0 and inverse != float("inf"):
            self.factor = 1 / inverse

    def sentence(self) -> str:
        """What the status of a layer says whose gradients were scaled."""
        by = "by its factor"
        if self.factor is not None and len(self._scalers) <= 1:
            whole = round(self.factor)
            near = abs(self.factor - whole) <= 1e-6 * self.factor
            by = f"by {whole}" if near else f"by {self.factor:.6g}"
        return (
            f"A gradient scaler multiplies the loss and its gradients {by}; "
            "the figures are without it."
        )

    def inverse_of(self, loss: Any) -> Tensor | None:
        """Reciprocal of the factor that ``loss`` carries; None where it carries none."""
        for scaled in self._pending:
            if scaled.result is not None and scaled.result() is loss:
                scaled.used = True
                return scaled.inverse
        # Not a result of `scale` itself, but computed from one, such as a sum of two.
        unused = [scaled for scaled in self._pending if not scaled.used]
        for scaled in unused:
            scaled.used = True
        return unused[-1].inverse if unused else None

    def forget(self) -> None:
        """Begins the next step."""
        self._pending.clear()

    def _observe_all(self, cls: Any) -> None:
        self._observe(cls)
        for derived in cls.__subclasses__():
            self._observe_all(derived)

    def _observe_derived(self, cls: Any) -> None:
        """Some are defined later, such as the one of FSDP when it is imported."""
        scaling = self

        def __init_subclass__(derived: Any, **kwargs: Any) -> None:
            super(cls, derived).__init_subclass__(**kwargs)
            scaling._observe(derived)

        setattr(__init_subclass__, _MARK, True)
        cls.__init_subclass__ = classmethod(__init_subclass__)

    def _observe(self, cls: Any) -> None:
        for name, observer in (
            ("scale", self._observed_scale),
            ("step", self._observed_step),
            ("update", self._observed_update),
        ):
            original = vars(cls).get(name)
            if not callable(original) or getattr(original, _MARK, False):
                continue
            observed = observer(original)
            observed.__name__ = name
            observed.__qualname__ = getattr(original, "__qualname__", name)
            observed.__doc__ = original.__doc__
            observed.__wrapped__ = original  # type: ignore[attr-defined]
            setattr(observed, _MARK, True)
            setattr(cls, name, observed)

    def _observed_scale(self, original: Any) -> Callable[..., Any]:
        scaling = self

        def scale(self: Any, *args: Any, **kwargs: Any) -> Any:
            result = original(self, *args, **kwargs)
            try:
                if scaling._steps.on and not is_compiling():
                    scaling._note(self, result)
            except Exception as error:
                scaling._steps.failed(error)
            return result

        return scale

    def _note(self, scaler: Any, result: Any) -> None:
        scale = getattr(scaler, "_scale", None)
        if not isinstance(scale, Tensor) or recorded_by() is not None:
            return
        if self.factor is None:
            self.factor = float(scaler._init_scale)
        self._scalers.add(scaler)
        with torch.no_grad(), unseen():
            # A copy: the scaler changes its own tensor in place.
            inverse = scale.detach().reshape(()).to(accumulator_dtype(scale)).reciprocal()
        results = result if isinstance(result, (list, tuple)) else [result]
        for one in results:
            self._pending.append(_Scaled(one if isinstance(one, Tensor) else None, inverse))
        del self._pending[:-_MAX_PENDING]

    def _observed_step(self, original: Any) -> Callable[..., Any]:
        steps = self._steps

        def step(self: Any, optimizer: Any, *args: Any, **kwargs: Any) -> Any:
            before = steps.optimizer_calls
            result = original(self, optimizer, *args, **kwargs)
            try:
                if steps.optimizer_calls == before and isinstance(optimizer, Optimizer):
                    steps.update_was_skipped()
            except Exception as error:
                steps.failed(error)
            return result

        return step

    def _observed_update(self, original: Any) -> Callable[..., Any]:
        steps = self._steps

        def update(self: Any, *args: Any, **kwargs: Any) -> Any:
            result = original(self, *args, **kwargs)
            try:
                steps.round_is_over()
            except Exception as error:
                steps.failed(error)
            return result

        return update
