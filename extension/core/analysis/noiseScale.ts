/** Gradient noise scale (McCandlish et al. 2018; DEFINITIONS.md, 8). */
export interface NoiseScale {
  /** Unbiased estimate of |G|²; may be below 0 when the noise is large. */
  readonly squaredGradient: number;
  /** Unbiased estimate of tr(Σ). */
  readonly noise: number;
  /** tr(Σ)/|G|², the batch size at which noise and gradient are equal; NaN when |G|² is not above 0. */
  readonly scale: number;
}

/**
 * From squared norms at two batch sizes. Averages over steps are taken of the two estimates apart,
 * and divided afterwards.
 *
 * @param squaredSmall - mean over micro-batches of the squared norm of their gradients
 * @param squaredBig - squared norm of the gradient of all of them together
 */
export function noiseScale(
  squaredSmall: number,
  small: number,
  squaredBig: number,
  big: number,
): NoiseScale {
  const squaredGradient = (big * squaredBig - small * squaredSmall) / (big - small);
  const noise = (squaredSmall - squaredBig) / (1 / small - 1 / big);
  return {
    squaredGradient,
    noise,
    scale: squaredGradient > 0 ? noise / squaredGradient : Number.NaN,
  };
}
