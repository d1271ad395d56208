import type { LayerId, RunId } from './ids';
import type { RunSummary } from './runSummary';
import type { StepChoice, StepRange } from './stepChoice';

/** Which way through the layer: x and y, or dL/dx and dL/dy. */
export const PASSES = ['forward', 'backward'] as const;
export type Pass = (typeof PASSES)[number];

export const FEATURE_STATISTICS = ['std', 'mean'] as const;
export type FeatureStatistic = (typeof FEATURE_STATISTICS)[number];

/** One statistic before and after the norm, over features and steps. */
export interface FeaturesQuery {
  readonly view: 'features';
  readonly run: RunId;
  readonly layer: LayerId;
  readonly pass: Pass;
  readonly statistic: FeatureStatistic;
  /** Most steps. */
  readonly points: number;
  /** All kept steps unless given. */
  readonly range?: StepRange;
}

/**
 * Tensors, with k steps and F features (every `featureStride`-th): `steps` F64 [k]; `before` and
 * `after` F32 [k · F], a row a step; NaN where a tap did not fire.
 */
export interface FeaturesView {
  readonly view: 'features';
  readonly run: RunSummary;
  readonly layer: LayerId;
  readonly pass: Pass;
  readonly statistic: FeatureStatistic;
  readonly featureStride: number;
}

/** The histograms of one feature and of one sample over the deep captures that are kept. */
export interface SliceQuery {
  readonly view: 'slice';
  readonly run: RunId;
  readonly layer: LayerId;
  /** Null: not asked for. */
  readonly feature: number | null;
  readonly sample: number | null;
  readonly step: StepChoice;
  /** Most ridges, and points of each. */
  readonly ridges: number;
  readonly ridgePoints: number;
}

/**
 * Tensors, with r deep captures up to the step and p ridge points: `ridgeSteps` F64 [r];
 * `preFeatureRidges`, `postFeatureRidges` F32 [r · p]: density over `featureRange`, and
 * `preSampleRidges`, `postSampleRidges` over `sampleRange`; NaN where a tap has no histogram.
 */
export interface SliceView {
  readonly view: 'slice';
  readonly run: RunSummary;
  readonly layer: LayerId;
  readonly feature: number | null;
  readonly sample: number | null;
  readonly featureRange: readonly [number, number];
  readonly sampleRange: readonly [number, number];
  /** Deep captures of the layer that are kept, and the bytes of the newest as it came. */
  readonly captures: number;
  readonly captureBytes: number;
}
