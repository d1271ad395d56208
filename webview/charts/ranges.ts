import { extent } from 'd3-array';
import { finite, type Numbers } from '../state/viewData';
import type { Range } from './axes';

export interface Profile {
  readonly mean: Numbers;
  readonly std: Numbers;
  readonly min: Numbers;
  readonly max: Numbers;
}

export interface Samples {
  readonly mean: Numbers;
  readonly std: Numbers;
}

/**
 * Values a profile chart has to show: every mean ± σ, and minima and maxima as far as they do not
 * squeeze those to a line.
 */
export function profileRange(profiles: readonly Profile[]): Range {
  let [low, high, bottom, top] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const { mean, std, min, max } of profiles) {
    for (let i = 0; i < mean.length; i++) {
      const [m = NaN, s = NaN] = [mean[i], std[i]];
      if (!Number.isFinite(m) || !Number.isFinite(s)) continue;
      low = Math.min(low, m - s);
      high = Math.max(high, m + s);
      bottom = Math.min(bottom, min[i] ?? m);
      top = Math.max(top, max[i] ?? m);
    }
  }
  const span = high - low;
  return [Math.max(bottom, low - 0.8 * span), Math.min(top, high + 0.8 * span)];
}

export interface SampleRanges {
  readonly mean: Range;
  readonly std: Range;
}

/**
 * Where the axis ends for a band that reaches higher than that over curves with this maximum. The
 * band is cut off there: a band far above the curves would press them to a line.
 */
export const bandLimit = (curves: number): number => (curves > 0 ? 1.25 * curves : Infinity);

/** Values that hold all samples, with a margin. */
export function sampleRanges(sets: readonly Samples[]): SampleRanges {
  const range = (values: readonly number[]): Range => {
    const [low, high] = extent(values);
    if (low === undefined || high === undefined) return [-1, 1];
    const margin = Math.max((high - low) * 0.1, Math.max(Math.abs(low), Math.abs(high)) * 0.02);
    return [low - margin, high + margin];
  };
  return {
    mean: range(sets.flatMap(({ mean }) => finite(mean))),
    std: range(sets.flatMap(({ std }) => finite(std))),
  };
}
