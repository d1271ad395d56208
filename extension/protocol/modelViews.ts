import type { LayerId, RunId } from './ids';
import type { ModelFigure } from './modelFigures';
import type { RunSummary } from './runSummary';
import type { StepChoice, StepRange } from './stepChoice';

/** One figure over layers and steps. */
export interface HeatQuery {
  readonly view: 'heat';
  readonly run: RunId;
  readonly figure: ModelFigure;
  /** Most columns. */
  readonly points: number;
  /** All captured steps unless given. */
  readonly range?: StepRange;
}

/**
 * Tensors, with k columns, each of one captured step or of several neighbouring ones:
 * - `steps`, `ends` F64 [k]: first and last step of each column; `loss` F32 [k], the mean of its
 *   finite ones;
 * - `values` F32 [layers · k], a row a layer in model order: the value furthest from 0 of those that
 *   fall on the column, so that no spike is lost;
 * - `peaks` U32 [layers · k]: steps from the column's first to the one which that value is of;
 * - `floors` F32 [layers]: what sampling alone makes of the figure at the newest step at which that
 *   is known; NaN where it is not.
 */
export interface HeatView {
  readonly view: 'heat';
  readonly run: RunSummary;
  readonly figure: ModelFigure;
  readonly layers: readonly LayerId[];
}

/** Every figure over layers, at one step. */
export interface DepthQuery {
  readonly view: 'depth';
  readonly run: RunId;
  readonly step: StepChoice;
}

/**
 * Tensors: for each model figure its name, F32 [layers] in model order; `preDriftFloor` and
 * `postDriftFloor` F32 [layers]: what sampling alone makes of the drift.
 */
export interface DepthView {
  readonly view: 'depth';
  readonly run: RunSummary;
  /** The captured step shown; null before the first. */
  readonly step: number | null;
  readonly layers: readonly LayerId[];
  /**
   * Smallest and largest finite value of a figure over steps that lie evenly over the whole run, so
   * that an axis can stay as it is while the step moves; no entry where there is none.
   */
  readonly extents: Readonly<Partial<Record<ModelFigure, readonly [low: number, high: number]>>>;
}
