import { BIN_COUNT } from '../../protocol/bitBins';
import { OrderedCounts, type BitHistogram } from './bitHistogram';

/** Place of values that are exactly zero. */
const ZERO = BIN_COUNT / 2;
/** Shared by all calls, and all 0 between them. */
const scratch = new Float64Array(BIN_COUNT + 1);

/** Counts in ascending order of value, as {@link OrderedCounts}, without the empty bins. */
export class SortedCounts {
  readonly total: number;

  private constructor(
    /** Where the counts lie in {@link OrderedCounts}, ascending. */
    readonly places: Uint16Array,
    readonly counts: Float32Array,
  ) {
    let total = 0;
    for (let i = 0; i < counts.length; i++) total += counts[i] as number;
    this.total = total;
  }

  get byteLength(): number {
    return this.places.byteLength + this.counts.byteLength;
  }

  /** Both together. */
  static merged(a: SortedCounts, b: SortedCounts): SortedCounts {
    const [n, m] = [a.places.length, b.places.length];
    const places = new Uint16Array(n + m);
    const counts = new Float32Array(n + m);
    let [i, j, used] = [0, 0, 0];
    while (i < n || j < m) {
      const here = i < n ? (a.places[i] as number) : BIN_COUNT + 1;
      const there = j < m ? (b.places[j] as number) : BIN_COUNT + 1;
      let count = 0;
      if (here <= there) count += a.counts[i++] as number;
      if (there <= here) count += b.counts[j++] as number;
      places[used] = here < there ? here : there;
      counts[used++] = count;
    }
    return new SortedCounts(places.slice(0, used), counts.slice(0, used));
  }

  /** All given histograms together. */
  static of(...histograms: readonly BitHistogram[]): SortedCounts {
    const [only] = histograms;
    const one = histograms.length === 1 && only ? SortedCounts.ofAscending(only) : undefined;
    return one ?? SortedCounts.ofAny(histograms);
  }

  /**
   * A histogram whose bins ascend, as agents send them: the negative ones come last, those of the
   * smallest values first. Undefined for one whose bins do not.
   */
  private static ofAscending({ bins, counts, zero }: BitHistogram): SortedCounts | undefined {
    const { length } = bins;
    let positive = 0;
    let last = -1;
    for (let i = 0; i < length; i++) {
      const bin = bins[i] as number;
      if (bin <= last || !((counts[i] as number) > 0)) return undefined;
      last = bin;
      if (bin < BIN_COUNT / 2) positive = i + 1;
    }
    const size = length + (zero > 0 ? 1 : 0);
    const places = new Uint16Array(size);
    const sorted = new Float32Array(size);
    let at = 0;
    for (let i = length - 1; i >= positive; i--) {
      places[at] = OrderedCounts.placeOf(bins[i] as number);
      sorted[at++] = counts[i] as number;
    }
    if (zero > 0) {
      places[at] = ZERO;
      sorted[at++] = zero;
    }
    for (let i = 0; i < positive; i++) {
      places[at] = OrderedCounts.placeOf(bins[i] as number);
      sorted[at++] = counts[i] as number;
    }
    return new SortedCounts(places, sorted);
  }

  private static ofAny(histograms: readonly BitHistogram[]): SortedCounts {
    // Values of a tensor lie in a part of all bins: the rest is not looked at.
    let [first, last] = [scratch.length, -1];
    for (const { bins, counts, zero } of histograms) {
      for (let i = 0; i < bins.length; i++) {
        const place = OrderedCounts.placeOf(bins[i] as number);
        scratch[place] = (scratch[place] as number) + (counts[i] as number);
        if (place < first) first = place;
        if (place > last) last = place;
      }
      if (!(zero > 0)) continue;
      scratch[ZERO] = (scratch[ZERO] as number) + zero;
      first = Math.min(first, ZERO);
      last = Math.max(last, ZERO);
    }
    let used = 0;
    for (let place = first; place <= last; place++) if ((scratch[place] as number) > 0) used++;
    const places = new Uint16Array(used);
    const counts = new Float32Array(used);
    let at = 0;
    for (let place = first; place <= last; place++) {
      const count = scratch[place] as number;
      scratch[place] = 0;
      if (!(count > 0)) continue;
      places[at] = place;
      counts[at++] = count;
    }
    return new SortedCounts(places, counts);
  }
}
