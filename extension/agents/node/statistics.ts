import { BIN_COUNT } from '../../protocol/bitBins';
import { sumCarefully } from './carefulSums';
import { sumFast } from './fastSums';
import type { FeatureMap } from './featureMap';
import { noMoments, type Moments } from './moments';
import type { RowFigures, RowMoments } from './rows';

/** Moments over finite values: of the whole tensor, and of each feature. */
export interface TensorMoments {
  readonly whole: Moments;
  /** Per feature: finite values, mean, sum of squared deviations from the mean, extremes. */
  readonly count: Float64Array;
  readonly mean: Float64Array;
  readonly squares: Float64Array;
  readonly min: Float64Array;
  readonly max: Float64Array;
}

/** Statistics of one tap over one or more calls; moments are over finite values only. */
export interface TapStatistics extends TensorMoments {
  calls: number;
  elements: number;
  samples: number;
  nan: number;
  positiveInfinity: number;
  negativeInfinity: number;
  zero: number;
  subnormal: number;
  paddingRows: number;
  /** Mean and biased variance of each sample; NaN for one without a finite value. */
  sampleMean: Float64Array;
  sampleVariance: Float64Array;
  readonly histogram: Uint32Array;
  /** What the rows say; for norms that take a mean and variance of each row. */
  rows: RowFigures | undefined;
  /** The same without padding; undefined where there is none. */
  unpadded: TensorMoments | undefined;
}

export function emptyMoments(features: number): TensorMoments {
  // One allocation: many small buffers cost more than the sums in them.
  const store = new Float64Array(5 * features);
  const part = (index: number) => store.subarray(index * features, (index + 1) * features);
  return {
    whole: noMoments(),
    count: part(0),
    mean: part(1),
    squares: part(2),
    min: part(3).fill(Infinity),
    max: part(4).fill(-Infinity),
  };
}

function emptyStatistics(features: number, samples: number): TapStatistics {
  return {
    ...emptyMoments(features),
    calls: 1,
    elements: 0,
    samples: 0,
    nan: 0,
    positiveInfinity: 0,
    negativeInfinity: 0,
    zero: 0,
    subnormal: 0,
    paddingRows: 0,
    sampleMean: new Float64Array(samples).fill(NaN),
    sampleVariance: new Float64Array(samples).fill(NaN),
    histogram: new Uint32Array(BIN_COUNT),
    rows: undefined,
    unpadded: undefined,
  };
}

export interface Summary {
  readonly tap: TapStatistics;
  /** Undefined where they were not asked for. */
  readonly rows: RowMoments | undefined;
}

/**
 * Statistics of the values of one tensor: all but its histogram, row figures and padding.
 * @param values row-major; axis 0 is the batch axis.
 * @param maxSamples most samples that get a mean and variance of their own.
 * @param withRows whether the mean and variance of each row are wanted.
 */
export function summarize(
  values: ArrayLike<number>,
  map: FeatureMap,
  maxSamples: number,
  withRows = false,
): Summary {
  const samples = map.sampleLength > 0 ? Math.floor(values.length / map.sampleLength) : 0;
  const count = samples * map.rowsPerSample;
  const rows = withRows
    ? { mean: new Float64Array(count), variance: new Float64Array(count), partial: null }
    : undefined;
  const problem = { map, samples, rows };
  const empty = () => emptyStatistics(map.features, Math.min(samples, maxSamples));
  let tap = empty();
  const fast = values instanceof Float32Array && values.length > 0;
  if (!fast || !sumFast(values, problem, tap)) {
    tap = empty();
    sumCarefully(values, problem, tap);
  }
  tap.elements = values.length;
  tap.samples = samples;
  return { tap, rows };
}
