import type { MomentFigures, TapDrift } from '../analysis/tapDrift';

export type DriftFigure = keyof TapDrift;

/** What is kept of a step's drift against one reference. */
export const DRIFT_FIGURES = [
  'drift',
  'varianceDrift',
  'driftFloor',
  'wasserstein',
  'wassersteinFloor',
  'psi',
  'psiFloor',
] as const satisfies readonly DriftFigure[];

/** Those of them that take moments alone. */
export const MOMENT_FIGURES = [
  'drift',
  'varianceDrift',
  'driftFloor',
] as const satisfies readonly (keyof MomentFigures)[];
