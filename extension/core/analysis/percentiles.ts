import { binEdges } from '../../protocol/bitBins';
import { OrderedCounts } from './bitHistogram';
import type { SortedCounts } from './sortedCounts';

/**
 * Values below which the given shares of the counted values lie, linear within a bin as `quantile`
 * is, all in one pass.
 *
 * @param shares - from 0 to 1, ascending
 * @returns float32, one a share; all NaN of an empty histogram.
 */
export function percentiles(sorted: SortedCounts, shares: readonly number[]): Float32Array {
  const result = new Float32Array(shares.length).fill(Number.NaN);
  const { places, counts, total } = sorted;
  let [below, at] = [0, 0];
  for (let i = 0; i < places.length; i++) {
    const count = counts[i] as number;
    const bin = OrderedCounts.binAt(places[i] as number);
    const [lower, upper] = bin === undefined ? [0, 0] : binEdges(bin);
    const last = i === places.length - 1;
    while (at < shares.length && (last || below + count >= (shares[at] as number) * total)) {
      const within = ((shares[at] as number) * total - below) / count;
      result[at++] = lower + (upper - lower) * Math.min(1, within);
    }
    below += count;
  }
  return result;
}
