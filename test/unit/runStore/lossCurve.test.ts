import { describe, expect, it } from 'vitest';
import { LossCurve } from '../../../extension/core/runStore/lossCurve';

describe('LossCurve', () => {
  it('has the loss of every step until its memory is used up', () => {
    const curve = new LossCurve(512 * 1024);
    for (let step = 0; step < 10_000; step++) curve.add(step, step % 7 === 4 ? null : step / 10);
    expect(curve.length).toBe(10_000);
    const { steps, loss } = curve.at([0, 4, 5_000, 9_999]);
    expect([...steps]).toEqual([0, 4, 5_000, 9_999]);
    expect([...loss]).toEqual([0, NaN, 500, 999.9].map(Math.fround));
  });

  it('averages the finite losses of the steps asked for', () => {
    const curve = new LossCurve(512 * 1024);
    for (const [step, loss] of [
      [10, 1],
      [12, null],
      [14, 3],
      [16, Infinity],
      [20, 100],
    ] as const) {
      curve.add(step, loss);
    }
    expect(curve.mean(10, 20)).toBe(2);
    expect(curve.mean(11, 14)).toBeNaN();
    expect(curve.mean(0, 100)).toBeCloseTo(104 / 3);
  });

  it('stays within its memory', () => {
    const curve = new LossCurve(20_000);
    for (let step = 0; step < 30_000; step++) curve.add(step, 1);
    expect(curve.byteLength).toBeLessThanOrEqual(20_000);
    expect(curve.at([0, curve.length - 1]).steps).toEqual(Float64Array.of(0, 29_999));
  });
});
