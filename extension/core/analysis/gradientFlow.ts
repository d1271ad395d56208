/** L2 norm of a vector; NaN entries are left out, NaN when all are. */
export function vectorNorm(values: ArrayLike<number>): number {
  let [sum, count] = [0, 0];
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (Number.isNaN(value)) continue;
    sum += value * value;
    count++;
  }
  return count > 0 ? Math.sqrt(sum) : Number.NaN;
}

/**
 * ‖dL/dx‖ / ‖dL/dy‖: what a layer does to the size of the gradient that passes it; NaN when there
 * is none.
 */
export const gradientRatio = (normBefore: number, normAfter: number): number =>
  normAfter > 0 ? normBefore / normAfter : Number.NaN;

/**
 * ‖Δp‖ / ‖p‖ of a parameter vector, the update and not the gradient (DEFINITIONS.md, 8; about 1e-3
 * is usual). NaN when the parameter is 0, as β is before the first step.
 */
export function updateRatio(parameter: ArrayLike<number>, update: ArrayLike<number>): number {
  const norm = vectorNorm(parameter);
  return norm > 0 ? vectorNorm(update) / norm : Number.NaN;
}

/** How a figure changes from the first layer to the last. */
export interface DepthProfile {
  /** Factor from one layer to the next: exp of the least-squares slope of the logarithms. */
  readonly perLayer: number;
  /** Largest over smallest. */
  readonly spread: number;
}

/**
 * Profile of positive figures (such as gradient norms) over layers in model order. Layers whose
 * figure is not above 0 are left out; NaN for fewer than two.
 */
export function depthProfile(figures: readonly number[]): DepthProfile {
  const points = figures.flatMap((figure, depth) =>
    figure > 0 && Number.isFinite(figure) ? [[depth, Math.log(figure)] as const] : [],
  );
  if (points.length < 2) return { perLayer: Number.NaN, spread: Number.NaN };
  const mean = (of: (point: readonly [number, number]) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [depth, height] = [mean(([d]) => d), mean(([, h]) => h)];
  const slope =
    mean(([d, h]) => (d - depth) * (h - height)) / mean(([d]) => (d - depth) * (d - depth));
  const heights = points.map(([, h]) => h);
  return {
    perLayer: Math.exp(slope),
    spread: Math.exp(Math.max(...heights) - Math.min(...heights)),
  };
}
