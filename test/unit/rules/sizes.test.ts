import { describe, expect, it } from 'vitest';
import { drift } from '../../../extension/core/rules/drift';
import { exploding, UsualSize } from '../../../extension/core/rules/exploding';
import { GradientProfile } from '../../../extension/core/rules/gradientProfile';
import { headroom } from '../../../extension/core/rules/headroom';
import { NonFiniteSearch } from '../../../extension/core/rules/nonFinite';
import { rankSpread } from '../../../extension/core/rules/rankSpread';
import { layerId } from '../../../extension/protocol/ids';
import type { Tap } from '../../../extension/protocol/layers';

describe('the usual size', () => {
  it('is the geometric mean of the first steps, and is not known before there are ten', () => {
    const usual = new UsualSize();
    const factors = Array.from({ length: 10 }, (_, i) => usual.add(i % 2 ? 8 : 2));
    expect(factors.every(Number.isNaN)).toBe(true);
    expect(usual.add(40)).toBeCloseTo(10, 9);
  });

  it('lags ln 117 behind a growth of a tenth in every step', () => {
    const usual = new UsualSize();
    let factor = NaN;
    for (let step = 0; step < 1000; step++) factor = usual.add(1.1 ** step);
    expect(Math.log(factor)).toBeCloseTo(Math.log(1.1) / 0.02, 2);
    expect(factor).toBeGreaterThan(100);
  });

  it.each([NaN, 0, Infinity])('takes no notice of %d', (size) => {
    const usual = new UsualSize();
    for (let step = 0; step < 12; step++) usual.add(5);
    expect(usual.add(size)).toBeNaN();
    expect(usual.add(5)).toBeCloseTo(1, 9);
  });
});

describe('exploding', () => {
  it('speaks from the limit on, of the larger factor', () => {
    expect(exploding(99.9, 1, 'gradPre', 100)).toBeUndefined();
    expect(exploding(100, 1, 'gradPre', 100)).toMatchObject({ tap: 'pre', value: 100 });
    expect(exploding(100, 300, 'gradPost', 100)).toMatchObject({ tap: 'gradPost', value: 300 });
  });

  it('speaks of the one that is known', () => {
    expect(exploding(NaN, NaN, 'gradPre', 100)).toBeUndefined();
    expect(exploding(NaN, 200, 'gradPre', 100)).toMatchObject({ tap: 'gradPre' });
    expect(exploding(200, NaN, 'gradPre', 100)).toMatchObject({ tap: 'pre' });
  });
});

describe('drift', () => {
  it.each([
    [0.5, 0.25, true],
    [0.499, 0.01, false],
    [0.9, 0.46, false],
    [NaN, 0.1, false],
    [0.9, NaN, false],
  ])('of %d above a floor of %d speaks: %s', (value, floor, speaks) => {
    expect(drift(value, floor, 0.5) !== undefined).toBe(speaks);
  });

  it('names the limit that holds', () => {
    expect(drift(2, 0.35, 0.5)).toMatchObject({ value: 2, limit: 0.7 });
    expect(drift(2, 0.1, 0.5)).toMatchObject({ limit: 0.5 });
  });
});

describe('headroom', () => {
  const of =
    (values: Partial<Record<Tap, number>>) =>
    (tap: Tap): number =>
      values[tap] ?? NaN;

  it('speaks of the fullest tap, from the limit on', () => {
    expect(headroom(of({ pre: 0.49, gradPre: 0.499 }), false, 0.5)).toBeUndefined();
    expect(headroom(of({ pre: 0.5, post: 0.75 }), false, 0.5)).toMatchObject({ tap: 'post' });
    expect(headroom(of({}), false, 0.5)).toBeUndefined();
  });

  it('leaves out gradients that a scaler drives up', () => {
    const values = of({ pre: 0.6, gradPost: 0.9 });
    expect(headroom(values, true, 0.5)).toMatchObject({ tap: 'pre' });
    expect(headroom(values, false, 0.5)).toMatchObject({ tap: 'gradPost' });
  });
});

