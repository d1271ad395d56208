import { bisectCenter, bisectLeft, bisector, bisectRight } from 'd3-array';
import type { StepRange } from '../../../protocol/stepChoice';

/** Most features in a vector of a layer view. */
export const MAX_LAYER_FEATURES = 4096;

/** A number asked for by the panel, kept within bounds. */
export function bounded(value: number, lowest: number, highest: number): number {
  if (!Number.isFinite(value)) return lowest;
  return Math.min(highest, Math.max(lowest, Math.floor(value)));
}

/** At most `most` rows of `length`, evenly spaced, the newest always among them; in order. */
export function thinnedRows(length: number, most: number): readonly number[] {
  const stride = Math.max(1, Math.ceil(length / most));
  const rows: number[] = [];
  for (let row = length - 1; row >= 0; row -= stride) rows.push(row);
  return rows.reverse();
}

/** First row within a range of steps, and the first behind it; all rows without a range. */
export function rowsWithin(
  steps: ArrayLike<number>,
  range: StepRange | undefined,
): readonly [from: number, to: number] {
  if (!range) return [0, steps.length];
  return [bisectLeft(steps, range[0]), bisectRight(steps, range[1])];
}

/**
 * At most `most` rows within a range of steps, and the ones next to it, so that a line runs through
 * the whole range, however few of its steps are kept.
 */
export function rowsThrough(
  steps: ArrayLike<number>,
  range: StepRange | undefined,
  most: number,
): readonly number[] {
  const [from, to] = rowsWithin(steps, range);
  const within = thinnedRows(to - from, most).map((row) => row + from);
  return [...(from > 0 ? [from - 1] : []), ...within, ...(to < steps.length ? [to] : [])];
}

const byStep = bisector((record: { readonly step: number }) => record.step);

/** The same of kept steps. */
export function recordsWithin<R extends { readonly step: number }>(
  records: readonly R[],
  range: StepRange | undefined,
): readonly R[] {
  if (!range) return records;
  return records.slice(byStep.left(records, range[0]), byStep.right(records, range[1]));
}

/** The row of ascending step numbers that is nearest to a step; −1 where there is none. */
export const nearestRow = (steps: Float64Array, step: number): number =>
  steps.length === 0 ? -1 : bisectCenter(steps, step);

/** Every `stride`-th value, from the first on. */
export function strided(values: Float32Array, stride: number): Float32Array {
  if (stride === 1) return values;
  const result = new Float32Array(Math.ceil(values.length / stride));
  for (let i = 0; i < result.length; i++) result[i] = values[i * stride] as number;
  return result;
}

/** A figure as the JSON part of a view carries it. */
export const orNull = (value: number): number | null => (Number.isFinite(value) ? value : null);
