"""Where a training step begins and ends: backward passes and optimizer updates."""

from __future__ import annotations

from typing import Any, Callable

import torch
from torch import Tensor
from torch.optim import Optimizer
from torch.optim import optimizer as optimizers

from .compiling import inside_graph_task, is_compiling, recorded_by, unseen

_MARK = "_normscope_observed"


def _nothing(*_: Any) -> None:
    return None


class Steps:
    """Counts backward passes and updates; tells when a step ended.

    A step ends with an optimizer's update that follows at least one backward pass.
    """

    def __init__(self) -> None:
        self.on = True
        #: Backward passes since the start, without nested ones.
        self.backward_count = 0
        #: Depth of `backward` calls running now.
        self.backward_depth = 0
        #: Backward passes since the last step's end.
        self.micro_batches = 0
        #: Sum of the losses that could be read, on their device, and how many.
        self.loss: Tensor | None = None
        self.losses = 0
        #: Calls of optimizers' `step` that came to an end.
        self.optimizer_calls = 0
        #: Tells by what a loss has to be multiplied to be without a gradient scaler's factor.
        self.inverse_of: Callable[[Any], Tensor | None] = _nothing
        #: That number for the backward pass running now, and the last one of this step.
        self.inverse: Tensor | None = None
        self.last_inverse: Tensor | None = None
        #: The optimizer whose update ended the step; None where it is not known to be one.
        self.optimizer: Any = None
        #: Rounds of which a gradient scaler skipped the update.
        self.skipped_rounds = 0
        #: Told each finished step, each round without its update, and each new optimizer.
        self.ended: Callable[[], None] = _nothing
        self.discarded: Callable[[], None] = _nothing
        self.optimizer_made: Callable[[Any], None] = _nothing
        #: Told each backward pass that is over, and whether without an exception.
        self.passed: Callable[[bool], None] = _nothing
        #: Told exceptions of this module's own code.
        self.failed: Callable[[Exception], None] = _nothing
        self._update_inside_backward = False
        self._update_skipped = False

    def install(self) -> None:
        """Observes `backward`, optimizer construction and optimizer updates."""
        self._wrap_backward()
        self._wrap_optimizers()

    def in_backward(self) -> bool:
        """Whether the caller runs inside a backward pass."""
        inside = inside_graph_task()
        return self.backward_depth > 0 if inside is None else inside

    def reset(self) -> None:
        """Begins the next step."""
        self.micro_batches = 0
        self.loss = None
        self.losses = 0
        self.last_inverse = None
        self.optimizer = None
        self._update_skipped = False

    def update_was_skipped(self) -> None:
        """A gradient scaler found infinite gradients and did not let the optimizer update."""
        self._update_skipped = True

    def round_is_over(self) -> None:
        """A gradient scaler was told that all optimizers had their turn: passes without an update
        are no step, and not part of the next one."""
        if not self.on or not self._update_skipped:
            return
        self._update_skipped = False
        if self.micro_batches == 0:
            return
        self.skipped_rounds += 1
        try:
            self.discarded()
        except Exception as error:
            self.failed(error)
        self.reset()

    def _wrap_backward(self) -> None:
        original = torch.autograd.backward
        steps = self

        def backward(tensors: Any, *args: Any, **kwargs: Any) -> Any:
            if not steps.on or is_compiling():
                return original(tensors, *args, **kwargs)
            try:
                begun = steps._backward_begins(tensors)
            except Exception:
                begun = False
            if not begun:
                return original(tensors, *args, **kwargs)
            completed = False
            try:
                result = original(tensors, *args, **kwargs)
                completed = True
                return result
            finally:
                try:
                    steps._backward_ended(completed)
                except Exception:
                    pass

        backward.__doc__ = original.__doc__
        backward.__wrapped__ = original  # type: ignore[attr-defined]
        torch.autograd.backward = backward

    def _backward_begins(self, tensors: Any) -> bool:
        """False for a backward pass inside another one."""
        if self.in_backward():
            return False
        self._note_loss(tensors)
        self.backward_depth += 1
        return True

    def _backward_ended(self, completed: bool) -> None:
        self.backward_depth -= 1
        try:
            if self.backward_depth == 0:
                self.passed(completed)
        except Exception as error:
            self.failed(error)
        self.inverse = None
        if not completed:
            return
        self.backward_count += 1
        self.micro_batches += 1
        if self._update_inside_backward:
            self._update_inside_backward = False
            self._updated()

    def _note_loss(self, tensors: Any) -> None:
        try:
            loss = tensors if isinstance(tensors, Tensor) else tensors[0]
            self.inverse = self.inverse_of(loss)
            if self.inverse is not None:
                self.last_inverse = self.inverse
            if type(loss) is not Tensor or loss.numel() != 1 or recorded_by() is not None:
                return
            if loss.device.type == "meta":
                return
            with torch.no_grad(), unseen():
                value = loss.detach().reshape(1).to(torch.float32, copy=True)
                if self.inverse is not None:
                    value = value * self.inverse.to(value.device)
                self.loss = value if self.loss is None else self.loss + value.to(self.loss.device)
            self.losses += 1
        except Exception as error:
            self.failed(error)

    def _wrap_optimizers(self) -> None:
        original = Optimizer.__init__
        steps = self
        register = getattr(optimizers, "register_optimizer_step_post_hook", None)
        if register is not None:
            register(steps._hook())

        def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
            try:
                if register is None:
                    steps._wrap_step(type(self))
            except Exception:
                pass
            original(self, *args, **kwargs)
            try:
                if steps.on:
                    steps.optimizer_made(self)
            except Exception as error:
                steps.failed(error)

        __init__.__doc__ = original.__doc__
        __init__.__wrapped__ = original  # type: ignore[attr-defined]
        Optimizer.__init__ = __init__  # type: ignore[method-assign]

    def _hook(self) -> Callable[[Any, Any, Any], None]:
        def updated(optimizer: Any, args: Any, kwargs: Any) -> None:
            try:
                self._updated(optimizer)
            except Exception:
                return

        return updated

    def observe_existing(self, optimizer: Any) -> None:
        """Observes an optimizer that was there before, where PyTorch has no hook for all."""
        if not hasattr(optimizers, "register_optimizer_step_post_hook"):
            self._wrap_step(type(optimizer))

    def _wrap_step(self, cls: Any) -> None:
        original = cls.step
        if getattr(original, _MARK, False):
            return
        steps = self

        def step(self: Any, *args: Any, **kwargs: Any) -> Any:
            result = original(self, *args, **kwargs)
            try:
                steps._updated(self)
            except Exception:
                pass
            return result

        step.__doc__ = original.__doc__
        step.__wrapped__ = original  # type: ignore[attr-defined]
        step.hooked = getattr(original, "hooked", None)  # type: ignore[attr-defined]
        setattr(step, _MARK, True)
        cls.step = step

    def _updated(self, optimizer: Any = None) -> None:
        self.optimizer_calls += 1
        if not self.on or is_compiling():
            return
        if self.backward_depth > 0:
            # Optimizers fused into the backward pass: the step ends with the pass.
            self._update_inside_backward = True
            return
        if self.micro_batches == 0:
            return
        self.optimizer = optimizer
        try:
            self.ended()
        except Exception as error:
            self.failed(error)
        self.reset()
