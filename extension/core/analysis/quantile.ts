import { binEdges } from '../../protocol/bitBins';
import { OrderedCounts } from './bitHistogram';

/**
 * Value below which the share `q` (0 … 1) of the counted values lies, linear within a bin; so its
 * relative error is at most a bin's width, an eighth of an octave.
 *
 * @returns NaN of an empty histogram.
 */
export function quantile(ordered: OrderedCounts, q: number): number {
  if (ordered.total <= 0) return Number.NaN;
  const wanted = Math.min(1, Math.max(0, q)) * ordered.total;
  let below = 0;
  let last = Number.NaN;
  for (let place = 0; place < ordered.counts.length; place++) {
    const count = ordered.counts[place] as number;
    if (count === 0) continue;
    const bin = OrderedCounts.binAt(place);
    const [lower, upper] = bin === undefined ? [0, 0] : binEdges(bin);
    if (below + count >= wanted) return lower + ((upper - lower) * (wanted - below)) / count;
    below += count;
    last = upper;
  }
  return last;
}
