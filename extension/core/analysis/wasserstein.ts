import { BIN_COUNT, binEdges } from '../../protocol/bitBins';
import { OrderedCounts } from './bitHistogram';
import type { SortedCounts } from './sortedCounts';

/** Middle of each bin in the order of {@link OrderedCounts}; zero lies at 0. */
const MIDDLES = Float64Array.from({ length: BIN_COUNT + 1 }, (_, place) => {
  const bin = OrderedCounts.binAt(place);
  if (bin === undefined) return 0;
  const [lower, upper] = binEdges(bin);
  return lower + (upper - lower) / 2;
});

/**
 * Wasserstein-1 distance of two distributions over the same ordered positions: the integral of
 * |F − G| (DEFINITIONS.md, 6). With the middles of bins of equal width it is
 * Σ |F_b − G_b| · width.
 *
 * @param positions - ascending, one for each entry of the counts
 * @returns NaN when either distribution is empty.
 */
export function wasserstein1(
  positions: ArrayLike<number>,
  first: ArrayLike<number>,
  second: ArrayLike<number>,
): number {
  const total = (counts: ArrayLike<number>) => {
    let sum = 0;
    for (let i = 0; i < counts.length; i++) sum += counts[i] as number;
    return sum;
  };
  const [n, m] = [total(first), total(second)];
  if (!(n > 0) || !(m > 0)) return Number.NaN;
  let distance = 0;
  let [f, g] = [0, 0];
  let last = Number.NaN;
  for (let i = 0; i < positions.length; i++) {
    const [a, b] = [first[i] as number, second[i] as number];
    if (a === 0 && b === 0) continue;
    const position = positions[i] as number;
    // Differences of shares, so that equal histograms are at distance 0 whatever was rounded.
    if (f !== g) distance += Math.abs(f - g) * (position - last);
    f += a / n;
    g += b / m;
    last = position;
  }
  return distance;
}

/**
 * {@link wasserstein1} of two mergeable histograms, in standard deviations of the reference. Values
 * count as the middle of their bin, so the distance is right to an eighth of an octave of the values
 * that moved; equal histograms are at distance 0.
 *
 * @param deviation - standard deviation of the reference
 * @returns NaN when one is empty, or the reference has no spread and the other differs from it.
 */
export function normedWasserstein(
  reference: SortedCounts,
  current: SortedCounts,
  deviation: number,
): number {
  const distance = distanceOf(reference, current);
  if (distance === 0) return 0;
  return deviation > 0 ? distance / deviation : Number.NaN;
}

/** {@link wasserstein1} at the middles of the bins, over both lists at once. */
function distanceOf(first: SortedCounts, second: SortedCounts): number {
  if (!(first.total > 0) || !(second.total > 0)) return Number.NaN;
  let [distance, f, g, last, i, j] = [0, 0, 0, 0, 0, 0];
  const { places: here, counts: ours, total: n } = first;
  const { places: there, counts: theirs, total: m } = second;
  while (i < here.length || j < there.length) {
    // Never read beyond an end: this runs for every layer at every step.
    const a = i < here.length ? (here[i] as number) : Number.POSITIVE_INFINITY;
    const b = j < there.length ? (there[j] as number) : Number.POSITIVE_INFINITY;
    const position = MIDDLES[a < b ? a : b] as number;
    // Counts, not shares, are added up: equal histograms are at distance 0 whatever is rounded.
    const gap = Math.abs(f / n - g / m);
    if (gap > 0) distance += gap * (position - last);
    if (a <= b) f += ours[i++] as number;
    if (b <= a) g += theirs[j++] as number;
    last = position;
  }
  return distance;
}
