import { describe, expect, it } from 'vitest';
import {
  higherMomentsOf,
  kurtosisOf,
  mergeHigherMoments,
  NO_HIGHER_MOMENTS,
  skewnessOf,
} from '../../../extension/core/analysis/higherMoments';
import {
  FLOAT16,
  FLOAT32,
  float16FromBits,
  valueClasses,
} from '../../../extension/core/analysis/valueClasses';
import { gaussians } from './histogramOf';

const draw = gaussians(71);

describe('moments up to the fourth', () => {
  const values = draw(90, 2, 3).map((value) => value + value ** 2 / 9);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const power = (p: number) => values.reduce((sum, value) => sum + (value - mean) ** p, 0);

  it('have the skewness and kurtosis of the values', () => {
    const moments = higherMomentsOf(values);
    expect(skewnessOf(moments)).toBeCloseTo(power(3) / 90 / (power(2) / 90) ** 1.5, 12);
    expect(kurtosisOf(moments)).toBeCloseTo(power(4) / 90 / (power(2) / 90) ** 2 - 3, 12);
    expect(moments.min).toBe(Math.min(...values));
    expect(skewnessOf(higherMomentsOf([3, 3]))).toBeNaN();
  });

  it('merge to those of all values together, whatever the sizes and however far apart', () => {
    for (const offset of [0, 1e4]) {
      const parts = [values.slice(0, 7), values.slice(7, 50), values.slice(50)].map((part, at) =>
        part.map((value) => value + at * offset),
      );
      const merged = parts.map(higherMomentsOf).reduce(mergeHigherMoments, NO_HIGHER_MOMENTS);
      const whole = higherMomentsOf(parts.flat());
      for (const key of ['n', 'mean', 'm2', 'm3', 'm4', 'min', 'max'] as const) {
        const scale = Math.max(1, Math.abs(whole[key]));
        expect(Math.abs(merged[key] - whole[key]) / scale).toBeLessThan(1e-12);
      }
    }
  });
});

describe('value classes', () => {
  it('are told by the format', () => {
    const values = [0, -0, NaN, Infinity, -Infinity, 1, -2, 2 ** -20, 2 ** -140, -65504];
    expect(valueClasses(values, FLOAT16)).toEqual({
      nan: 1,
      positiveInfinity: 1,
      negativeInfinity: 1,
      zero: 2,
      subnormal: 2,
      positive: 3,
      negative: 2,
      finite: 7,
      headroom: 1,
    });
    expect(valueClasses(values, FLOAT32).subnormal).toBe(1);
  });

  it('of float16 are read from its bits', () => {
    const bits = [0x0000, 0x3c00, 0xc000, 0x0001, 0x7bff, 0x3555];
    expect(bits.map(float16FromBits)).toEqual([0, 1, -2, 2 ** -24, 65504, 0.333251953125]);
    expect(float16FromBits(0x7c00)).toBe(Infinity);
    expect(float16FromBits(0xfc00)).toBe(-Infinity);
    expect(float16FromBits(0x7e01)).toBeNaN();
    expect(Object.is(float16FromBits(0x8000), -0)).toBe(true);
  });
});
