import type { FeatureMoments } from './momentDrift';

/**
 * How far each feature's mean has moved, in pooled standard deviations of the whole layer:
 * |μ′_j − μ_j| / sqrt(v), v = mean_j (σ²_j + σ′²_j)/2. Its root mean square over features is
 * `momentDrift`'s mean, so its squares are the features' shares of the layer's drift.
 *
 * @returns float32 [F]; NaN of features that are NaN at either side, or where v is 0; empty where
 * the numbers of features differ.
 */
export function featureDrift(before: FeatureMoments, after: FeatureMoments): Float32Array {
  const length = before.mean.length;
  if (after.mean.length !== length) return new Float32Array(0);
  const result = new Float32Array(length).fill(Number.NaN);
  let [pooled, count] = [0, 0];
  for (let j = 0; j < length; j++) {
    const change = (after.mean[j] as number) - (before.mean[j] as number);
    const variance = ((before.variance[j] as number) + (after.variance[j] as number)) / 2;
    if (Number.isNaN(change) || Number.isNaN(variance)) continue;
    result[j] = Math.abs(change);
    pooled += variance;
    count++;
  }
  const deviation = Math.sqrt(pooled / count);
  return result.map((change) => (deviation > 0 ? change / deviation : Number.NaN));
}
