import { BIN_COUNT } from '../../protocol/bitBins';
import type { FeatureMap } from './featureMap';

/** Smallest normal float32. */
const NORMAL = 2 ** -126;

/** Statistics of one tap over one or more calls; moments are over finite values only. */
export interface TapStatistics {
  calls: number;
  elements: number;
  samples: number;
  nan: number;
  positiveInfinity: number;
  negativeInfinity: number;
  zero: number;
  subnormal: number;
  /** Per feature: finite values, mean, sum of squared deviations from the mean, extremes. */
  readonly count: Float64Array;
  readonly mean: Float64Array;
  readonly squares: Float64Array;
  readonly min: Float64Array;
  readonly max: Float64Array;
  /** Mean and biased variance of each sample; NaN for one without a finite value. */
  sampleMean: Float64Array;
  sampleVariance: Float64Array;
  readonly histogram: Uint32Array;
}

function emptyStatistics(features: number, samples: number): TapStatistics {
  // One allocation: many small buffers cost more than the sums in them.
  const store = new Float64Array(5 * features + 2 * samples).fill(NaN, 5 * features);
  const part = (index: number) => store.subarray(index * features, (index + 1) * features);
  return {
    calls: 1,
    elements: 0,
    samples: 0,
    nan: 0,
    positiveInfinity: 0,
    negativeInfinity: 0,
    zero: 0,
    subnormal: 0,
    count: part(0),
    mean: part(1),
    squares: part(2),
    min: part(3).fill(Infinity),
    max: part(4).fill(-Infinity),
    sampleMean: store.subarray(5 * features, 5 * features + samples),
    sampleVariance: store.subarray(5 * features + samples),
    histogram: new Uint32Array(BIN_COUNT),
  };
}

function countNonFinite(into: TapStatistics, value: number): void {
  if (value === Infinity) into.positiveInfinity += 1;
  else if (value === -Infinity) into.negativeInfinity += 1;
  else into.nan += 1;
}

/** Turns sums of (x - c) and (x - c)² about a centre c into mean and sum of squared deviations. */
function finishFeatures(into: TapStatistics, centre: Float64Array): void {
  const { count, mean: sum, squares } = into;
  for (let f = 0; f < count.length; f += 1) {
    const n = count[f] as number;
    if (n === 0) {
      sum[f] = NaN;
      continue;
    }
    const shift = (sum[f] as number) / n;
    squares[f] = Math.max(0, (squares[f] as number) - n * shift * shift);
    sum[f] = (centre[f] as number) + shift;
  }
}

/**
 * Statistics of the values of one tensor, all but its histogram, which stays empty.
 *
 * One pass in float64 about a centre that is itself one of the values (the first finite one of the
 * feature, and of the sample). For such a centre (mean - c)² <= n·variance, so the cancellation in
 * Σ(x - c)² - n(mean - c)² costs at most a factor n of float64's precision, whatever the offset:
 * what a second pass would give, for half the reads.
 *
 * @param values row-major; axis 0 is the batch axis.
 * @param maxSamples most samples that get a mean and variance of their own.
 */
export function summarize(
  values: ArrayLike<number>,
  map: FeatureMap,
  maxSamples: number,
): TapStatistics {
  const { features, sampleLength, featureAt } = map;
  const samples = sampleLength > 0 ? Math.floor(values.length / sampleLength) : 0;
  const into = emptyStatistics(features, Math.min(samples, maxSamples));
  const centre = new Float64Array(features);
  const { count, mean: sum, squares, min, max } = into;
  let zero = 0;
  let subnormal = 0;
  let at = 0;
  for (let s = 0; s < samples; s += 1) {
    let sampleCount = 0;
    let sampleCentre = 0;
    let sampleSum = 0;
    let sampleSquares = 0;
    for (let o = 0; o < sampleLength; o += 1, at += 1) {
      const x = values[at] as number;
      // Only for a finite x is this difference 0.
      if (x - x !== 0) {
        countNonFinite(into, x);
        continue;
      }
      const f = featureAt[o] as number;
      if ((count[f] as number) === 0) centre[f] = x;
      const d = x - (centre[f] as number);
      count[f] = (count[f] as number) + 1;
      sum[f] = (sum[f] as number) + d;
      squares[f] = (squares[f] as number) + d * d;
      if (x < (min[f] as number)) min[f] = x;
      if (x > (max[f] as number)) max[f] = x;
      if (sampleCount === 0) sampleCentre = x;
      const e = x - sampleCentre;
      sampleCount += 1;
      sampleSum += e;
      sampleSquares += e * e;
      if (x < NORMAL && x > -NORMAL) {
        if (x === 0) zero += 1;
        else subnormal += 1;
      }
    }
    if (sampleCount > 0 && s < maxSamples) {
      const shift = sampleSum / sampleCount;
      into.sampleMean[s] = sampleCentre + shift;
      into.sampleVariance[s] = Math.max(0, sampleSquares / sampleCount - shift * shift);
    }
  }
  into.elements = values.length;
  into.samples = samples;
  into.zero = zero;
  into.subnormal = subnormal;
  finishFeatures(into, centre);
  return into;
}
