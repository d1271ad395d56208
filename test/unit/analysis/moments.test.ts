import { describe, expect, it } from 'vitest';
import { mergeMoments, NO_MOMENTS, varianceOf } from '../../../extension/core/analysis/moments';
import vectors from '../../fixtures/vectors/moments.json';
import { momentsOf } from './momentsOf';

const close = (actual: number, expected: number) =>
  expect(Math.abs(actual - expected)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(expected)));

describe('moments', () => {
  const parts = vectors.parts.map(({ values }) => momentsOf(values));

  it('of each part agree with the vectors', () => {
    vectors.parts.forEach((part, at) => {
      expect(parts[at]?.n).toBe(part.moments.n);
      close(parts[at]?.mean ?? Number.NaN, part.moments.mean);
      close(varianceOf(parts[at] ?? NO_MOMENTS), part.moments.var);
    });
  });

  it('of two parts merge to those of all values', () => {
    const merged = parts.slice(0, 2).reduce(mergeMoments, NO_MOMENTS);
    expect(merged.n).toBe(vectors.merged_ab.n);
    close(merged.mean, vectors.merged_ab.mean);
    close(merged.m2, vectors.merged_ab.m2);
  });

  it('merge without cancellation when one part lies far away', () => {
    const merged = parts.reduce(mergeMoments, NO_MOMENTS);
    close(merged.mean, vectors.merged_abc.mean);
    close(merged.m2, vectors.merged_abc.m2);
    const other = [...parts].reverse().reduce(mergeMoments, NO_MOMENTS);
    close(other.m2, vectors.merged_abc.m2);
  });

  it('of nothing have no variance', () => {
    expect(varianceOf(momentsOf([]))).toBeNaN();
    expect(mergeMoments(NO_MOMENTS, NO_MOMENTS)).toEqual(NO_MOMENTS);
  });
});
