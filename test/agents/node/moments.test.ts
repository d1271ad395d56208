import { describe, expect, it } from 'vitest';
import { featureMap } from '../../../extension/agents/node/featureMap';
import { merge } from '../../../extension/agents/node/merge';
import {
  kurtosisOf,
  mergeMoments,
  noMoments,
  skewnessOf,
  type Moments,
} from '../../../extension/agents/node/moments';
import { summarize } from '../../../extension/agents/node/statistics';
import vectors from '../../fixtures/vectors/moments.json';
import { randomNumbers } from './harness/reference';

/** Central moments by plain loops over the finite values. */
function momentsOf(values: readonly number[]): Moments {
  const finite = values.filter(Number.isFinite);
  const n = finite.length;
  const mean = finite.reduce((sum, value) => sum + value, 0) / n;
  const power = (k: number) => finite.reduce((sum, value) => sum + (value - mean) ** k, 0);
  return {
    n,
    mean,
    m2: power(2),
    m3: power(3),
    m4: power(4),
    min: Math.min(...finite),
    max: Math.max(...finite),
  };
}

function expectMoments(actual: Moments, expected: Moments, tolerance: number) {
  const sigma = Math.sqrt(expected.m2 / expected.n);
  expect(actual.n).toBe(expected.n);
  expect([actual.min, actual.max]).toEqual([expected.min, expected.max]);
  expect(Math.abs(actual.mean - expected.mean)).toBeLessThanOrEqual(
    tolerance * (sigma + Math.abs(expected.mean)),
  );
  expect(Math.abs(actual.m2 / expected.m2 - 1)).toBeLessThanOrEqual(tolerance);
  expect(Math.abs(skewnessOf(actual) - skewnessOf(expected))).toBeLessThanOrEqual(tolerance);
  expect(Math.abs(kurtosisOf(actual) - kurtosisOf(expected))).toBeLessThanOrEqual(10 * tolerance);
}

const wholeOf = (values: readonly number[], shape: number[], axes: number[]) =>
  summarize(Float32Array.from(values), featureMap(shape, axes), 4096).tap.whole;

/** A skewed, heavy-tailed sample around a mean. */
const skewed = (length: number, seed: number, mean = 0) =>
  randomNumbers(length, seed).map((value) => Math.fround(mean + Math.exp(2 * value)));

describe('the moments of a whole tensor', () => {
  it.each([
    ['rows of features', [60, 7], [1]],
    ['features in front', [6, 5, 14], [1]],
    ['features apart', [4, 5, 3, 7], [1, 3]],
    ['one row', [1, 420], [1]],
    ['one feature', [420, 1], [1]],
  ])('agree with plain loops: %s', (_, shape, axes) => {
    const values = skewed(420, 3);
    expectMoments(wholeOf(values, shape, axes), momentsOf(values), 1e-12);
  });

  it('keep their digits far from zero: mean 3000, sigma about 1', () => {
    const values = skewed(4096, 4, 3000);
    expectMoments(wholeOf(values, [512, 8], [1]), momentsOf(values), 1e-9);
  });

  it('keep their digits whatever the first and the typical value are', () => {
    const values = skewed(1000, 5);
    values[0] = 1e6;
    expectMoments(wholeOf(values, [100, 10], [1]), momentsOf(values), 1e-9);
    const two = Array.from({ length: 1000 }, (_, i) => (i < 600 ? 0 : Math.fround(5e4 + (i % 7))));
    expectMoments(wholeOf(two, [100, 10], [1]), momentsOf(two), 1e-9);
  });

  it('are over finite values only', () => {
    const values = skewed(300, 6);
    values[7] = NaN;
    values[31] = Infinity;
    values[200] = -Infinity;
    expectMoments(wholeOf(values, [50, 6], [1]), momentsOf(values), 1e-12);
  });

  it('of values that are all alike have no spread, and no shape', () => {
    const whole = wholeOf(new Array<number>(60).fill(Math.fround(0.1)), [10, 6], [1]);
    expect(whole).toMatchObject({ mean: Math.fround(0.1), m2: 0, m3: 0, m4: 0 });
    expect([skewnessOf(whole), kurtosisOf(whole)]).toEqual([NaN, NaN]);
  });

  it('of integers are exact beyond what a float32 holds', () => {
    const values = Int32Array.from([2 ** 30 + 1, 2 ** 30 + 3]);
    const { whole } = summarize(values, featureMap([2, 1], [1]), 8).tap;
    expect(whole).toMatchObject({ mean: 2 ** 30 + 2, m2: 2, max: 2 ** 30 + 3 });
  });
});

