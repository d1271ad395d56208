import { BIN_COUNT } from '../../protocol/bitBins';

/** A mergeable histogram as the wire carries it: some bins with their counts, and exact zeros. */
export interface BitHistogram {
  /** Bins by `binOf`, in any order. */
  readonly bins: ArrayLike<number>;
  readonly counts: ArrayLike<number>;
  /** Values that are exactly zero, on the same scale as `counts`. */
  readonly zero: number;
}

const HALF = BIN_COUNT / 2;

/**
 * Counts in ascending order of value: negative bins, zero, positive bins. Merging histograms is
 * adding their counts.
 */
export class OrderedCounts {
  /** Index `place` holds the count of {@link OrderedCounts.binAt}. */
  readonly counts = new Float64Array(BIN_COUNT + 1);
  total = 0;

  add(histogram: BitHistogram): void {
    for (let i = 0; i < histogram.bins.length; i++) {
      this.addAt(OrderedCounts.placeOf(histogram.bins[i] as number), histogram.counts[i] as number);
    }
    this.addAt(HALF, histogram.zero);
  }

  private addAt(place: number, count: number): void {
    this.counts[place] = (this.counts[place] as number) + count;
    this.total += count;
  }

  static placeOf(bin: number): number {
    return bin >= HALF ? BIN_COUNT - 1 - bin : bin + 1 + HALF;
  }

  /** The bin at a place; undefined for zero. */
  static binAt(place: number): number | undefined {
    if (place === HALF) return undefined;
    return place < HALF ? BIN_COUNT - 1 - place : place - 1 - HALF;
  }
}
