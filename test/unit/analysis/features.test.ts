import { describe, expect, it } from 'vitest';
import { momentsOver } from '../../../extension/core/analysis/featureSums';
import { seeded } from '../../fixtures/syntheticRun';
import { featureDrift } from '../../../extension/core/analysis/featureDrift';
import { momentDrift } from '../../../extension/core/analysis/momentDrift';
import { notableFeatures, OUTLYING } from '../../../extension/core/analysis/notableFeatures';

describe('the drift of each feature', () => {
  const before = { mean: [0, 1, -2, 4], variance: [1, 4, 9, 2] };
  const after = { mean: [0.5, 1, -5, 4.25], variance: [3, 4, 1, 0] };

  it('is its change in pooled deviations of the layer', () => {
    // Pooled variances (1+3)/2, (4+4)/2, (9+1)/2, (2+0)/2 have the mean 3.
    const drift = [...featureDrift(before, after)];
    [0.5, 0, 3, 0.25].forEach((change, j) => {
      expect(drift[j]).toBeCloseTo(change / Math.sqrt(3), 6);
    });
  });

  it('has the drift of the layer as its root mean square', () => {
    const drift = [...featureDrift(before, after)];
    const squares = drift.reduce((sum, value) => sum + value * value, 0);
    expect(Math.sqrt(squares / 4)).toBeCloseTo(momentDrift(before, after).mean, 6);
  });

  it('is NaN of a feature without a value, and of nothing that varies', () => {
    expect([
      ...featureDrift({ mean: [NaN, 0], variance: [1, 1] }, { mean: [1, 1], variance: [1, 1] }),
    ]).toEqual([NaN, 1]);
    expect([...featureDrift({ mean: [1], variance: [0] }, { mean: [2], variance: [0] })]).toEqual([
      NaN,
    ]);
    expect(featureDrift(before, { mean: [1], variance: [1] })).toHaveLength(0);
  });
});

describe('moments over several steps', () => {
  const random = seeded(5);
  // Steps of unlike numbers of values, far from 0; a value of each feature in every step.
  const steps = [7, 3, 12].map((n, step) =>
    Array.from({ length: 4 }, (_, feature) =>
      Array.from({ length: n }, () => 50 + feature * step + random()),
    ),
  );
  const momentsOf = (values: readonly number[]) => {
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
    return { mean, variance };
  };
  const given = steps.map((features) => ({
    n: features[0]?.length ?? 0,
    moments: {
      mean: Float32Array.from(features, (values) => momentsOf(values).mean),
      variance: Float32Array.from(features, (values) => momentsOf(values).variance),
    },
  }));

  it('are those of all values together', () => {
    const { mean, variance } = momentsOver(4, given);
    for (let feature = 0; feature < 4; feature++) {
      const all = momentsOf(steps.flatMap((features) => features[feature] ?? []));
      expect(mean[feature]).toBeCloseTo(all.mean, 4);
      expect(variance[feature]).toBeCloseTo(all.variance, 4);
    }
  });

  it('leave out a feature in the steps in which it has no value', () => {
    const nowhere = Float32Array.of(NaN, NaN, NaN, NaN);
    const empty = { n: 9, moments: { mean: nowhere, variance: nowhere } };
    expect(momentsOver(4, [empty, ...given])).toEqual(momentsOver(4, given));
    expect(momentsOver(4, [empty])).toEqual({ mean: nowhere, variance: nowhere });
  });
});

describe('notable features', () => {
  /** Means −1, 0, 1, … and standard deviation 1, but for the features given. */
  const layer = (change: Readonly<Record<number, { mean?: number; std?: number }>>) => {
    const all = Array.from({ length: 30 }, (_, j) => ({
      mean: change[j]?.mean ?? (j % 3) - 1,
      std: change[j]?.std ?? 1,
    }));
    return {
      mean: all.map(({ mean }) => mean),
      variance: all.map(({ std }) => std * std),
    };
  };

  it('are none in a layer whose features are alike', () => {
    expect(notableFeatures(layer({}))).toEqual({ dead: 0, outlying: 0, worst: [] });
  });

  it('names what is dead, wide and far, by how much', () => {
    const found = notableFeatures(
      layer({ 3: { std: 0, mean: 2.5 }, 7: { std: 6 }, 11: { mean: 40 } }),
    );
    expect(found).toMatchObject({ dead: 1, outlying: 2 });
    expect(found.worst.map(({ feature, kind }) => [feature, kind])).toEqual([
      [3, 'dead'],
      [11, 'far'],
      [7, 'wide'],
    ]);
    // Usual: σ 1; means −1, 0, 1 have the median 0 and the median absolute deviation 1.
    expect(found.worst[1]?.ratio).toBeCloseTo(40 / Math.hypot(1, 1.4826), 3);
    expect(found.worst[2]?.ratio).toBeCloseTo(6, 6);
    expect(found.worst[0]).toMatchObject({ mean: 2.5, std: 0, ratio: 0 });
  });

  it('leaves out a feature at the limit and speaks just above it', () => {
    expect(notableFeatures(layer({ 5: { std: OUTLYING } })).outlying).toBe(0);
    expect(notableFeatures(layer({ 5: { std: OUTLYING + 0.01 } })).outlying).toBe(1);
  });

  it('names the outlying beside the dead when there are many dead', () => {
    const change = Object.fromEntries([0, 1, 2, 3, 4, 5, 6, 8, 9, 10].map((j) => [j, { std: 0 }]));
    const found = notableFeatures(layer({ ...change, 20: { std: 9 } }));
    expect(found.dead).toBe(10);
    expect(found.worst.some(({ feature }) => feature === 20)).toBe(true);
    expect(found.worst.length).toBeLessThanOrEqual(8);
  });

  it('leaves out features without a value', () => {
    const moments = layer({});
    moments.mean[4] = NaN;
    moments.variance[4] = NaN;
    expect(notableFeatures(moments)).toEqual({ dead: 0, outlying: 0, worst: [] });
  });
});