describe('merged moments', () => {
  const parts = [skewed(37, 1), skewed(91, 2, -4), skewed(64, 3, 10_000)];

  it('are those of all values together, in any order', () => {
    for (const order of [
      [0, 1, 2],
      [2, 0, 1],
    ]) {
      const merged = noMoments();
      const all = order.map((index) => parts[index] ?? []);
      for (const part of all) mergeMoments(merged, momentsOf(part));
      expectMoments(merged, momentsOf(all.flat()), 1e-12);
    }
  });

  it('agree with the vectors', () => {
    const merged = noMoments();
    const stages = [undefined, vectors.merged_ab, vectors.merged_abc];
    vectors.parts.forEach(({ moments }, index) => {
      const { n, mean, m2, m3, m4, min, max } = moments;
      mergeMoments(merged, { n, mean, m2, m3, m4, min, max });
      const expected = stages[index];
      if (!expected) return;
      expectMoments(merged, expected, 1e-12);
      expect(skewnessOf(merged)).toBeCloseTo(expected.skew, 10);
      expect(kurtosisOf(merged)).toBeCloseTo(expected.kurtosis_excess, 10);
    });
  });

  it('are not changed by a part without a finite value', () => {
    const merged = momentsOf(parts[0] ?? []);
    mergeMoments(merged, noMoments());
    expect(merged).toEqual(momentsOf(parts[0] ?? []));
  });

  it('are those of all calls of a step', () => {
    const map = featureMap([0, 1], [1]);
    const [first, ...rest] = parts.map((part) => summarize(Float32Array.from(part), map, 9).tap);
    if (!first) throw new Error('no part');
    for (const tap of rest) merge(first, tap, 9);
    expectMoments(first.whole, momentsOf(parts.flat()), 1e-10);
  });
});

describe('features and samples whose own spread is small beside their distance', () => {
  it.each([
    ['rows of features', [50, 4], [1]],
    ['features in front', [5, 4, 10], [1]],
  ])('keep seven digits of it: %s', (_, shape, axes) => {
    const map = featureMap(shape, axes);
    const values = Float32Array.from(randomNumbers(200, 8), (value, at) => {
      const feature = map.featureAt[at % map.sampleLength] ?? 0;
      return feature * 5000 + value * 1e-2;
    });
    const { tap } = summarize(values, map, 4096);
    for (let feature = 0; feature < 4; feature += 1) {
      const own = [...values].filter((__, at) => map.featureAt[at % map.sampleLength] === feature);
      const expected = momentsOf(own);
      expect(Math.abs((tap.squares[feature] ?? NaN) / expected.m2 - 1)).toBeLessThan(1e-7);
    }
  });

  it('have none at all where they are constant', () => {
    const values = Float32Array.from({ length: 120 }, (_, at) => 0.1 * (at % 6) + 1e4);
    const { tap } = summarize(values, featureMap([20, 6], [1]), 4096);
    expect([...tap.squares]).toEqual([0, 0, 0, 0, 0, 0]);
    const rows = Float32Array.from({ length: 120 }, (_, at) => 0.1 * Math.floor(at / 6));
    const { tap: samples } = summarize(rows, featureMap([20, 6], [1]), 4096);
    expect(new Set(samples.sampleVariance)).toEqual(new Set([0]));
  });
});
