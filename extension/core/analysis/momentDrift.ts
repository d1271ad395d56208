/** Mean and biased variance of each feature at one step. */
export interface FeatureMoments {
  readonly mean: ArrayLike<number>;
  readonly variance: ArrayLike<number>;
}

export interface MomentDrift {
  /** Root mean square over features of the mean's change, in pooled standard deviations. */
  readonly mean: number;
  /** Mean over features of the variance's absolute change, relative to the mean variance. */
  readonly variance: number;
}

const UNKNOWN: MomentDrift = { mean: Number.NaN, variance: Number.NaN };

/**
 * Change of a layer's first two moments from one captured step to the next: the quantities
 * |μ(t+1) − μ(t)| and |σ²(t+1) − σ²(t)| of Santurkar et al. 2018 (Fig. 8), over all features of a
 * layer and free of its scale:
 *
 *     mean     = sqrt(mean_j (μ'_j − μ_j)²) / sqrt(v)
 *     variance = mean_j |σ'²_j − σ²_j| / v,   v = mean_j (σ²_j + σ'²_j) / 2
 *
 * Features that are NaN at either step are left out. Both are NaN when no feature is left, when the
 * number of features differs, and when something changed while v is 0.
 */
export function momentDrift(before: FeatureMoments, after: FeatureMoments): MomentDrift {
  const length = before.mean.length;
  if (after.mean.length !== length) return UNKNOWN;
  let count = 0;
  let squares = 0;
  let changes = 0;
  let pooled = 0;
  for (let j = 0; j < length; j++) {
    const meanChange = (after.mean[j] as number) - (before.mean[j] as number);
    const from = before.variance[j] as number;
    const to = after.variance[j] as number;
    if (Number.isNaN(meanChange) || Number.isNaN(from) || Number.isNaN(to)) continue;
    count++;
    squares += meanChange * meanChange;
    changes += Math.abs(to - from);
    pooled += (from + to) / 2;
  }
  if (count === 0) return UNKNOWN;
  if (pooled === 0) return squares === 0 ? { mean: 0, variance: 0 } : UNKNOWN;
  return { mean: Math.sqrt(squares / pooled), variance: changes / pooled };
}

/** The plain form of Santurkar et al. 2018, Fig. 8, averaged over features. */
export interface MeanChange {
  /** mean_j |μ′_j − μ_j|, in the tensor's own unit. */
  readonly absolute: number;
  /** mean_j |μ′_j − μ_j| / σ_j, in standard deviations of each feature before. */
  readonly inDeviations: number;
}

/** See DEFINITIONS.md, 3. NaN when a feature is, or has no spread. */
export function meanChange(before: FeatureMoments, after: FeatureMoments): MeanChange {
  const d = before.mean.length;
  let [absolute, inDeviations] = [0, 0];
  for (let j = 0; j < d; j++) {
    const change = Math.abs((after.mean[j] ?? Number.NaN) - (before.mean[j] as number));
    absolute += change / d;
    inDeviations += change / Math.sqrt(before.variance[j] as number) / d;
  }
  return { absolute, inDeviations };
}
