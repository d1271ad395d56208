import { describe, expect, it } from 'vitest';
import { percentiles } from '../../../extension/core/analysis/percentiles';
import { SortedCounts } from '../../../extension/core/analysis/sortedCounts';
import { BAND_QUANTILES } from '../../../extension/protocol/views';
import { seeded } from '../../fixtures/syntheticRun';
import { histogramOf } from './histogramOf';

describe('percentiles', () => {
  it('are those of the values, to the width of a bin', () => {
    const random = seeded(4);
    const values = Array.from({ length: 20_000 }, () => 3 * (random() - 0.4) ** 3 + 0.1);
    const found = percentiles(SortedCounts.of(histogramOf(values)), BAND_QUANTILES);
    const sorted = [...values].sort((a, b) => a - b);
    BAND_QUANTILES.forEach((share, i) => {
      const expected = sorted[Math.floor(share * sorted.length)] ?? NaN;
      // A bin is an eighth of an octave, 2^(1/8) − 1 at most 12.5 % of its lower end.
      expect(Math.abs((found[i] ?? NaN) - expected)).toBeLessThan(0.125 * Math.abs(expected));
    });
  });

  it('count zeros at zero, between what is negative and what is positive', () => {
    const values = [-4, -4, 0, 0, 0, 0, 0, 0, 5, 5];
    const found = percentiles(SortedCounts.of(histogramOf(values)), [0.1, 0.5, 0.75]);
    expect(found[0]).toBeLessThanOrEqual(-4);
    expect([...found.slice(1)]).toEqual([0, 0]);
  });

  it('of nothing are NaN', () => {
    const empty = SortedCounts.of({ bins: [], counts: [], zero: 0 });
    expect([...percentiles(empty, [0.25, 0.75])]).toEqual([NaN, NaN]);
  });
});
