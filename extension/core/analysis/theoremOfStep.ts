import type { BitHistogram } from './bitHistogram';
import { BIN_COUNT, binEdges } from '../../protocol/bitBins';
import type { FeatureMoments } from './momentDrift';
import { poolFeatures } from './pooledFeatures';

/** Middle of each bin. */
const MIDDLES = Float64Array.from({ length: BIN_COUNT }, (_, bin) => {
  const [lower, upper] = binEdges(bin);
  return (lower + upper) / 2;
});

/**
 * The LayerNorm theorem (Xu et al. 2019; DEFINITIONS.md, 4) on the statistics of one step.
 *
 * `meanBefore`, `meanAfter` and `varianceBefore` are exact. The theorem's bound holds for each row;
 * here both sides are averages over rows, and the bound is approximate in two ways: the variance of
 * γ·dL/dy is that over the whole tensor, which is not below its average over rows, and 1/σ² is
 * averaged by itself, from the histogram of row variances (right to a few percent), as if it were
 * independent of the gradient. A variance above the bound by more than that tells that the layer
 * does not normalize with its own statistics.
 */
export interface StepTheorem {
  /** Mean of dL/dx over all values: 0 after a LayerNorm (its gradient is centred again). */
  readonly meanBefore: number;
  /** Mean of γ·dL/dy over all values. */
  readonly meanAfter: number;
  /** Variance of dL/dx over all values, which is its average over rows where each row has mean 0. */
  readonly varianceBefore: number;
  /** Variance of γ·dL/dy over all values, times the average of 1/(σ²+ε) over rows. */
  readonly bound: number;
}

export interface StepTheoremInput {
  /** Mean and variance of dL/dx over the whole tensor. */
  readonly gradPre: { readonly mean: number; readonly variance: number };
  /** Mean and biased variance of dL/dy by feature. */
  readonly gradPost: FeatureMoments;
  /** 1 for each feature where the layer has none. */
  readonly gamma?: ArrayLike<number>;
  /** Histogram of the biased variances of the input's rows; a variance of 0 has no bin. */
  readonly rowVariances: BitHistogram;
  /** Rows of the input without NaN or Inf, where all of them are in the histogram. */
  readonly rows: number;
  readonly eps: number;
}

/**
 * Average of 1/(v+ε) over the row variances of a histogram, at the middles of their bins.
 *
 * @param rows - how many there are: constant rows, of variance 0, are those without a bin
 * @returns NaN of no rows.
 */
export function meanInverseVariance(
  { bins, counts }: BitHistogram,
  rows: number,
  eps: number,
): number {
  let [sum, total] = [0, 0];
  for (let i = 0; i < bins.length; i++) {
    const count = counts[i] as number;
    sum += count / ((MIDDLES[bins[i] as number] as number) + eps);
    total += count;
  }
  const constant = Math.max(0, rows - total);
  return total + constant > 0 ? (sum + constant / eps) / (total + constant) : Number.NaN;
}

/** See {@link StepTheorem}; NaN where a figure can not be told. */
export function theoremOfStep(input: StepTheoremInput): StepTheorem {
  const { gradPre, gradPost, gamma, rowVariances, rows, eps } = input;
  const scaled = (values: ArrayLike<number>, power: number) => {
    const result = new Float64Array(values.length);
    for (let j = 0; j < result.length; j++) {
      result[j] = (values[j] as number) * (gamma?.[j] ?? 1) ** power;
    }
    return result;
  };
  const after = poolFeatures(scaled(gradPost.mean, 1), scaled(gradPost.variance, 2));
  return {
    meanBefore: gradPre.mean,
    meanAfter: after.mean,
    varianceBefore: gradPre.variance,
    bound: after.variance * meanInverseVariance(rowVariances, rows, eps),
  };
}
