import { describe, expect, it } from 'vitest';
import { normOf, poolFeatures } from '../../../extension/core/analysis/pooledFeatures';
import { seeded } from '../../fixtures/syntheticRun';

function plain(values: readonly number[]) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + value * value, 0);
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return { mean, variance, norm: Math.sqrt(squares) };
}

describe('poolFeatures', () => {
  const random = seeded(11);
  const columns = Array.from({ length: 9 }, (_, feature) =>
    Array.from({ length: 30 }, () => 100 + feature * 3 + (random() - 0.5) * (1 + feature)),
  );
  const features = columns.map(plain);
  const means = features.map(({ mean }) => mean);
  const variances = features.map(({ variance }) => variance);

  it('gives mean, variance and norm of the whole tensor', () => {
    const whole = plain(columns.flat());
    const pooled = poolFeatures(means, variances);
    expect(pooled.mean).toBeCloseTo(whole.mean, 9);
    expect(pooled.variance).toBeCloseTo(whole.variance, 9);
    expect(normOf(pooled, columns.flat().length)).toBeCloseTo(whole.norm, 8);
  });

  it('leaves out features without a finite value', () => {
    const pooled = poolFeatures([...means, Number.NaN], [...variances, Number.NaN]);
    expect(pooled).toEqual(poolFeatures(means, variances));
  });

  it('of no feature is not known', () => {
    expect(poolFeatures([], []).variance).toBeNaN();
    expect(poolFeatures([Number.NaN], [Number.NaN]).mean).toBeNaN();
  });
});
