import { describe, expect, it } from 'vitest';
import { meanChange, momentDrift } from '../../../extension/core/analysis/momentDrift';
import { varianceOf } from '../../../extension/core/analysis/moments';
import { meanShiftFloor } from '../../../extension/core/analysis/nullFloors';
import { seeded } from '../../fixtures/syntheticRun';
import { momentsOf } from './momentsOf';

const before = { mean: [0, 1, -2, 4], variance: [1, 4, 0.25, 2] };
const after = { mean: [0.5, 1, -1, 3], variance: [1.5, 3, 0.25, 4] };

describe('momentDrift', () => {
  it('is the change of the means in pooled deviations, and of the variances in their mean', () => {
    const pooled = (1 + 4 + 0.25 + 2 + 1.5 + 3 + 0.25 + 4) / 8;
    const drift = momentDrift(before, after);
    expect(drift.mean).toBeCloseTo(Math.sqrt((0.25 + 0 + 1 + 1) / 4) / Math.sqrt(pooled), 12);
    expect(drift.variance).toBeCloseTo((0.5 + 1 + 0 + 2) / 4 / pooled, 12);
  });

  it('does not depend on the scale of the layer', () => {
    const scaled = (moments: typeof before) => ({
      mean: moments.mean.map((value) => value * 1000 + 7),
      variance: moments.variance.map((value) => value * 1e6),
    });
    const drift = momentDrift(before, after);
    const large = momentDrift(scaled(before), scaled(after));
    expect(large.mean).toBeCloseTo(drift.mean, 10);
    expect(large.variance).toBeCloseTo(drift.variance, 10);
  });

  it('leaves out features that are NaN at either step', () => {
    const withNaN = (moments: typeof before, at: number) => ({
      mean: moments.mean.map((value, j) => (j === at ? Number.NaN : value)),
      variance: moments.variance,
    });
    const without = (moments: typeof before) => ({
      mean: moments.mean.slice(1),
      variance: moments.variance.slice(1),
    });
    expect(momentDrift(withNaN(before, 0), after)).toEqual(
      momentDrift(without(before), without(after)),
    );
  });

  it('of constant features is 0 when nothing moves and not known when something does', () => {
    const still = { mean: [1, 2], variance: [0, 0] };
    expect(momentDrift(still, still)).toEqual({ mean: 0, variance: 0 });
    expect(momentDrift(still, { mean: [1, 3], variance: [0, 0] }).mean).toBeNaN();
  });

  it('is not known when the number of features changed', () => {
    expect(momentDrift(before, { mean: [1], variance: [1] }).mean).toBeNaN();
  });
});

describe('meanShiftFloor', () => {
  it('is what batches of independent rows drift by when nothing changes', () => {
    const random = seeded(17);
    const batch = (n: number) => {
      const features = Array.from({ length: 400 }, () =>
        momentsOf(Array.from({ length: n }, () => Math.log(random()))),
      );
      return { mean: features.map(({ mean }) => mean), variance: features.map(varianceOf) };
    };
    for (const [n, m] of [
      [32, 32],
      [64, 200],
    ] as const) {
      // The biased variance is low by 1 − 1/n, and the estimate over 400 features varies by a few percent.
      const measured = momentDrift(batch(n), batch(m)).mean;
      expect(Math.abs(measured / meanShiftFloor(n, m) - 1)).toBeLessThan(0.12);
    }
  });

  it('is not known without samples', () => {
    expect(meanShiftFloor(0, 5)).toBeNaN();
    expect(meanShiftFloor(5, Number.NaN)).toBeNaN();
  });
});

describe('meanChange', () => {
  it('is the average change of the means, plain and in deviations of each feature before', () => {
    const change = meanChange(before, after);
    expect(change.absolute).toBeCloseTo((0.5 + 0 + 1 + 1) / 4, 12);
    expect(change.inDeviations).toBeCloseTo((0.5 + 0 + 1 / 0.5 + 1 / Math.SQRT2) / 4, 12);
  });
});
