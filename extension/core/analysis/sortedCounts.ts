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
    this.total = counts.reduce((sum, count) => sum + count, 0);
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
