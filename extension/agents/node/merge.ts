import { COUNTS } from '../../protocol/layers';
import { mergeMoments } from './moments';
import { addCounts, mergeRows } from './rows';
import { emptyMoments, type TapStatistics, type TensorMoments } from './statistics';

function concatenate(a: Float64Array, b: Float64Array, limit: number): Float64Array {
  const joined = new Float64Array(Math.min(limit, a.length + b.length));
  joined.set(a.subarray(0, joined.length));
  joined.set(b.subarray(0, joined.length - Math.min(a.length, joined.length)), a.length);
  return joined;
}

/** Chan, Golub and LeVeque's update of mean and sum of squared deviations, a feature at a time. */
function mergeFeatures(into: TensorMoments, from: TensorMoments): void {
  for (let f = 0; f < into.count.length; f += 1) {
    const a = into.count[f] as number;
    const b = from.count[f] as number;
    if (b === 0) continue;
    const n = a + b;
    const meanB = from.mean[f] as number;
    // A feature without a finite value has no mean to start from.
    const meanA = a === 0 ? meanB : (into.mean[f] as number);
    const difference = meanB - meanA;
    into.count[f] = n;
    into.mean[f] = meanA + (difference * b) / n;
    into.squares[f] =
      (a === 0 ? 0 : (into.squares[f] as number)) +
      (from.squares[f] as number) +
      (difference * difference * a * b) / n;
    into.min[f] = Math.min(into.min[f] as number, from.min[f] as number);
    into.max[f] = Math.max(into.max[f] as number, from.max[f] as number);
  }
}

function mergeTensors(into: TensorMoments, from: TensorMoments): void {
  mergeMoments(into.whole, from.whole);
  mergeFeatures(into, from);
}

function copyOf(from: TensorMoments): TensorMoments {
  const copy = emptyMoments(from.count.length);
  mergeTensors(copy, from);
  return copy;
}

/** Where no call has padding, what there is without it is all there is. */
function mergeUnpadded(into: TapStatistics, from: TapStatistics): void {
  if (!into.unpadded && !from.unpadded) return;
  into.unpadded ??= copyOf(into);
  mergeTensors(into.unpadded, from.unpadded ?? from);
}

/**
 * Adds the statistics of a further call, exactly as if both calls had been one batch.
 * @param maxSamples most samples kept; further ones are counted only.
 * @throws RangeError when the two have different numbers of features.
 */
export function merge(into: TapStatistics, from: TapStatistics, maxSamples: number): void {
  if (into.count.length !== from.count.length) {
    throw new RangeError(
      `a layer was called with ${into.count.length} and with ${from.count.length} features in one step`,
    );
  }
  mergeUnpadded(into, from);
  mergeTensors(into, from);
  for (const name of COUNTS) into[name] += from[name];
  into.sampleMean = concatenate(into.sampleMean, from.sampleMean, maxSamples);
  into.sampleVariance = concatenate(into.sampleVariance, from.sampleVariance, maxSamples);
  addCounts(into.histogram, from.histogram);
  if (into.rows && from.rows) mergeRows(into.rows, from.rows, into.whole.mean);
  else into.rows ??= from.rows;
}
