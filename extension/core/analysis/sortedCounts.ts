import { BIN_COUNT } from '../../protocol/bitBins';
import { OrderedCounts, type BitHistogram } from './bitHistogram';

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
    const length = a.places.length + b.places.length;
    const places = new Uint16Array(length);
    const counts = new Float32Array(length);
    let [i, j, used] = [0, 0, 0];
    while (i < a.places.length || j < b.places.length) {
      const place = Math.min(a.places[i] ?? BIN_COUNT + 1, b.places[j] ?? BIN_COUNT + 1);
      let count = 0;
      if (a.places[i] === place) count += a.counts[i++] as number;
      if (b.places[j] === place) count += b.counts[j++] as number;
      places[used] = place;
      counts[used++] = count;
    }
    return new SortedCounts(places.slice(0, used), counts.slice(0, used));
  }

  /** All given histograms together. */
  static of(...histograms: readonly BitHistogram[]): SortedCounts {
    let all: SortedCounts | undefined;
    for (const histogram of histograms) {
      const one = SortedCounts.ofAscending(histogram);
      if (!one) return SortedCounts.ofAny(histograms);
      all = all ? SortedCounts.merged(all, one) : one;
    }
    return all ?? SortedCounts.ofAny([]);
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
    const put = (i: number) => {
      places[at] = OrderedCounts.placeOf(bins[i] as number);
      sorted[at++] = counts[i] as number;
    };
    for (let i = length - 1; i >= positive; i--) put(i);
    if (zero > 0) {
      places[at] = BIN_COUNT / 2;
      sorted[at++] = zero;
    }
    for (let i = 0; i < positive; i++) put(i);
    return new SortedCounts(places, sorted);
  }

  private static ofAny(histograms: readonly BitHistogram[]): SortedCounts {
    for (const { bins, counts, zero } of histograms) {
      for (let i = 0; i < bins.length; i++) {
        const place = OrderedCounts.placeOf(bins[i] as number);
        scratch[place] = (scratch[place] as number) + (counts[i] as number);
      }
      const middle = BIN_COUNT / 2;
      scratch[middle] = (scratch[middle] as number) + zero;
    }
    let used = 0;
    for (const count of scratch) if (count > 0) used++;
    const places = new Uint16Array(used);
    const counts = new Float32Array(used);
    let at = 0;
    for (let place = 0; place < scratch.length; place++) {
      const count = scratch[place] as number;
      if (count <= 0) continue;
      places[at] = place;
      counts[at++] = count;
    }
    scratch.fill(0);
    return new SortedCounts(places, counts);
  }
}
