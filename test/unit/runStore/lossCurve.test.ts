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

  it('stays within its memory', () => {
    const curve = new LossCurve(20_000);
    for (let step = 0; step < 30_000; step++) curve.add(step, 1);
    expect(curve.byteLength).toBeLessThanOrEqual(20_000);
    expect(curve.at([0, curve.length - 1]).steps).toEqual(Float64Array.of(0, 29_999));
  });
});
