import { OrderedCounts, type BitHistogram } from '../../../extension/core/analysis/bitHistogram';
import { SortedCounts } from '../../../extension/core/analysis/sortedCounts';
import { binOf } from '../../../extension/protocol/bitBins';
import { seeded } from '../../fixtures/syntheticRun';

/** The histogram of a list of finite values, as an agent would send it. */
export function histogramOf(values: readonly number[]): BitHistogram {
  const counts = new Map<number, number>();
  for (const value of values) {
    if (value !== 0) counts.set(binOf(value), (counts.get(binOf(value)) ?? 0) + 1);
  }
  const zero = values.filter((value) => value === 0).length;
  return { bins: [...counts.keys()], counts: [...counts.values()], zero };
}

export function ordered(...histograms: readonly BitHistogram[]): OrderedCounts {
  const counts = new OrderedCounts();
  for (const histogram of histograms) counts.add(histogram);
  return counts;
}

export const sorted = (values: readonly number[]): SortedCounts =>
  SortedCounts.of(histogramOf(values));

/** A reproducible source of Gaussian values. */
export function gaussians(seed: number) {
  const random = seeded(seed);
  return (n: number, mean = 0, std = 1): number[] =>
    Array.from(
      { length: n },
      () => mean + std * Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random()),
    );
}
