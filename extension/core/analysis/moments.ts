/** Count, mean and sum of squared deviations of a set of values, in float64. */
export interface Moments {
  readonly n: number;
  readonly mean: number;
  /** Sum of squared deviations from the mean; the biased variance is `m2 / n`. */
  readonly m2: number;
}

export const NO_MOMENTS: Moments = { n: 0, mean: 0, m2: 0 };

/**
 * Moments of the union of two disjoint sets (Chan, Golub and LeVeque 1979). Exact, and free of the
 * cancellation of E[x²] − E[x]².
 */
export function mergeMoments(a: Moments, b: Moments): Moments {
  if (a.n === 0) return b;
  if (b.n === 0) return a;
  const n = a.n + b.n;
  const delta = b.mean - a.mean;
  return {
    n,
    mean: a.mean + (delta * b.n) / n,
    m2: a.m2 + b.m2 + (delta * delta * a.n * b.n) / n,
  };
}

/** Biased variance; NaN of an empty set. */
export const varianceOf = (moments: Moments): number =>
  moments.n === 0 ? Number.NaN : moments.m2 / moments.n;
