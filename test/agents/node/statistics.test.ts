import { describe, expect, it } from 'vitest';
import { featureMap } from '../../../extension/agents/node/featureMap';
import { merge } from '../../../extension/agents/node/merge';
import {
  summarize as summary,
  type TapStatistics,
} from '../../../extension/agents/node/statistics';
import { groupMoments, groupOf, randomNumbers } from './harness/reference';

const LIMIT = 4096;
const summarize = (...args: Parameters<typeof summary>) => summary(...args).tap;
const variances = (tap: TapStatistics) => [...tap.squares].map((m2, f) => m2 / (tap.count[f] ?? 0));

function expectClose(actual: Iterable<number>, expected: readonly number[], tolerance = 1e-12) {
  const values = [...actual];
  expect(values).toHaveLength(expected.length);
  values.forEach((value, i) => {
    const wanted = expected[i] ?? NaN;
    if (Number.isNaN(wanted)) expect(value).toBeNaN();
    else expect(Math.abs(value - wanted)).toBeLessThanOrEqual(tolerance * (1 + Math.abs(wanted)));
  });
}

function expectMoments(values: number[], shape: number[], axes: number[], tolerance?: number) {
  const tap = summarize(Float32Array.from(values), featureMap(shape, axes), LIMIT);
  const features = groupMoments(values, shape, axes);
  expectClose(tap.mean, features.mean, tolerance);
  expectClose(variances(tap), features.variance, tolerance);
  expectClose(tap.min, features.min);
  expectClose(tap.max, features.max);
  const samples = groupMoments(values, shape, [0]);
  expectClose(tap.sampleMean, samples.mean, tolerance);
  expectClose(tap.sampleVariance, samples.variance, tolerance);
}

describe('features of a tensor', () => {
  it.each([
    [[5, 4], [1]],
    [[3, 4, 2], [2]],
    [[3, 4, 2], [1]],
    [[2, 3, 4, 5], [1]],
    [[2, 3, 4, 5], [3]],
    [
      [2, 3, 4, 5],
      [1, 3],
    ],
    [
      [2, 3, 4, 5],
      [2, 3],
    ],
    [
      [2, 3, 4, 5],
      [1, 2, 3],
    ],
    [[2, 1, 4], [1]],
  ])('are found in shape %j with axes %j', (shape, axes) => {
    const { featureAt, sampleLength, features } = featureMap(shape, axes);
    expect(features).toBe(axes.reduce((product, axis) => product * (shape[axis] ?? 1), 1));
    const expected = Array.from({ length: sampleLength }, (_, at) => groupOf(at, shape, axes));
    expect([...featureAt]).toEqual(expected);
  });
});

describe('statistics of one tensor', () => {
  it.each([
    [[17, 6], [1]],
    [[4, 5, 6], [2]],
    [[3, 4, 5, 6], [1]],
    [
      [3, 4, 5, 6],
      [1, 3],
    ],
  ])('agree with plain two-pass loops for shape %j, axes %j', (shape, axes) => {
    const length = shape.reduce((product, size) => product * size, 1);
    expectMoments(randomNumbers(length, 3), shape, axes);
  });

  it('keep their precision far from zero: mean 3000, sigma 1', () => {
    const values = randomNumbers(4096 * 4, 5).map((value) => Math.fround(3000 + value * 1.732));
    expectMoments(values, [4096, 4], [1], 1e-9);
  });

  it('keep their precision when the first value is an outlier', () => {
    const values = randomNumbers(1000, 6);
    values[0] = Math.fround(1e6);
    expectMoments(values, [1000, 1], [1], 1e-9);
  });

  it('leave out NaN and infinities, and count them', () => {
    const values = [1, NaN, 3, Infinity, 5, -Infinity, NaN, 0, -0, 1e-40, 7, 8];
    const shape = [6, 2];
    const tap = summarize(Float32Array.from(values), featureMap(shape, [1]), LIMIT);
    const { nan, positiveInfinity, negativeInfinity, zero, subnormal, elements, samples } = tap;
    expect({ nan, positiveInfinity, negativeInfinity, zero, subnormal, elements, samples }).toEqual(
      {
        nan: 2,
        positiveInfinity: 1,
        negativeInfinity: 1,
        zero: 2,
        subnormal: 1,
        elements: 12,
        samples: 6,
      },
    );
    expectMoments(values.map(Math.fround), shape, [1]);
  });

  it('say NaN for a feature and a sample without a finite value', () => {
    const tap = summarize(Float32Array.from([NaN, 1, NaN, 2]), featureMap([2, 2], [1]), LIMIT);
    expect([...tap.mean]).toEqual([NaN, 1.5]);
    const sample = summarize(Float32Array.from([NaN, NaN, 1, 2]), featureMap([2, 2], [1]), LIMIT);
    expect([...sample.sampleMean]).toEqual([NaN, 1.5]);
  });

  it('take no more samples than the limit, but count them all', () => {
    const tap = summarize(new Float32Array(30), featureMap([10, 3], [1]), 4);
    expect(tap.sampleMean).toHaveLength(4);
    expect(tap.samples).toBe(10);
  });

  it('take an empty batch', () => {
    const tap = summarize(new Float32Array(0), featureMap([0, 3], [1]), LIMIT);
    expect(tap.elements).toBe(0);
    expect([...tap.mean]).toEqual([NaN, NaN, NaN]);
  });
});

describe('merging', () => {
  it('gives what one batch of all would have given', () => {
    const values = randomNumbers(60, 9).map((value, i) => (i % 17 === 3 ? NaN : 100 + value));
    const map = featureMap([0, 3], [1]);
    const floats = Float32Array.from(values);
    const parts = [floats.subarray(0, 9), floats.subarray(9, 45), floats.subarray(45)];
    const [first, ...rest] = parts.map((part) => summarize(part, map, LIMIT));
    const whole = summarize(floats, map, LIMIT);
    if (!first) throw new Error('no part');
    for (const part of rest) merge(first, part, LIMIT);
    expect(first.calls).toBe(3);
    expect(first.elements).toBe(whole.elements);
    expect(first.nan).toBe(whole.nan);
    expect([...first.sampleMean]).toEqual([...whole.sampleMean]);
    expectClose(first.mean, [...whole.mean]);
    expectClose(variances(first), variances(whole), 1e-10);
    expect([...first.max]).toEqual([...whole.max]);
  });

  it('starts from nothing where a feature had no finite value before', () => {
    const map = featureMap([1, 1], [1]);
    const into = summarize(Float32Array.from([NaN]), map, LIMIT);
    merge(into, summarize(Float32Array.from([4, 6]), map, LIMIT), LIMIT);
    expect([into.mean[0], into.squares[0], into.count[0]]).toEqual([5, 2, 2]);
  });

  it('keeps no more samples than the limit', () => {
    const map = featureMap([3, 1], [1]);
    const into = summarize(Float32Array.from([1, 2, 3]), map, 4);
    merge(into, summarize(Float32Array.from([4, 5, 6]), map, 4), 4);
    merge(into, summarize(Float32Array.from([7]), map, 4), 4);
    expect([...into.sampleMean]).toEqual([1, 2, 3, 4]);
    expect(into.samples).toBe(7);
  });

  it('refuses two calls with different numbers of features', () => {
    const a = summarize(new Float32Array(2), featureMap([1, 2], [1]), LIMIT);
    const b = summarize(new Float32Array(3), featureMap([1, 3], [1]), LIMIT);
    expect(() => merge(a, b, LIMIT)).toThrow(RangeError);
  });
});
