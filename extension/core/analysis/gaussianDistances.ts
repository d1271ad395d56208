import type { FeatureMoments } from './momentDrift';

/** Distances of features taken as Gaussians of their mean and variance (DEFINITIONS.md, 6). */

/**
 * Symmetric Kullback–Leibler divergence of two Gaussians,
 * J = ½ [(v₁ + D²)/v₂ + (v₂ + D²)/v₁] − 1 with D the difference of means.
 *
 * @returns NaN when either variance is 0 and the two differ.
 */
export function gaussianDivergence(
  mean1: number,
  variance1: number,
  mean2: number,
  variance2: number,
): number {
  const square = (mean1 - mean2) ** 2;
  if (square === 0 && variance1 === variance2) return 0;
  if (!(variance1 > 0) || !(variance2 > 0)) return Number.NaN;
  return ((variance1 + square) / variance2 + (variance2 + square) / variance1) / 2 - 1;
}

/** {@link gaussianDivergence} of each feature, float64 [F]. */
export function gaussianDivergences(
  reference: FeatureMoments,
  current: FeatureMoments,
): Float64Array {
  return Float64Array.from({ length: reference.mean.length }, (_, j) =>
    gaussianDivergence(
      reference.mean[j] as number,
      reference.variance[j] as number,
      current.mean[j] ?? Number.NaN,
      current.variance[j] ?? Number.NaN,
    ),
  );
}

/**
 * Squared Fréchet distance of two Gaussians with independent features,
 * Σ_j (μ₁ − μ₂)² + (σ₁ − σ₂)²; NaN when a feature is.
 */
export function diagonalFrechet(reference: FeatureMoments, current: FeatureMoments): number {
  let sum = 0;
  for (let j = 0; j < reference.mean.length; j++) {
    const shift = (reference.mean[j] as number) - (current.mean[j] ?? Number.NaN);
    const spread =
      Math.sqrt(reference.variance[j] as number) - Math.sqrt(current.variance[j] ?? Number.NaN);
    sum += shift * shift + spread * spread;
  }
  return sum;
}
