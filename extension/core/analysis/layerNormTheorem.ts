/** Gradient of one row through a LayerNorm without gain, and what the theorem of Xu et al. says. */
export interface RowGradient {
  /** dL/dx, float64 [H]. */
  readonly dx: Float64Array;
  readonly meanDx: number;
  readonly varianceDx: number;
  /** Variance of dL/dy over σ²: what {@link varianceDx} may not exceed. */
  readonly bound: number;
  /** The exact variance (D_g − mean(g·y)²)/σ², of a LayerNorm with eps 0. */
  readonly exactVariance: number;
  /** Σ dL/dx · y; 0 with eps 0. */
  readonly alongOutput: number;
}

export interface RowGradientOptions {
  /** Inside the square root. */
  readonly eps?: number;
  /** Whether the mean, or σ, is a constant in the backward pass (DetachNorm). */
  readonly detachMean?: boolean;
  readonly detachDeviation?: boolean;
}

function meanOf(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i] as number;
  return sum / values.length;
}

function meanSquareAbout(values: ArrayLike<number>, centre: number): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += ((values[i] as number) - centre) ** 2;
  return sum / values.length;
}

/**
 * One row of H values through y = (x − μ)/√(σ² + ε): dL/dx = (g − mean(g) − y·mean(g·y))/σ, without
 * the second term when the mean is detached and without the third when σ is
 * (Xu et al. 2019; DEFINITIONS.md, 4). With a gain, give γ·dL/dy for g.
 */
export function rowGradient(
  x: ArrayLike<number>,
  g: ArrayLike<number>,
  options: RowGradientOptions = {},
): RowGradient {
  const { eps = 0, detachMean = false, detachDeviation = false } = options;
  const mean = meanOf(x);
  const deviation = Math.sqrt(meanSquareAbout(x, mean) + eps);
  const y = Float64Array.from(x, (value) => (value - mean) / deviation);
  const gradient = Float64Array.from(g);
  const gMean = meanOf(gradient);
  const along = meanOf(gradient.map((value, i) => value * (y[i] as number)));
  const dx = gradient.map(
    (value, i) =>
      (value - (detachMean ? 0 : gMean) - (detachDeviation ? 0 : (y[i] as number) * along)) /
      deviation,
  );
  const meanDx = meanOf(dx);
  const gVariance = meanSquareAbout(gradient, gMean);
  return {
    dx,
    meanDx,
    varianceDx: meanSquareAbout(dx, meanDx),
    bound: gVariance / deviation ** 2,
    exactVariance: (gVariance - along ** 2) / deviation ** 2,
    alongOutput: dx.reduce((sum, value, i) => sum + value * (y[i] as number), 0),
  };
}
