import { describe, expect, it } from 'vitest';
import { OrderedCounts } from '../../../extension/core/analysis/bitHistogram';
import { densityOf } from '../../../extension/core/analysis/density';
import { quantile } from '../../../extension/core/analysis/quantile';
import { sharedRange } from '../../../extension/core/analysis/valueRange';
import { BIN_COUNT, binEdges, binOf } from '../../../extension/protocol/bitBins';
import { gaussians, histogramOf, ordered } from './histogramOf';

const gaussian = gaussians(29);

describe('OrderedCounts', () => {
  it('puts every bin in ascending order of value, zero between the signs', () => {
    let last = Number.NEGATIVE_INFINITY;
    for (let place = 0; place <= BIN_COUNT; place++) {
      const bin = OrderedCounts.binAt(place);
      // The bins of NaN and infinity, which stay empty.
      if (bin !== undefined && bin % 2048 >= 255 * 8) continue;
      const lower = bin === undefined ? 0 : binEdges(bin)[0];
      expect(lower).toBeGreaterThanOrEqual(last);
      if (bin !== undefined) expect(OrderedCounts.placeOf(bin)).toBe(place);
      last = lower;
    }
  });

  it('merges by adding', () => {
    const [a, b] = [gaussian(500, 1, 2), [...gaussian(300, -3, 1), 0, 0]];
    expect(ordered(histogramOf(a), histogramOf(b)).counts).toEqual(
      ordered(histogramOf([...a, ...b])).counts,
    );
  });
});

describe('quantile', () => {
  const values = [...gaussian(4000, 0.3, 1), ...Array.from({ length: 500 }, () => 0)];
  const sorted = [...values].sort((a, b) => a - b);
  const counts = ordered(histogramOf(values));

  it.each([0.001, 0.05, 0.3, 0.5, 0.75, 0.99, 0.999])(
    '%f is within a bin of the sorted value',
    (q) => {
      const exact = sorted[Math.ceil(q * sorted.length) - 1] as number;
      expect(Math.abs(quantile(counts, q) - exact)).toBeLessThanOrEqual(Math.abs(exact) / 8 + 1e-9);
    },
  );

  it('of one repeated value lies in its bin, of nothing is not known', () => {
    const [lower, upper] = binEdges(binOf(-3));
    const median = quantile(ordered(histogramOf([-3, -3, -3])), 0.5);
    expect(median).toBeGreaterThanOrEqual(lower);
    expect(median).toBeLessThanOrEqual(upper);
    expect(quantile(new OrderedCounts(), 0.5)).toBeNaN();
  });
});

describe('densityOf', () => {
  const total = (density: Float32Array, range: readonly [number, number]) =>
    (density.reduce((sum, value) => sum + value, 0) * (range[1] - range[0])) / density.length;

  it.each([1, 7, 128])(
    'keeps the whole mass in a range that holds all values, %i cells',
    (points) => {
      const values = [...gaussian(2000, -0.5, 1), 0, 0, 0];
      const range = [-20, 20] as const;
      expect(total(densityOf(histogramOf(values), range, points), range)).toBeCloseTo(1, 5);
    },
  );

  it('keeps the share of the values that lies in the range', () => {
    // Both ends are bin edges, so the share is exact.
    const values = gaussian(3000, 0, 2);
    const range = [-1.5, 3] as const;
    const inside = values.filter((value) => value >= -1.5 && value < 3).length / values.length;
    expect(total(densityOf(histogramOf(values), range, 50), range)).toBeCloseTo(inside, 3);
  });

  it('follows the density of the distribution the values come from', () => {
    const range = [-4, 4] as const;
    const density = densityOf(histogramOf(gaussian(200_000, 0, 1)), range, 40);
    density.forEach((value, cell) => {
      const x = -4 + (cell + 0.5) * 0.2;
      const expected = Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
      expect(Math.abs(value - expected)).toBeLessThan(0.025);
    });
  });

  it('puts exact zeros into the cell that holds 0', () => {
    const density = densityOf({ bins: [], counts: [], zero: 5 }, [-1, 3], 4);
    expect([...density]).toEqual([0, 1, 0, 0]);
    expect([...densityOf({ bins: [], counts: [], zero: 5 }, [-1, 0], 2)]).toEqual([0, 2]);
  });

  it('spreads a wide bin evenly', () => {
    const bin = binOf(8); // 8 … 9
    const density = densityOf({ bins: [bin], counts: [10], zero: 0 }, [8, 9], 4);
    expect([...density]).toEqual([1, 1, 1, 1]);
  });

  it('of nothing, or over an empty range, is not known', () => {
    expect(densityOf({ bins: [], counts: [], zero: 0 }, [0, 1], 3)).toEqual(
      new Float32Array(3).fill(Number.NaN),
    );
    expect(densityOf(histogramOf([1]), [1, 1], 2)[0]).toBeNaN();
  });
});

describe('sharedRange', () => {
  it('covers nearly all of every distribution and is not stretched by an outlier', () => {
    const small = gaussian(20_000, 0, 1);
    const range = sharedRange([ordered(histogramOf([...small, 1e6])), ordered(histogramOf([5]))]);
    const inside = small.filter((value) => value > range[0] && value < range[1]).length;
    expect(inside / small.length).toBeGreaterThan(0.997);
    expect(range[1]).toBeGreaterThan(5);
    expect(range[1]).toBeLessThan(8);
  });

  it.each([[[]], [[0, 0]], [[3.5]], [[-1e-30]], [[3e38, -3e38]]])(
    'of %j is not empty',
    (values) => {
      const [lower, upper] = sharedRange([ordered(histogramOf(values))]);
      expect(upper).toBeGreaterThan(lower);
      expect(Number.isFinite(upper - lower)).toBe(true);
    },
  );
});
