import { describe, expect, it } from 'vitest';
import { featureMap } from '../../../extension/agents/node/featureMap';
import { furthest, mergeRows, rowFigures } from '../../../extension/agents/node/rows';
import { summarize } from '../../../extension/agents/node/statistics';
import { binOf } from '../../../extension/protocol/bitBins';
import { groupMoments, randomNumbers } from './harness/reference';

const figuresOf = (values: Float32Array, shape: number[], axes: number[]) => {
  const { tap, rows } = summarize(values, featureMap(shape, axes), 4096, true);
  if (!rows) throw new Error('There are no rows.');
  return { rows, whole: tap.whole, figures: rowFigures(rows, tap.whole.mean) };
};

function expectRows(values: number[], shape: number[], axes: number[], others: number[]) {
  const { rows } = figuresOf(Float32Array.from(values), shape, axes);
  const expected = groupMoments(values, shape, others);
  expect(rows.mean).toHaveLength(expected.mean.length);
  expected.mean.forEach((mean, row) => {
    expect(rows.mean[row]).toBeCloseTo(mean, 10);
    expect(rows.variance[row]).toBeCloseTo(expected.variance[row] ?? NaN, 10);
  });
}

describe('the rows of a tensor', () => {
  it.each([
    [[3, 4, 6], [2], [0, 1]],
    [[3, 4, 6], [1, 2], [0]],
    [[3, 4, 6], [1], [0, 2]],
    [
      [2, 3, 4, 3],
      [1, 3],
      [0, 2],
    ],
  ])('of shape %j with feature axes %j have the moments of plain loops', (shape, axes, others) => {
    const values = randomNumbers(72, 3).map((value) => Math.fround(value));
    expectRows(values, shape, axes, others);
    values[10] = NaN;
    expectRows(values, shape, axes, others);
  });

  it('that lie furthest out are found, furthest first', () => {
    const values = Float32Array.from(randomNumbers(400, 5));
    for (const [row, factor] of [
      [17, 9],
      [60, 20],
      [99, 14],
    ] as const) {
      for (let f = 0; f < 4; f += 1) values[row * 4 + f] = factor * (values[row * 4 + f] ?? 0) + 3;
    }
    const { figures, whole } = figuresOf(values, [100, 4], [1]);
    const distances = Array.from({ length: 100 }, (_, row) => {
      const own = [...values.subarray(row * 4, row * 4 + 4)];
      return { row, far: own.reduce((sum, value) => sum + (value - whole.mean) ** 2, 0) / 4 };
    });
    const expected = distances.sort((a, b) => b.far - a.far).slice(0, 8);
    const found = furthest(figures.extremes, whole.mean);
    expect(found.map(({ index }) => index)).toEqual(expected.map(({ row }) => row));
    found.forEach(({ mean, variance }, i) =>
      expect(variance + (mean - whole.mean) ** 2).toBeCloseTo(expected[i]?.far ?? NaN, 10),
    );
  });

  it('with NaN or infinities are not among the extreme ones', () => {
    const values = Float32Array.from([1, 2, 100, NaN, 3, 4, Infinity, 5]);
    const { figures } = figuresOf(values, [4, 2], [1]);
    expect(figures.extremes.map(({ index }) => index).sort()).toEqual([0, 2]);
  });

  it('are counted by the bins of their means and variances', () => {
    const values = Float32Array.from([1, 3, 1, 3, -4, -4]);
    const { figures } = figuresOf(values, [3, 2], [1]);
    const counts = (histogram: Uint32Array) =>
      [...histogram].flatMap((count, bin) => (count > 0 ? [[bin, count]] : []));
    expect(counts(figures.meanHistogram)).toEqual([
      [binOf(2), 2],
      [binOf(-4), 1],
    ]);
    // A variance of 0 has no bin.
    expect(counts(figures.varianceHistogram)).toEqual([[binOf(1), 2]]);
  });

  it('of a further call are counted on, and ranked about the mean of all', () => {
    const first = figuresOf(Float32Array.from([0, 0, 1, 1]), [2, 2], [1]).figures;
    const second = figuresOf(Float32Array.from([9, 9, 2, 2, 2, 2]), [3, 2], [1]).figures;
    mergeRows(first, second, 2.8);
    expect(first.count).toBe(5);
    expect(furthest(first.extremes, 2.8).map(({ index }) => index)).toEqual([2, 0, 1, 3, 4]);
  });
});
