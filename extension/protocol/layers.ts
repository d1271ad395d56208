import type { LayerId } from './ids';

/** What a norm layer normalizes over, by kind of layer. */
export const FAMILIES = ['batch', 'layer', 'rms', 'group', 'instance', 'other'] as const;
export type Family = (typeof FAMILIES)[number];

/** The four places at a layer: input x, output y, dL/dy, dL/dx. */
export const TAPS = ['pre', 'post', 'gradPost', 'gradPre'] as const;
export type Tap = (typeof TAPS)[number];

/**
 * Statistics with a slot in the packed block.
 *
 * - `counts`: {@link COUNTS} in that order.
 * - `feature*`: one value a feature, over everything but features; the variance is biased.
 * - `sample*`: one value a sample, over everything but the batch axis; the variance is biased.
 *
 * All but `counts` are over finite values only. A reader skips names it does not know.
 */
export const STATISTICS = [
  'counts',
  'featureMean',
  'featureVariance',
  'featureMin',
  'featureMax',
  'sampleMean',
  'sampleVariance',
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
] as const;
export type Count = (typeof COUNTS)[number];

export interface SourceLocation {
  /** Absolute path as the process sees it. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
}

/** Something that limits what the figures of a layer mean, with its reason in one sentence. */
export interface LayerStatus {
  readonly code:
    | 'shared'
    | 'eval'
    | 'accumulated'
    | 'recomputed'
    | 'scaled'
    | 'compiled'
    | 'unsupported'
    | 'sampled';
  readonly reason: string;
}

export interface LayerInfo {
  readonly id: LayerId;
  /** Qualified name from the root module, such as `encoder.layers.3.norm2`. */
  readonly name: string;
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

/** Which row of the step's histograms belongs to a tap. */
export interface HistogramSlot {
  readonly layer: LayerId;
  readonly tap: Tap;
  readonly row: number;
}
