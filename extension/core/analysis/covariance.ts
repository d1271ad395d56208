/** A mean and a covariance over rows. */
export interface Covariance {
  /** Rows that it is of. */
  readonly n: number;
  /** [d] */
  readonly mean: ArrayLike<number>;
  /** Biased, [d · d], row by row. */
  readonly matrix: ArrayLike<number>;
}

/** Covariance of rows of d values, in float64 and two passes. */
export function covarianceOf(rows: readonly ArrayLike<number>[]): Covariance {
  const n = rows.length;
  const d = rows[0]?.length ?? 0;
  const mean = Float64Array.from(
    { length: d },
    (_, j) => rows.reduce((sum, row) => sum + (row[j] as number), 0) / n,
  );
  const matrix = new Float64Array(d * d);
  for (const row of rows) {
    const centred = Float64Array.from(row, (value, j) => value - (mean[j] as number));
    for (let i = 0; i < d; i++) {
      for (let j = 0; j < d; j++) {
        const at = i * d + j;
        matrix[at] = (matrix[at] as number) + ((centred[i] as number) * (centred[j] as number)) / n;
      }
    }
  }
  return { n, mean, matrix };
}

/**
 * Covariance of the union of two disjoint sets of rows: S = S₁ + S₂ + δδᵀ n₁n₂/n of sums of
 * products (DEFINITIONS.md, 5). Exact.
 */
export function mergeCovariances(a: Covariance, b: Covariance): Covariance {
  if (a.n === 0) return b;
  if (b.n === 0) return a;
  const n = a.n + b.n;
  const d = a.mean.length;
  const delta = Float64Array.from(a.mean, (mean, j) => (b.mean[j] as number) - mean);
  const weight = (a.n * b.n) / n;
  return {
    n,
    mean: Float64Array.from(a.mean, (mean, j) => mean + ((delta[j] as number) * b.n) / n),
    matrix: Float64Array.from(a.matrix, (entry, at) => {
      const [i, j] = [Math.floor(at / d), at % d];
      const between = weight * (delta[i] as number) * (delta[j] as number);
      return (a.n * entry + b.n * (b.matrix[at] as number) + between) / n;
    }),
  };
}
