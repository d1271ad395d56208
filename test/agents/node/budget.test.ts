import { describe, expect, it } from 'vitest';
import { Budget } from '../../../extension/agents/node/budget';

/** Runs steps of `program` ms, of which a captured one costs `cost` ms more. */
function simulate(budget: Budget, steps: number, program: number, cost: number) {
  let captured = 0;
  for (let step = 0; step < steps; step += 1) {
    const capture = budget.due;
    if (capture) captured += 1;
    budget.record(capture, program + (capture ? cost : 0), capture ? cost : 0);
  }
  return captured;
}

describe('the capture budget', () => {
  it('captures every step when there is no limit', () => {
    const budget = new Budget(0);
    expect(simulate(budget, 100, 10, 50)).toBe(100);
    expect(budget.interval).toBe(1);
    expect(budget.overheadPercent).toBeCloseTo(500);
  });

  it('captures every step when that is cheap enough', () => {
    expect(simulate(new Budget(1), 100, 100, 0.5)).toBe(100);
  });

  it('keeps capture within its share by skipping steps', () => {
    const budget = new Budget(1);
    simulate(budget, 50, 10, 1);
    const captured = simulate(budget, 1000, 10, 1);
    expect(budget.interval).toBe(10);
    expect(captured).toBe(100);
    expect(budget.overheadPercent).toBeLessThanOrEqual(1.1);
  });

  it('captures the first ten steps of a run whatever they cost', () => {
    const budget = new Budget(1);
    expect(simulate(budget, 10, 1, 500)).toBe(10);
    expect(simulate(budget, 20, 1, 500)).toBe(0);
  });

  it('is not misled by a pause at a breakpoint', () => {
    const budget = new Budget(1);
    simulate(budget, 50, 10, 1);
    budget.record(false, 60_000, 0);
    simulate(budget, 20, 10, 1);
    expect(budget.interval).toBe(10);
  });

  it('finds its way back from first steps that a busy machine made costly', () => {
    const budget = new Budget(1);
    simulate(budget, 10, 100, 600);
    // 600 steps are saved up for one of that cost; from then on every 30th is captured.
    const captured = simulate(budget, 1500, 100, 30);
    expect(Math.abs(captured - 31)).toBeLessThanOrEqual(5);
    expect(budget.interval).toBe(30);
  });

  it('pays for captures that cost more than expected', () => {
    const budget = new Budget(1);
    simulate(budget, 10, 100, 10);
    let spent = 0;
    for (let step = 0; step < 2000; step += 1) {
      const cost = budget.due ? (step % 10 < 6 ? 10 : 30) : 0;
      spent += cost;
      budget.record(cost > 0, 100 + cost, cost);
    }
    expect(spent / 2000).toBeGreaterThan(0.9);
    expect(spent / 2000).toBeLessThan(1.1);
  });

  it('does not hold captures that were forced against later ones', () => {
    const budget = new Budget(1);
    for (let step = 0; step < 10_000; step += 1) budget.record(true, 130, 30);
    // At most eight are owed and made up for.
    expect(simulate(budget, 3_000, 100, 30)).toBeGreaterThanOrEqual(90);
  });

  it('goes on after a clock that errs', () => {
    const budget = new Budget(1);
    simulate(budget, 20, 100, 10);
    budget.record(true, 110, Number.NaN);
    budget.record(false, Number.NaN, 0);
    budget.record(true, -5, -1);
    expect(simulate(budget, 1_000, 100, 10)).toBeGreaterThanOrEqual(90);
  });

  it('never stops capturing altogether', () => {
    const budget = new Budget(0.001);
    simulate(budget, 20, 1, 1000);
    expect(budget.interval).toBe(1000);
    expect(simulate(budget, 2000, 1, 1000)).toBe(2);
  });

  it('obeys a new limit at once', () => {
    const budget = new Budget(1);
    simulate(budget, 50, 10, 1);
    budget.configure(0);
    expect(budget.due).toBe(true);
    budget.configure(5);
    expect(budget.interval).toBe(2);
  });
});