describe('the place where values stop being finite', () => {
  const counts = (change: Partial<Record<Tap, number>>) => ({
    pre: 0,
    post: 0,
    gradPost: NaN,
    gradPre: NaN,
    ...change,
  });
  const search = (...layers: readonly Partial<Record<Tap, number>>[]) => {
    const one = new NonFiniteSearch();
    layers.forEach((layer, i) => one.add(layerId(i), counts(layer)));
    return one.end();
  };

  it('is nowhere when all are', () => {
    expect(search({}, {})).toBeUndefined();
  });

  it('is the first output forward, or the first input where it comes from before', () => {
    expect(search({}, { post: 3 }, { pre: 9, post: 9 })).toMatchObject({
      layer: 1,
      tap: 'post',
      value: 3,
      layers: 2,
      severity: 'error',
    });
    expect(search({}, { pre: 2, post: 9 })).toMatchObject({ layer: 1, tap: 'pre', value: 2 });
  });

  it('is the last layer backward, when all is finite forward', () => {
    const back = { gradPost: 4, gradPre: 8 };
    expect(search(back, back, { gradPost: 0, gradPre: 1 }, {})).toMatchObject({
      layer: 2,
      tap: 'gradPre',
      layers: 3,
    });
    expect(search(back, back)).toMatchObject({ layer: 1, tap: 'gradPost', value: 4 });
    expect(search({ ...back, post: 1 }, back)).toMatchObject({ layer: 0, tap: 'post' });
  });

  it('is looked for anew in every step', () => {
    const one = new NonFiniteSearch();
    one.add(layerId(0), counts({ pre: 1 }));
    expect(one.end()).toBeDefined();
    one.add(layerId(0), counts({}));
    expect(one.end()).toBeUndefined();
  });
});

describe('gradients over the depth', () => {
  const profile = (...sizes: readonly number[]) => {
    const one = new GradientProfile();
    sizes.forEach((size, i) => one.add(layerId(i), size, 1e-7));
    return one;
  };

  it('vanish below the limit, at the last layer where they do', () => {
    expect(profile(1e-7, 1e-3).vanishing()).toBeUndefined();
    expect(profile(1e-9, 9e-8, 1e-3).vanishing()).toMatchObject({
      layer: 1,
      value: 9e-8,
      layers: 2,
    });
    expect(profile(0, 1).vanishing()).toMatchObject({ layer: 0, value: 0, layers: 1 });
    expect(profile(NaN, NaN).vanishing()).toBeUndefined();
  });

  it('are out of balance from the limit on, between two layers', () => {
    expect(profile(1e-4, 0.0999).imbalance(1000)).toBeUndefined();
    expect(profile(0.2, 1e-4, NaN, 0.05).imbalance(1000)).toMatchObject({ layer: 1, other: 0 });
    expect(profile(NaN, 0.1).imbalance(1000)).toBeUndefined();
    expect(profile().imbalance(1000)).toBeUndefined();
  });

  it('are not called out of balance where they vanish', () => {
    expect(profile(1e-9, 1).imbalance(1000)).toBeUndefined();
  });
});

describe('the spread over ranks', () => {
  const rank = (mean: number, floor = 0.1) => ({ mean, deviation: 2, floor });

  it('is the largest distance of two means in deviations', () => {
    expect(rankSpread([rank(0), rank(0.99)], 0.5)).toBeUndefined();
    expect(rankSpread([rank(0), rank(1)], 0.5)).toMatchObject({ value: 0.5 });
    expect(rankSpread([rank(0), rank(2), rank(-4)], 0.5)).toMatchObject({ value: 3 });
  });

  it('must exceed three times what samples are off', () => {
    expect(rankSpread([rank(0, 0.4), rank(2.3, 0.4)], 0.5)).toBeUndefined();
    expect(rankSpread([rank(0, 0.4), rank(2.5, 0.4)], 0.5)).toMatchObject({ value: 1.25 });
  });

  it('is not known of one rank or of NaN', () => {
    expect(rankSpread([rank(9)], 0.5)).toBeUndefined();
    expect(rankSpread([rank(NaN), rank(9)], 0.5)).toBeUndefined();
  });
});
