/**
 * Figures that every norm layer may have at every step: what the heat map shows over layers and
 * steps, and the depth profile over layers. NaN where a layer has none.
 */
export const MODEL_FIGURES = [
  /** Moment drift of the input and of the output against the step before. */
  'preDrift',
  'postDrift',
  /** Standard deviation of all values before and after. */
  'preStd',
  'postStd',
  /** Share of features whose values are all equal before the norm. */
  'deadShare',
  /** Share of values after the norm beyond ±2.09, where tanh's slope is below 0.06 (DEFINITIONS.md, 7). */
  'saturation',
  /** Norms of dL/dy and dL/dx, and the second over the first. */
  'gradPostNorm',
  'gradPreNorm',
  'gradientRatio',
  /** mean |μ − μ_B|/σ_B of batch and running statistics, free of width and scale. */
  'tidMean',
  /** Root mean square change of the output in eval mode, in output deviations. */
  'relativeEvalShift',
  /** ‖Δγ‖/‖γ‖ */
  'gammaUpdateRatio',
  /** Largest absolute value before the norm, as a share of the largest that the dtype holds. */
  'headroom',
  /** NaN and infinite values over all taps. */
  'nonFinite',
] as const;
export type ModelFigure = (typeof MODEL_FIGURES)[number];
