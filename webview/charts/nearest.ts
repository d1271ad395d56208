import { bisectLeft } from 'd3-array';
import type { Numbers } from '../state/viewData';

/** Index of the entry of an ascending row that is nearest to `value`; −1 where there is none. */
export function nearestIndex(ascending: Numbers, value: number): number {
  const right = bisectLeft(ascending, value);
  if (right === 0) return ascending.length === 0 ? -1 : 0;
  if (right === ascending.length) return right - 1;
  const [low = NaN, high = NaN] = [ascending[right - 1], ascending[right]];
  return value - low <= high - value ? right - 1 : right;
}

/** The last finite value of a row and its index. */
export function lastFinite(values: Numbers): { index: number; value: number } | undefined {
  for (let index = values.length - 1; index >= 0; index--) {
    const value = values[index];
    if (value !== undefined && Number.isFinite(value)) return { index, value };
  }
  return undefined;
}
