import type { LayerId } from './ids';

/** What a norm layer normalizes over, by kind of layer. */
export const FAMILIES = ['batch', 'layer', 'rms', 'group', 'instance', 'other'] as const;
export type Family = (typeof FAMILIES)[number];

/** The four places at a layer: input x, output y, dL/dy, dL/dx. */
export const TAPS = ['pre', 'post', 'gradPost', 'gradPre'] as const;
export type Tap = (typeof TAPS)[number];

/**
 * Statistics of a tap with a slot in the packed block.
 *
 * - `counts`: {@link COUNTS} in that order.
 * - `whole`: {@link WHOLE} in that order, over all values of the tensor.
 * - `feature*`: one value a feature, over everything but features; the variance is biased.
 * - `sample*`: one value a sample, over everything but the batch axis; the variance is biased.
 * - `extremeRows`: the {@link EXTREME_ROWS} rows that lie furthest out, each as {@link EXTREME_ROW};
 *   NaN where there are fewer. Layer and RMS norms only.
 * - `unpadded*`: the same as `whole` and `feature*` without the rows that are padding; there only
 *   for a layer in which padding was seen.
 *
 * All but `counts` are over finite values only. A reader skips names it does not know.
 */
export const STATISTICS = [
  'counts',
  'whole',
  'featureMean',
  'featureVariance',
  'featureMin',
  'featureMax',
  'sampleMean',
  'sampleVariance',
  'extremeRows',
  'unpaddedWhole',
  'unpaddedFeatureMean',
  'unpaddedFeatureVariance',
] as const;
export type Statistic = (typeof STATISTICS)[number];

/** Order of the `counts` slot. `calls` is 0 when the tap did not fire in this step; then its other slots hold NaN. */
export const COUNTS = [
  'calls',
  'elements',
  'samples',
  'nan',
  'positiveInfinity',
  'negativeInfinity',
  'zero',
  'subnormal',
  /** Rows (all features at one position of one sample) that are padding. */
  'paddingRows',
] as const;
export type Count = (typeof COUNTS)[number];

/**
 * Order of the `whole` slot. Skewness is √n·M3/M2^1.5 and kurtosis the excess n·M4/M2² − 3
 * (DEFINITIONS.md, 9); headroom is the largest absolute value as a share of the largest finite
 * value of the tensor's dtype.
 */
export const WHOLE = [
  'mean',
  'variance',
  'skewness',
  'kurtosis',
  'min',
  'max',
  'headroom',
] as const;
export type Whole = (typeof WHOLE)[number];

/** Rows of the `extremeRows` slot. */
export const EXTREME_ROWS = 8;

/**
 * One row of the `extremeRows` slot: its index over the flattened axes that are no features
 * (counted on over the calls of a step), its mean and biased variance. Ordered by the row's mean
 * squared distance from the tensor's mean, furthest first; rows with NaN or Inf are left out.
 */
export const EXTREME_ROW = ['index', 'mean', 'variance'] as const;

/** Length of a statistic's slot, for a layer of so many features of which so many samples are kept. */
export function slotLength(statistic: Statistic, features: number, samples: number): number {
  switch (statistic) {
    case 'counts':
      return COUNTS.length;
    case 'whole':
    case 'unpaddedWhole':
      return WHOLE.length;
    case 'extremeRows':
      return EXTREME_ROWS * EXTREME_ROW.length;
    case 'sampleMean':
    case 'sampleVariance':
      return samples;
    default:
      return features;
  }
}

/**
 * Vectors of a layer with a slot in the packed block, one value a feature. Parameters and running
 * statistics are those before the step's update; `*Update` is the change that the update made.
 */
export const PARAMETERS = [
  'gamma',
  'beta',
  'gammaGradient',
  'betaGradient',
  'gammaUpdate',
  'betaUpdate',
  'runningMean',
  'runningVariance',
] as const;
export type Parameter = (typeof PARAMETERS)[number];

export interface SourceLocation {
  /** Absolute path as the process sees it. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
}

/** What may limit what the figures of a layer mean. */
export const STATUS_CODES = [
  'shared',
  'eval',
  'accumulated',
  'recomputed',
  'scaled',
  'compiled',
  'unsupported',
  'sampled',
  'padding',
  'functional',
  /** An activation is applied behind the normalization, within the layer. */
  'fused',
] as const;

/** Something that limits what the figures of a layer mean, with its reason in one sentence. */
export interface LayerStatus {
  readonly code: (typeof STATUS_CODES)[number];
  readonly reason: string;
}

export interface LayerInfo {
  readonly id: LayerId;
  /** Qualified name from the root module, such as `encoder.layers.3.norm2`. */
  readonly name: string;
  /**
   * Which call of the module within one forward pass, counted from 0: a module that several places
   * of a model share is one layer for each of them.
   */
  readonly call: number;
  readonly className: string;
  readonly family: Family;
  /** Number of features: the positions that share one γ/β entry. */
  readonly features: number;
  /** Axes of the input that index the features, counted from 0. */
  readonly featureAxes: readonly number[];
  /** Axes of the input over which one mean and variance is taken. */
  readonly normalizedAxes: readonly number[];
  /** Shape of the input last seen; empty before the first pass. */
  readonly inputShape: readonly number[];
  readonly dtype: string;
  readonly eps: number | null;
  /** Weight of the new batch in the running statistics, in PyTorch's convention; null where there are none. */
  readonly momentum: number | null;
  readonly constructedAt: SourceLocation | null;
  readonly calledAt: SourceLocation | null;
  readonly status: readonly LayerStatus[];
}

/** Where one statistic of one tap of one layer lies in the packed block. */
export interface Slot {
  readonly layer: LayerId;
  readonly tap: Tap;
  readonly statistic: Statistic;
  /** In float32 elements. */
  readonly offset: number;
  /** In float32 elements. */
  readonly length: number;
}

/** Where one vector of a layer lies in the packed block. */
export interface ParameterSlot {
  readonly layer: LayerId;
  readonly parameter: Parameter;
  /** In float32 elements. */
  readonly offset: number;
  /** In float32 elements: the layer's number of features. */
  readonly length: number;
}

/** What a histogram counts: the tensor's values, or the mean or biased variance of each of its rows. */
export const HISTOGRAMS = ['values', 'rowMean', 'rowVariance'] as const;
export type HistogramOf = (typeof HISTOGRAMS)[number];

/** Which row of the step's histograms belongs to a tap. */
export interface HistogramSlot {
  readonly layer: LayerId;
  readonly tap: Tap;
  readonly of: HistogramOf;
  readonly row: number;
}
