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

/** Every `stride`-th value, from the first on. */
export function strided(values: Float32Array, stride: number): Float32Array {
  if (stride === 1) return values;
  const result = new Float32Array(Math.ceil(values.length / stride));
  for (let i = 0; i < result.length; i++) result[i] = values[i * stride] as number;
  return result;
}

/** A figure as the JSON part of a view carries it. */
export const orNull = (value: number): number | null => (Number.isFinite(value) ? value : null);
