import { binEdges } from '../../protocol/bitBins';
import type { BitHistogram } from './bitHistogram';

/**
 * Density of a histogram on a linear axis: `points` cells of equal width w over `range`; cell i has
 * its centre at `lower + (i + ½)·w`.
 *
 * Each bin's count is spread evenly over the bin's interval, zeros lie in the cell that holds 0, and
 * the result is per unit of value, so `sum(density) · w` is the share of all counted values that
 * lies in the range.
 *
 * @returns all NaN for an empty histogram.
 */
export function densityOf(
  histogram: BitHistogram,
  range: readonly [number, number],
  points: number,
): Float32Array {
  const [lower, upper] = range;
  const width = (upper - lower) / points;
  let total = histogram.zero;
  for (let i = 0; i < histogram.bins.length; i++) total += histogram.counts[i] as number;
  if (!(total > 0) || !(width > 0)) return new Float32Array(points).fill(Number.NaN);

  const mass = new Float64Array(points);
  const put = (cell: number, amount: number) => {
    mass[cell] = (mass[cell] as number) + amount;
  };
  for (let i = 0; i < histogram.bins.length; i++) {
    const count = histogram.counts[i] as number;
    const [from, to] = binEdges(histogram.bins[i] as number);
    if (to <= lower || from >= upper) continue;
    const perUnit = count / (to - from);
    const first = Math.max(0, Math.floor((from - lower) / width));
    const last = Math.min(points - 1, Math.floor((to - lower) / width));
    for (let cell = first; cell <= last; cell++) {
      const start = Math.max(from, lower + cell * width);
      const end = Math.min(to, lower + (cell + 1) * width);
      if (end > start) put(cell, perUnit * (end - start));
    }
  }
  if (lower <= 0 && upper >= 0) {
    put(Math.min(points - 1, Math.floor(-lower / width)), histogram.zero);
  }
  return Float32Array.from(mass, (amount) => amount / (total * width));
}
