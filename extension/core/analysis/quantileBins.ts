import type { SortedCounts } from './sortedCounts';

/** Bins that the PSI is taken over, unless values are too few or too alike for so many. */
export const QUANTILE_BINS = 10;

/**
 * Groups of neighbouring bins that hold about equal shares of a reference, so that its PSI does not
 * depend on its scale. A group ends where a whole bin does: every histogram over the same bins can
 * be counted in it without an error.
 */
export class QuantileBins {
  /** Last place (see `OrderedCounts`) of each group but the last one. */
  private readonly ends: readonly number[];

  constructor(reference: SortedCounts, groups = QUANTILE_BINS) {
    const ends: number[] = [];
    let below = 0;
    let group = 1;
    const { places, counts, total } = reference;
    // The last bin ends the last group, whatever it holds.
    for (let at = 0; at < places.length - 1; at++) {
      below += counts[at] as number;
      if (below * groups < group * total) continue;
      ends.push(places[at] as number);
      // A bin that several quantiles fall into ends one group only.
      while (below * groups >= group * total) group++;
    }
    this.ends = ends;
  }

  /** Number of groups. */
  get length(): number {
    return this.ends.length + 1;
  }

  /** Counts by group, float64 [{@link length}]. */
  count({ places, counts }: SortedCounts): Float64Array {
    const result = new Float64Array(this.length);
    let group = 0;
    for (let i = 0; i < places.length; i++) {
      while (group < this.ends.length && (places[i] as number) > (this.ends[group] as number)) {
        group++;
      }
      result[group] = (result[group] as number) + (counts[i] as number);
    }
    return result;
  }
}
