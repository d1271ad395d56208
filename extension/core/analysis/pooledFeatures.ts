/** Mean and biased variance of a whole tensor. */
export interface Pooled {
  readonly mean: number;
  readonly variance: number;
}

const NOTHING: Pooled = { mean: Number.NaN, variance: Number.NaN };

/**
 * Mean and biased variance of a whole tensor from those of its features.
 *
 * All features are taken to have the same number of values: then the mean is the mean of means, and
 * the variance the mean of variances plus the variance of means (the law of total variance). Each
 * feature is merged as if it were one value with a spread of its own.
 * Features without a finite value (NaN) are left out.
 *
 * @param means - mean of each feature
 * @param variances - biased variance of each feature
 */
export function poolFeatures(means: ArrayLike<number>, variances: ArrayLike<number>): Pooled {
  const length = Math.min(means.length, variances.length);
  let [n, mean, m2] = [0, 0, 0];
  for (let i = 0; i < length; i++) {
    const [own, variance] = [means[i] as number, variances[i] as number];
    if (Number.isNaN(own) || Number.isNaN(variance)) continue;
    // Chan's rule for one more, as in `mergeMoments`, without an object a feature.
    const delta = own - mean;
    m2 += variance + (delta * delta * n) / (n + 1);
    mean += delta / ++n;
  }
  return n === 0 ? NOTHING : { mean, variance: m2 / n };
}

/** L2 norm of a tensor with `elements` finite values of that mean and variance. */
export const normOf = ({ mean, variance }: Pooled, elements: number): number =>
  Math.sqrt(Math.max(0, elements * (mean * mean + variance)));
