import { PARAMETERS, TAPS, type Statistic } from '../../../protocol/layers';
import type { TensorData } from '../../../protocol/safetensors';
import type { LayerTrack } from '../layerTrack';
import type { StepRecord } from '../stepRecord';
import { strided } from './choices';

const squareRoots = (variances: Float32Array) =>
  variances.map((variance) => Math.sqrt(Math.max(0, variance)));

/** Vectors over features and samples at one step; empty where a tap did not fire. */
export function layerVectors(
  record: StepRecord | undefined,
  { info }: LayerTrack,
  stride: number,
): Record<string, TensorData> {
  const tensors: Record<string, TensorData> = {};
  for (const tap of TAPS) {
    const reading = record?.tap(info.id, tap);
    const feature = (statistic: Statistic) =>
      strided(reading?.values(statistic) ?? new Float32Array(0), stride);
    const sample = (statistic: 'sampleMean' | 'sampleVariance') =>
      reading?.samples(statistic) ?? new Float32Array(0);
    tensors[`${tap}FeatureMean`] = feature('featureMean');
    tensors[`${tap}FeatureStd`] = squareRoots(feature('featureVariance'));
    tensors[`${tap}FeatureMin`] = feature('featureMin');
    tensors[`${tap}FeatureMax`] = feature('featureMax');
    tensors[`${tap}SampleMean`] = sample('sampleMean');
    tensors[`${tap}SampleStd`] = squareRoots(sample('sampleVariance'));
  }
  for (const parameter of PARAMETERS) {
    const values = record?.parameter(info.id, parameter) ?? new Float32Array(0);
    tensors[parameter] = strided(values, stride);
  }
  return tensors;
}
