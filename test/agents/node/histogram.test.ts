import { describe, expect, it } from 'vitest';
import { addToHistogram, sparse, strideFor } from '../../../extension/agents/node/histogram';
import { BIN_COUNT, binEdges } from '../../../extension/protocol/bitBins';
import { randomNumbers } from './harness/reference';

/** Counts by the bins' edges, not by bits. */
function countByEdges(values: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const value of values) {
    if (!Number.isFinite(value) || value === 0) continue;
    for (let bin = 0; bin < BIN_COUNT; bin += 1) {
      const [lower, upper] = binEdges(bin);
      const inside = value > 0 ? value >= lower && value < upper : value > lower && value <= upper;
      if (inside) counts.set(bin, (counts.get(bin) ?? 0) + 1);
    }
  }
  return counts;
}

describe('the histogram', () => {
  it('puts every finite value between the edges of its bin', () => {
    const values = [
      ...randomNumbers(100, 1),
      ...[1, -1, 1.125, -1.125, 2 ** -126, 1e-40, -1e-44, 3e38, 0, -0, NaN, Infinity, -Infinity],
    ].map(Math.fround);
    const counts = new Uint32Array(BIN_COUNT);
    addToHistogram(counts, Float32Array.from(values), values.length, 1, 0);
    const { bins, counts: sparseCounts, splits } = sparse([counts]);
    const actual = new Map([...bins].map((bin, i) => [bin, sparseCounts[i] ?? 0]));
    expect(actual).toEqual(new Map([...countByEdges(values)].sort(([a], [b]) => a - b)));
    expect([...splits]).toEqual([0, bins.length]);
  });

  it('takes every k-th row', () => {
    const counts = new Uint32Array(BIN_COUNT);
    const values = Float32Array.from([1, 1, 2, 2, 4, 4, 8, 8, 16, 16]);
    addToHistogram(counts, values, 2, 3, 1);
    expect(countByEdges([2, 2, 16, 16])).toEqual(
      new Map([...counts].flatMap((count, bin) => (count > 0 ? [[bin, count]] : []))),
    );
  });

  it('reads a view that does not begin at the start of its buffer', () => {
    const counts = new Uint32Array(BIN_COUNT);
    addToHistogram(counts, Float32Array.from([1, 2, 4]).subarray(1), 1, 1, 0);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(2);
  });

  it('samples tensors of more than 32,768 values by a prime stride', () => {
    expect(strideFor(32_768, 1_024)).toBe(1);
    expect(strideFor(32_769, 32_769)).toBe(2);
    expect(strideFor(32_768 * 16, 16_384)).toBe(17);
  });

  it.each([
    [8, 100_000],
    [1, 200_000],
    [2, 65_537],
    [13, 65_536],
  ])('of %d rows of %d values has values at every step', (rows, rowLength) => {
    const stride = strideFor(rows * rowLength, rows);
    const values = new Float32Array(rows * rowLength).fill(1);
    const seen = new Set<number>();
    for (let step = 0; step < 2 * rows; step += 1) {
      const counts = new Uint32Array(BIN_COUNT);
      addToHistogram(counts, values, rowLength, stride, step % stride);
      const total = counts.reduce((sum, count) => sum + count, 0);
      expect(total % rowLength).toBe(0);
      expect(total).toBeGreaterThan(0);
      seen.add(step % stride);
    }
    expect(seen.size).toBe(stride);
  });

  it('leaves the row of a tap that did not fire empty', () => {
    const row = new Uint32Array(BIN_COUNT);
    row[7] = 3;
    const { splits, bins, counts } = sparse([undefined, row, undefined]);
    expect([[...splits], [...bins], [...counts]]).toEqual([[0, 0, 1, 1], [7], [3]]);
  });
});
