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
