import type { Alert } from './alerts';
import type { LayerId, RunId } from './ids';
import type { FeaturesQuery, FeaturesView, SliceQuery, SliceView } from './layerDetailViews';
import type { LayerInfo, Tap } from './layers';
import type { DepthQuery, DepthView, HeatQuery, HeatView } from './modelViews';
import type { RunSummary } from './runSummary';
import type { StepChoice, StepRange } from './stepChoice';

export type { RunPhase, RunSummary } from './runSummary';
export type { StepChoice, StepRange } from './stepChoice';

/**
 * What the panel shows. A view is the answer to a query on the run store: a JSON part (here) and
 * tensors, sent as one blob. Its size is bounded by the query, never by the length of the run.
 */

/**
 * What a step is compared with for its drift: the captured step before, the first
 * {@link REFERENCE_STEPS} captured steps together, the last {@link REFERENCE_STEPS} before it, or the
 * one step that the person chose (`RunSummary.referenceStep`). Only steps in which the tap fired count.
 */
export const REFERENCES = ['previous', 'first', 'window', 'chosen'] as const;
export type Reference = (typeof REFERENCES)[number];

/** Those that need no choice of a step. */
export const USUAL_REFERENCES = ['previous', 'first', 'window'] as const satisfies Reference[];

export const REFERENCE_STEPS = 10;

/** Densities below one another, or percentiles over steps. */
export const DISTRIBUTIONS = ['ridges', 'bands'] as const;
export type Distribution = (typeof DISTRIBUTIONS)[number];

/** Before and after over the same range of values, or each over its own. */
export const AXES = ['shared', 'own'] as const;
export type Axes = (typeof AXES)[number];

/** Shares of the values that lie below each percentile of a band. */
export const BAND_QUANTILES = [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99] as const;

