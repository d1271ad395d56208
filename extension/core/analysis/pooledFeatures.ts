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
 * the variance the mean of variances plus the variance of means (the law of total variance).
 * Features without a finite value (NaN) are left out.
 *
 * @param means - mean of each feature
 * @param variances - biased variance of each feature
 */
export function poolFeatures(means: ArrayLike<number>, variances: ArrayLike<number>): Pooled {
  const length = Math.min(means.length, variances.length);
  let count = 0;
  let sum = 0;
  let within = 0;
  for (let i = 0; i < length; i++) {
    const mean = means[i] as number;
    const variance = variances[i] as number;
    if (Number.isNaN(mean) || Number.isNaN(variance)) continue;
    count++;
    sum += mean;
    within += variance;
  }
  if (count === 0) return NOTHING;
  const mean = sum / count;
  let between = 0;
  for (let i = 0; i < length; i++) {
    const value = means[i] as number;
    if (Number.isNaN(value) || Number.isNaN(variances[i] as number)) continue;
    between += (value - mean) ** 2;
  }
  return { mean, variance: (within + between) / count };
}

/** L2 norm of a tensor with `elements` finite values of that mean and variance. */
export const normOf = ({ mean, variance }: Pooled, elements: number): number =>
  Math.sqrt(Math.max(0, elements * (mean * mean + variance)));
