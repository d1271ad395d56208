import type { LayerId, RunId } from './ids';
import type { LayerInfo, Tap } from './layers';

/**
 * What the panel shows. A view is the answer to a query on the run store: a JSON part (here) and
 * tensors, sent as one blob. Its size is bounded by the query, never by the length of the run.
 */

export type RunPhase = 'starting' | 'running' | 'paused' | 'ended' | 'disconnected';

export interface RunSummary {
  readonly id: RunId;
  /** File name of the program. */
  readonly program: string;
  readonly phase: RunPhase;
  /** One sentence for the phase when it needs one: why it ended, what is missing. */
  readonly notice: string | null;
  /** Null until the process has loaded one. */
  readonly framework: 'torch' | 'tfjs' | null;
  readonly frameworkVersion: string;
  readonly backend: string;
  /** 0 until the process has connected. */
  readonly pid: number;
  readonly rank: number;
  readonly worldSize: number;
  readonly startedAt: number;
  /** Debug session type that started it; empty when restored from a trace. */
  readonly sessionType: string;
  readonly layers: number;
  /** Optimizer updates seen so far. */
  readonly steps: number;
  readonly framesReceived: number;
  readonly framesDropped: number;
  readonly stepsSkipped: number;
  readonly interval: number;
  readonly overheadPercent: number | null;
  readonly firstLoss: number | null;
  readonly lastLoss: number | null;
}

/** `live` follows the newest captured step. */
export type StepChoice = number | 'live';

export type ViewQuery =
  | { readonly view: 'runs' }
  /** Layer list with sparklines of at most `points` points. */
  | { readonly view: 'overview'; readonly run: RunId; readonly points: number }
  | {
      readonly view: 'layer';
      readonly run: RunId;
      readonly layer: LayerId;
      readonly step: StepChoice;
      /** Most points of a series. */
      readonly points: number;
      /** Most ridges of the distribution over time. */
      readonly ridges: number;
      /** Points of each ridge along the value axis. */
      readonly ridgePoints: number;
    };

/** No tensors. */
export interface RunsView {
  readonly view: 'runs';
  readonly runs: readonly RunSummary[];
}

export interface LayerRow {
  readonly info: LayerInfo;
  /** Whole-tensor standard deviations and the input's moment drift at the newest step; null where not known. */
  readonly preStd: number | null;
  readonly postStd: number | null;
  readonly drift: number | null;
  readonly driftFloor: number | null;
  /** NaN and infinite values at the newest step, over all taps. */
  readonly nonFinite: number;
}

/**
 * Tensors: `steps` F64 [k] (step numbers), `loss` F32 [k], `drift` F32 [rows · k] (the input's
 * moment drift, a row a layer).
 */
export interface OverviewView {
  readonly view: 'overview';
  readonly run: RunSummary;
  readonly rows: readonly LayerRow[];
}

/** Figures of one tap at the selected step, over finite values; null where there is none. */
export interface TapFigures {
  readonly tap: Tap;
  readonly elements: number;
  readonly samples: number;
  readonly mean: number | null;
  readonly std: number | null;
  readonly min: number | null;
  readonly max: number | null;
  /** L2 norm of the whole tensor. */
  readonly norm: number | null;
  readonly nan: number;
  readonly positiveInfinity: number;
  readonly negativeInfinity: number;
  readonly zero: number;
  readonly subnormal: number;
  /** Features whose variance is 0. */
  readonly deadFeatures: number;
}

/**
 * Tensors, with k series points, r ridges, p ridge points, F features and N samples:
 * - `steps` F64 [k]; `loss`, `preMean`, `preStd`, `postMean`, `postStd`, `preDrift`, `postDrift`,
 *   `preVarianceDrift`, `postVarianceDrift`, `preDriftFloor`, `gradPostMean`, `gradPostStd`,
 *   `gradPostNorm`, `gradPreMean`, `gradPreStd`, `gradPreNorm` F32 [k]; NaN where the tap did not fire;
 * - `ridgeSteps` F64 [r]; `preRidges`, `postRidges` F32 [r · p]: density per unit of value over
 *   `valueRange`; `preHistogram`, `postHistogram`, F32 [p]: the selected step's own;
 *   `gradPostHistogram`, `gradPreHistogram` F32 [p] over `gradientRange`;
 * - `preFeatureMean`, `preFeatureStd`, `preFeatureMin`, `preFeatureMax` F32 [F] and the same for
 *   `post`, `gradPost`, `gradPre`;
 * - `preSampleMean`, `preSampleStd` F32 [N] and the same for `post`, `gradPost`, `gradPre`.
 */
export interface LayerView {
  readonly view: 'layer';
  readonly run: RunSummary;
  readonly info: LayerInfo;
  /** The step shown; null before the first. */
  readonly step: number | null;
  readonly firstStep: number | null;
  readonly lastStep: number | null;
  readonly figures: readonly TapFigures[];
  /** Ends of the value axis that before and after share. */
  readonly valueRange: readonly [number, number];
  readonly gradientRange: readonly [number, number];
  /** Every how manyeth row went into the histograms; 1 means all. */
  readonly histogramStride: number;
  /** Features shown when there are more than fit: every `featureStride`-th of `info.features`. */
  readonly featureStride: number;
}

/** The run or layer asked for is not there (any more). */
export interface MissingView {
  readonly view: 'missing';
  readonly reason: string;
}

export type View = RunsView | OverviewView | LayerView | MissingView;

export type ViewOf<Q extends ViewQuery> = Extract<View, { view: Q['view'] }> | MissingView;
