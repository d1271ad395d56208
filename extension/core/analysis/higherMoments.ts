/** Moments of a set of values up to the fourth, in float64; merging is exact. */
export interface HigherMoments {
  readonly n: number;
  readonly mean: number;
  /** Sum of the second, third and fourth powers of the deviations from the mean. */
  readonly m2: number;
  readonly m3: number;
  readonly m4: number;
  readonly min: number;
  readonly max: number;
}

export const NO_HIGHER_MOMENTS: HigherMoments = {
  n: 0,
  mean: 0,
  m2: 0,
  m3: 0,
  m4: 0,
  min: Number.POSITIVE_INFINITY,
  max: Number.NEGATIVE_INFINITY,
};

/** Of a list of finite values, in two passes. */
export function higherMomentsOf(values: ArrayLike<number>): HigherMoments {
  const n = values.length;
  if (n === 0) return NO_HIGHER_MOMENTS;
  let [sum, min, max] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < n; i++) {
    const value = values[i] as number;
    sum += value;
    min = Math.min(min, value);
    max = Math.max(max, value);
  }
  let mean = sum / n;
  // Once more about the first mean: its rounding would count n times in the powers.
  let rest = 0;
  for (let i = 0; i < n; i++) rest += (values[i] as number) - mean;
  mean += rest / n;
  let [m2, m3, m4] = [0, 0, 0];
  for (let i = 0; i < n; i++) {
    const deviation = (values[i] as number) - mean;
    const square = deviation * deviation;
    m2 += square;
    m3 += square * deviation;
    m4 += square * square;
  }
  return { n, mean, m2, m3, m4, min, max };
}

/** Moments of the union of two disjoint sets (Pébay 2008; DEFINITIONS.md, 9). */
export function mergeHigherMoments(a: HigherMoments, b: HigherMoments): HigherMoments {
  if (a.n === 0) return b;
  if (b.n === 0) return a;
  const n = a.n + b.n;
  const d = b.mean - a.mean;
  const ab = a.n * b.n;
  return {
    n,
    mean: a.mean + (d * b.n) / n,
    m2: a.m2 + b.m2 + (d ** 2 * ab) / n,
    m3:
      a.m3 + b.m3 + (d ** 3 * ab * (a.n - b.n)) / n ** 2 + (3 * d * (a.n * b.m2 - b.n * a.m2)) / n,
    m4:
      a.m4 +
      b.m4 +
      (d ** 4 * ab * (a.n ** 2 - ab + b.n ** 2)) / n ** 3 +
      (6 * d ** 2 * (a.n ** 2 * b.m2 + b.n ** 2 * a.m2)) / n ** 2 +
      (4 * d * (a.n * b.m3 - b.n * a.m3)) / n,
    min: Math.min(a.min, b.min),
    max: Math.max(a.max, b.max),
  };
}

/** √n·M3/M2^1.5; NaN of constant values. */
export const skewnessOf = ({ n, m2, m3 }: HigherMoments): number =>
  m2 > 0 ? (Math.sqrt(n) * m3) / m2 ** 1.5 : Number.NaN;

/** The excess n·M4/M2² − 3; NaN of constant values. */
export const kurtosisOf = ({ n, m2, m4 }: HigherMoments): number =>
  m2 > 0 ? (n * m4) / m2 ** 2 - 3 : Number.NaN;
