/**
 * Internal covariate shift of one activation (Santurkar et al. 2018, Definition 2.1): how its
 * layer's gradient changes when the layers before it have made their update and nothing else moves.
 */
export interface CovariateShift {
  /** ‖G − G′‖₂; 0 for the first layer. */
  readonly distance: number;
  /** cos(G, G′); 1 for the first layer, NaN when either is 0. */
  readonly cosine: number;
}

/**
 * @param gradient - G: at the parameters of step t
 * @param moved - G′: with the layers before it at their parameters of step t + 1, the same batch
 */
export function covariateShift(
  gradient: ArrayLike<number>,
  moved: ArrayLike<number>,
): CovariateShift {
  let [squares, dot, one, other] = [0, 0, 0, 0];
  for (let i = 0; i < gradient.length; i++) {
    const [g, m] = [gradient[i] as number, moved[i] ?? Number.NaN];
    squares += (g - m) ** 2;
    dot += g * m;
    one += g * g;
    other += m * m;
  }
  const norms = Math.sqrt(one * other);
  return { distance: Math.sqrt(squares), cosine: norms > 0 ? dot / norms : Number.NaN };
}
