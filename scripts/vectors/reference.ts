/** Statistics of a tensor by plain loops in float64, independent of what is compared with them. */

export interface Layout {
  readonly shape: readonly number[];
  readonly featureAxis: number;
}

export interface Moments {
  readonly n: number;
  readonly mean: number;
  readonly variance: number;
  readonly skewness: number;
  readonly kurtosis: number;
  readonly min: number;
  readonly max: number;
}

export function momentsOf(values: readonly number[]): Moments {
  const n = values.length;
  const average = (of: (value: number) => number) =>
    values.reduce((sum, value) => sum + of(value), 0) / n;
  const mean = average((value) => value);
  const central = (power: number) => average((value) => (value - mean) ** power);
  const variance = central(2);
  return {
    n,
    mean,
    variance,
    skewness: central(3) / variance ** 1.5,
    kurtosis: central(4) / variance ** 2 - 3,
    min: Math.min(...values),
    max: Math.max(...values),
  };
}

/** Index along one axis of each value of a tensor in row-major order. */
function indicesAlong(shape: readonly number[], axis: number): (at: number) => number {
  const stride = shape.slice(axis + 1).reduce((product, size) => product * size, 1);
  const size = shape[axis] as number;
  return (at) => Math.floor(at / stride) % size;
}

/** Values split by their index along an axis. */
export function splitAlong(
  values: readonly number[],
  shape: readonly number[],
  axis: number,
): readonly (readonly number[])[] {
  const indexOf = indicesAlong(shape, axis);
  const parts: number[][] = Array.from({ length: shape[axis] as number }, () => []);
  values.forEach((value, at) => (parts[indexOf(at)] as number[]).push(value));
  return parts;
}

/** Moments of each feature and of each sample (the first axis). */
export function momentsBy(values: readonly number[], { shape, featureAxis }: Layout) {
  return {
    features: splitAlong(values, shape, featureAxis).map(momentsOf),
    samples: splitAlong(values, shape, 0).map(momentsOf),
    whole: momentsOf(values),
  };
}