export type ViewQuery =
  | { readonly view: 'runs' }
  /** Layer list; the loss over at most `points` steps, sparklines over `sparkPoints` of them or as many. */
  | {
      readonly view: 'overview';
      readonly run: RunId;
      readonly points: number;
      readonly sparkPoints?: number;
    }
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
      /** `previous` unless given, and instead of `chosen` where no step is. */
      readonly reference?: Reference;
      /** What shows the distribution over steps, of at most `ridges` steps; `ridges` unless given. */
      readonly distribution?: Distribution;
      /** Whether before and after share a value axis; they do unless given. */
      readonly axes?: Axes;
      /** Steps of the series; all captured ones unless given. */
      readonly range?: StepRange;
    }
  | HeatQuery
  | DepthQuery
  | FeaturesQuery
  | SliceQuery;

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
 * Tensors: `steps` F64 [k] (numbers of captured steps), `loss` F32 [k], `drift` F32 [rows · s] (the
 * input's moment drift, a row a layer, over s analysed steps from the first to the newest).
 */
export interface OverviewView {
  readonly view: 'overview';
  readonly run: RunSummary;
  readonly rows: readonly LayerRow[];
  /** What the person is to be told, worst first. */
  readonly alerts: readonly Alert[];
}

/** A row that lies far out: its index over the flattened axes that are no features, mean and biased variance. */
export interface ExtremeRowFigures {
  readonly index: number;
  readonly mean: number;
  readonly variance: number;
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
  /** √n·M3/M2^1.5 */
  readonly skewness: number | null;
  /** Excess kurtosis. */
  readonly kurtosis: number | null;
  /** Largest absolute value as a share of the largest that the dtype holds. */
  readonly headroom: number | null;
  /** L2 norm of the whole tensor. */
  readonly norm: number | null;
  readonly nan: number;
  readonly positiveInfinity: number;
  readonly negativeInfinity: number;
  readonly zero: number;
  readonly subnormal: number;
  /** Features whose variance is 0. */
  readonly deadFeatures: number;
  /** Rows that are padding. */
  readonly paddingRows: number;
  /** Mean and standard deviation without the padding; null where no padding was seen. */
  readonly unpaddedMean: number | null;
  readonly unpaddedStd: number | null;
}

/**
 * Figures of a layer at the selected step; null where one is not known or does not apply. Each is
 * a series of the view too, under the same name.
 */
export const LAYER_FIGURES = [
  /** (1/d)‖μ_B − μ‖₂ and (1/d)‖σ²_B − σ²‖₂ of batch and running statistics (Shen et al. 2020). */
  'shenMean',
  'shenVariance',
  /** The same times √d: root mean squares over features, free of the layer's width. */
  'rmsMean',
  'rmsVariance',
  /** mean |μ − μ_B|/σ_B and mean |σ/σ_B − 1| (TID), free of width and scale. */
  'tidMean',
  'tidDeviation',
  /** Root mean square difference of the output in eval mode, plain and in output deviations. */
  'evalShift',
  'relativeEvalShift',
  /** Means of dL/dx and of γ·dL/dy; variance of dL/dx, and the bound that LayerNorm sets to it. */
  'theoremMeanBefore',
  'theoremMeanAfter',
  'theoremVariance',
  'theoremBound',
  /** 1: the layer normalizes with constants (as BatchNorm in eval mode does), 0: with its input's own statistics. */
  'usesConstants',
  /** ‖dL/dx‖ / ‖dL/dy‖ */
  'gradientRatio',
  'gammaGradientNorm',
  'betaGradientNorm',
  /** ‖Δγ‖/‖γ‖ and ‖Δβ‖/‖β‖ */
  'gammaUpdateRatio',
  'betaUpdateRatio',
] as const;
export type LayerFigure = (typeof LAYER_FIGURES)[number];

/** What the newest deep capture says about a tap's features; null where it has no covariance. */
export interface DeepFigures {
  readonly tap: Tap;
  /** tr(S)²/‖S‖²_F, and what white data of as many samples shows. */
  readonly participationRatio: number | null;
  readonly participationFloor: number | null;
  /** Mean |R_ij|, and what white data of as many samples shows. */
  readonly meanCorrelation: number | null;
  readonly correlationFloor: number | null;
  /** Rows that were sent as they are. */
  readonly rows: number;
}

/**
 * A feature that is unlike the others of its layer: `dead`, its values are all equal; `wide`, its
 * standard deviation is so many times the median one; `far`, its mean is so many usual deviations
 * from the median mean.
 */
export interface NotableFeature {
  readonly feature: number;
  readonly kind: 'dead' | 'wide' | 'far';
  readonly mean: number;
  readonly std: number;
  /** How many times, see above; 0 of a dead one. */
  readonly ratio: number;
}

/** The notable features of a tap at the selected step: how many, and the worst of them. */
export interface NotableFeatures {
  readonly dead: number;
  readonly outlying: number;
  /** Dead ones first, then by ratio. */
  readonly worst: readonly NotableFeature[];
}

/**
 * Tensors, with k series points, those next to the query's range among them, r ridges, p ridge points, F features and N samples:
 * - `steps` F64 [k]; `loss`, `preMean`, `preStd`, `postMean`, `postStd`, `gradPostMean`,
 *   `gradPostStd`, `gradPostNorm`, `gradPreMean`, `gradPreStd`, `gradPreNorm` F32 [k], and for
 *   every tap `…Skewness`, `…Kurtosis`, `…Headroom`, `…NonFinite`; NaN where the tap did not fire;
 * - against the query's reference, for `pre` and `post` F32 [k]: `…Drift`, `…VarianceDrift`,
 *   `…Wasserstein` (in deviations of the reference), `…Psi` (PSI), and what each is when
 *   nothing drifts: `…DriftFloor`, `…WassersteinFloor`, `…PsiFloor`;
 * - the names of {@link LAYER_FIGURES} F32 [k];
 * - `ridgeSteps` F64 [r]; `preRidges`, `postRidges` F32 [r · p]: density per unit of value over
 *   the tap's `valueRanges`; `preHistogram`, `postHistogram`, F32 [p]: the selected step's own;
 * - where bands are asked for, instead: `bandSteps` F64 [r], `preBands`, `postBands` F32 [r · 7]:
 *   the {@link BAND_QUANTILES} of each;
 *   `gradPostHistogram`, `gradPreHistogram` F32 [p];
 * - `preRowMeanHistogram`, `postRowMeanHistogram` F32 [p] over `rowMeanRange`, and
 *   `preRowVarianceHistogram`, `postRowVarianceHistogram` over `rowVarianceRange`; NaN where a
 *   layer has no rows;
 * - `preFeatureMean`, `preFeatureStd`, `preFeatureMin`, `preFeatureMax` F32 [F] and the same for
 *   `post`, `gradPost`, `gradPre`; `preFeatureDrift`, `postFeatureDrift` F32 [F]: each feature's
 *   change against the reference, as far as its steps are kept, in deviations of the layer;
 * - `preSampleMean`, `preSampleStd` F32 [N] and the same for `post`, `gradPost`, `gradPre`;
 * - the names of `PARAMETERS` F32 [F]: before the step's update; empty where the layer has none.
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
  readonly layerFigures: Readonly<Record<LayerFigure, number | null>>;
  /** Of each tap of a layer or RMS norm that fired, furthest from the tensor's mean first. */
  readonly extremeRows: Readonly<Partial<Record<Tap, readonly ExtremeRowFigures[]>>>;
  /** Of the taps before and after, where they fired. */
  readonly notable: Readonly<Partial<Record<Tap, NotableFeatures>>>;
  /** Whether batch statistics are compared with running statistics of the layer's own, or of a BatchNorm of momentum 0.1 in its place. */
  readonly runningStatistics: 'own' | 'as-if';
  readonly reference: Reference;
  /** Factor of the gradient scaler at the step, which the figures are without. */
  readonly lossScale: number | null;
  /** Step of the newest deep capture, and what it says; null where the layer was not in focus. */
  readonly deep: { readonly step: number; readonly taps: readonly DeepFigures[] } | null;
  /** Ends of each tap's value axis; equal before and after where they share one. */
  readonly valueRanges: Readonly<Record<Tap, readonly [number, number]>>;
  readonly rowMeanRange: readonly [number, number];
  readonly rowVarianceRange: readonly [number, number];
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

export type View =
  | RunsView
  | OverviewView
  | LayerView
  | HeatView
  | DepthView
  | FeaturesView
  | SliceView
  | MissingView;

export type ViewOf<Q extends ViewQuery> = Extract<View, { view: Q['view'] }> | MissingView;
