"""The choice of the interval and the measured overhead."""

from __future__ import annotations

from random import Random

import pytest
from normscope.budget import Budget


def drive(budget: Budget, steps: int, program: float, cost: float) -> list[bool]:
    """Runs steps of ``program`` seconds, captured ones at ``cost`` more; which were captured."""
    captured: list[bool] = []
    due = True
    for _ in range(steps):
        spent = cost if due else 0.0
        captured.append(due)
        due = budget.step_ended(program + spent, spent, due)
    return captured


def test_the_interval_keeps_the_budget() -> None:
    budget = Budget(1.0)
    captured = drive(budget, 400, program=0.1, cost=0.02)
    assert budget.interval == 20
    assert captured[:10] == [True] * 10
    assert sum(captured[10:]) == pytest.approx(390 / 20, abs=1)
    # Over the last four intervals, 80 steps: 4 captures.
    assert budget.overhead_percent == pytest.approx(100 * 4 * 0.02 / (80 * 0.1), rel=1e-6)


def test_a_pause_at_a_breakpoint_does_not_change_the_interval() -> None:
    budget = Budget(1.0)
    drive(budget, 100, program=0.1, cost=0.02)
    for pause in (3600.0, 5.0):
        budget.step_ended(pause, 0.0, False)
        assert budget.interval == 20
    # Nor one inside capture.
    budget.step_ended(3600.1, 3600.0, True)
    assert budget.interval == 20


def test_slow_first_steps_do_not_thin_out_capture() -> None:
    budget = Budget(1.0)
    budget.step_ended(10.0, 5.0, True)
    assert all(drive(budget, 60, program=0.1, cost=0.0005))
    assert budget.interval == 1


def test_no_limit_captures_every_step_and_a_limit_set_later_holds() -> None:
    budget = Budget(0)
    assert all(drive(budget, 50, program=0.01, cost=0.05))
    assert budget.overhead_percent == pytest.approx(500)
    budget.percent = 10.0
    drive(budget, 20, program=0.01, cost=0.05)
    assert budget.interval == 50
    budget.percent = 0
    drive(budget, 60, program=0.01, cost=0.05)
    assert budget.interval == 1


def test_the_first_ten_steps_of_a_run_are_captured_whatever_they_cost() -> None:
    captured = drive(Budget(1.0), 30, program=0.001, cost=0.5)
    assert captured == [True] * 10 + [False] * 20


@pytest.mark.parametrize("percent", [0.5, 1.0, 5.0])
@pytest.mark.parametrize("share", [0.011, 0.06, 0.13, 0.3])
def test_after_50_steps_the_overhead_is_the_budget_give_or_take_a_third(percent, share) -> None:
    budget = Budget(percent)
    drive(budget, 50, program=0.1, cost=0.1 * share)
    random = Random(1)
    due = True
    program = cost = 0.0
    for _ in range(600):
        step = 0.1 * random.uniform(0.8, 1.3)
        spent = 0.1 * share * random.uniform(0.8, 1.3) if due else 0.0
        program, cost = program + step, cost + spent
        due = budget.step_ended(step + spent, spent, due)
    wanted = min(percent, 100 * share)
    assert 100 * cost / program == pytest.approx(wanted, rel=1 / 3)
    assert budget.overhead_percent == pytest.approx(wanted, rel=1 / 3)


@pytest.mark.parametrize("percent", [0.5, 1.0, 5.0])
def test_the_costly_first_steps_do_not_count_in_what_is_measured_after_them(percent) -> None:
    budget = Budget(percent)
    drive(budget, 80, program=0.1, cost=0.006)
    assert budget.overhead_percent == pytest.approx(percent, rel=1 / 3)


def test_first_steps_that_a_busy_machine_made_costly_do_not_thin_out_capture_for_long() -> None:
    budget = Budget(1.0)
    drive(budget, 10, program=0.1, cost=0.6)
    captured = drive(budget, 1500, program=0.1, cost=0.03)
    # 600 steps are saved up for one of that cost; from then on every 30th is captured.
    assert sum(captured) == pytest.approx(1 + (1500 - 600) / 30, abs=5)
    assert budget.interval == 30


def test_captures_that_cost_more_than_expected_are_paid_for() -> None:
    budget = Budget(1.0)
    costs = [0.01] * 6 + [0.03] * 4
    spent, due = 0.0, True
    for step in range(2000):
        cost = (0.01 if step < 10 else costs[step % 10]) if due else 0.0
        spent += cost
        due = budget.step_ended(0.1 + cost, cost, due)
    assert 100 * spent / (2000 * 0.1) == pytest.approx(1.0, rel=0.1)


@pytest.mark.parametrize("share", [0.05, 0.3])
def test_captures_that_are_forced_are_not_held_against_later_ones(share) -> None:
    budget = Budget(1.0)
    drive(budget, 10, program=0.1, cost=0.1 * share)
    for _ in range(10_000):
        budget.step_ended(0.1 * (1 + share), 0.1 * share, True)
    captured = drive(budget, 3_000, program=0.1, cost=0.1 * share)
    # At most eight are owed and made up for.
    assert sum(captured) >= 3_000 * 0.01 / share - 10


def test_time_of_steps_that_are_not_captured_is_not_paid() -> None:
    budget = Budget(1.0)
    drive(budget, 10, program=0.1, cost=0.01)
    due, captured = True, 0
    for _ in range(2_000):
        spent = 0.01 if due else 0.002
        captured += due
        due = budget.step_ended(0.1 + spent, spent, due)
    assert captured == pytest.approx(200, abs=3)


@pytest.mark.parametrize("wrong", [float("nan"), float("inf"), -1.0])
def test_a_clock_that_errs_once_does_not_end_capture(wrong) -> None:
    budget = Budget(1.0)
    drive(budget, 20, program=0.1, cost=0.01)
    budget.step_ended(wrong, 0.0, False)
    budget.step_ended(0.1, wrong, True)
    assert sum(drive(budget, 1000, program=0.1, cost=0.01)) >= 90
    budget.percent = 1e-320
    assert all(drive(budget, 5, program=0.1, cost=0.01))


def test_steps_while_capture_is_off_leave_no_debt() -> None:
    budget = Budget(1.0)
    drive(budget, 100, program=0.1, cost=0.02)
    for _ in range(1000):
        budget.step_ended(0.1, 0.0, False)
    assert sum(drive(budget, 100, program=0.1, cost=0.02)) <= 7


def test_time_on_other_threads_is_a_cost_and_not_taken_from_the_programs_own() -> None:
    budget = Budget(10.0)
    for _ in range(60):
        budget.step_ended(0.1, 0.0, True, elsewhere=0.04)
    assert budget.interval == 4
    assert budget.overhead_percent == pytest.approx(40)


def test_what_sending_costs_during_later_steps_is_a_cost_of_the_captured_one() -> None:
    budget = Budget(1.0)
    due, sending = True, 0.0
    for _ in range(200):
        spent = 0.01 if due else 0.0
        sent, sending = sending, 0.01 if due else 0.0
        due = budget.step_ended(0.1 + spent, spent, due, elsewhere=sent)
    assert budget.interval == 20
    assert budget.overhead_percent == pytest.approx(1.0)
