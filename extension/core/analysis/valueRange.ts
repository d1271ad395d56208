import type { OrderedCounts } from './bitHistogram';
import { quantile } from './quantile';

const TAIL = 0.001;
const PADDING = 0.05;

/**
 * Value axis that several distributions share: from the lowest 0.1 % quantile to the highest 99.9 %
 * quantile of any of them, with a little room at both ends. Never empty, always finite.
 */
export function sharedRange(distributions: readonly OrderedCounts[]): readonly [number, number] {
  let lower = Number.POSITIVE_INFINITY;
  let upper = Number.NEGATIVE_INFINITY;
  for (const counts of distributions) {
    if (counts.total <= 0) continue;
    lower = Math.min(lower, quantile(counts, TAIL));
    upper = Math.max(upper, quantile(counts, 1 - TAIL));
  }
  if (!(lower <= upper)) return [-1, 1];
  const room = (upper - lower) * PADDING || Math.abs(upper) * PADDING || 1;
  return [lower - room, upper + room];
}
