/** Tolerance of figures that are computed in float64 from float64 numbers. */
export const FLOAT64_TOLERANCE = 1e-9;
/** Tolerance of figures that are taken from float32 tensors. */
export const FLOAT32_TOLERANCE = 1e-5;

/** Figures beside what they should be. */
export interface Comparison {
  readonly what: string;
  readonly actual: ArrayLike<number>;
  readonly expected: ArrayLike<number>;
  /** What an error is relative to; the largest expected value unless given. */
  readonly scale?: number;
  /** Looser than the engine's, with the reason. */
  readonly looser?: { readonly tolerance: number; readonly because: string };
}

export function compare(
  what: string,
  actual: ArrayLike<number> | number,
  expected: ArrayLike<number> | number,
  rest: Pick<Comparison, 'scale' | 'looser'> = {},
): Comparison {
  const list = (value: ArrayLike<number> | number) => (typeof value === 'number' ? [value] : value);
  return { what, actual: list(actual), expected: list(expected), ...rest };
}

/** Largest error of any value, relative to the comparison's scale; infinite when one is missing or NaN. */
export function relativeError({ actual, expected, scale }: Comparison): number {
  if (actual.length !== expected.length) return Number.POSITIVE_INFINITY;
  const values = Array.from(expected);
  const reference = scale ?? values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  let worst = 0;
  values.forEach((value, at) => {
    const error = Math.abs((actual[at] as number) - value);
    worst = Number.isNaN(error) ? Number.POSITIVE_INFINITY : Math.max(worst, error);
  });
  return reference > 0 ? worst / reference : worst;
}

/** What came of one case of a file in one engine. */
export interface Outcome {
  readonly name: string;
  readonly worst: number;
  /** A sentence for each comparison that is beyond its tolerance. */
  readonly failures: readonly string[];
}

export function judge(
  name: string,
  comparisons: readonly Comparison[],
  tolerance: number,
): Outcome {
  let worst = 0;
  const failures: string[] = [];
  for (const comparison of comparisons) {
    const error = relativeError(comparison);
    const allowed = Math.max(tolerance, comparison.looser?.tolerance ?? 0);
    worst = Math.max(worst, error);
    if (!(error <= allowed)) {
      const size = error.toExponential(1);
      failures.push(`${name}: ${comparison.what} is off by ${size}, ${allowed} is allowed.`);
    }
  }
  return { name, worst, failures };
}
