import type { Layout } from '../../protocol/frames';
import type { LayerId } from '../../protocol/ids';
import {
  COUNTS,
  EXTREME_ROW,
  type HistogramOf,
  type Parameter,
  type Statistic,
  type Tap,
} from '../../protocol/layers';
import type { Tensors } from '../../protocol/safetensors';
import { sparse } from './histogram';
import { kurtosisOf, skewnessOf, type Moments } from './moments';
import { furthest } from './rows';
import type { TapStatistics, TensorMoments } from './statistics';

/** Looks up what a tap of a layer has measured in this step. */
export type TapLookup = (layer: LayerId, tap: Tap) => TapStatistics | undefined;

/** Looks up a vector of a layer in this step. */
export type ParameterLookup = (
  layer: LayerId,
  parameter: Parameter,
) => ArrayLike<number> | undefined;

/** Largest finite value of each dtype that TensorFlow.js can read as numbers. */
const LARGEST: Readonly<Record<string, number>> = { int32: 2 ** 31 - 1, bool: 1 };
const LARGEST_FLOAT = (2 - 2 ** -23) * 2 ** 127;

/** In the order of `WHOLE`. */
function wholeOf(whole: Moments, dtype: string): number[] {
  const { n, mean, m2, min, max } = whole;
  if (n === 0) return [NaN, NaN, NaN, NaN, NaN, NaN, NaN];
  const headroom = Math.max(-min, max) / (LARGEST[dtype] ?? LARGEST_FLOAT);
  return [mean, m2 / n, skewnessOf(whole), kurtosisOf(whole), min, max, headroom];
}

/** In the order of `EXTREME_ROW`, a row after another. */
function extremesOf({ rows, whole }: TapStatistics): number[] {
  const extremes = rows ? furthest(rows.extremes, whole.mean) : [];
  return extremes.flatMap((row) => EXTREME_ROW.map((name) => row[name]));
}

/** Figures of features, of which those without a finite value have none. */
function finite({ count }: TensorMoments, values: Float64Array): Float64Array {
  const known = new Float64Array(values.length);
  for (let f = 0; f < known.length; f += 1) {
    known[f] = (count[f] as number) > 0 ? (values[f] as number) : NaN;
  }
  return known;
}

function varianceOf({ count, squares }: TensorMoments): Float64Array {
  const variance = new Float64Array(squares.length);
  for (let f = 0; f < variance.length; f += 1) {
    variance[f] = (squares[f] as number) / (count[f] as number);
  }
  return variance;
}

function valuesOf(tap: TapStatistics, statistic: Statistic, dtype: string): ArrayLike<number> {
  const unpadded = tap.unpadded ?? tap;
  switch (statistic) {
    case 'counts':
      return COUNTS.map((name) => tap[name]);
    case 'whole':
      return wholeOf(tap.whole, dtype);
    case 'featureMean':
      return finite(tap, tap.mean);
    case 'featureVariance':
      return varianceOf(tap);
    case 'featureMin':
      return finite(tap, tap.min);
    case 'featureMax':
      return finite(tap, tap.max);
    case 'sampleMean':
      return tap.sampleMean;
    case 'sampleVariance':
      return tap.sampleVariance;
    case 'extremeRows':
      return extremesOf(tap);
    case 'unpaddedWhole':
      return wholeOf(unpadded.whole, dtype);
    case 'unpaddedFeatureMean':
      return finite(unpadded, unpadded.mean);
    case 'unpaddedFeatureVariance':
      return varianceOf(unpadded);
  }
}

/** Puts values in their place; what there are none for, such as further samples, is NaN. */
function fill(target: Float32Array, values: ArrayLike<number>): void {
  const length = Math.min(target.length, values.length);
  for (let i = 0; i < length; i += 1) target[i] = values[i] as number;
  target.fill(NaN, length);
}

function histogramOf(tap: TapStatistics | undefined, of: HistogramOf): Uint32Array | undefined {
  switch (of) {
    case 'values':
      return tap?.histogram;
    case 'rowMean':
      return tap?.rows?.meanHistogram;
    case 'rowVariance':
      return tap?.rows?.varianceHistogram;
  }
}

/** The tensors of a step frame. */
export function packStep(layout: Layout, taps: TapLookup, vectors: ParameterLookup): Tensors {
  const block = new Float32Array(layout.blockLength);
  const dtypes = new Map(layout.layers.map(({ id, dtype }) => [id, dtype] as const));
  for (const { layer, tap, statistic, offset, length } of layout.slots) {
    const target = block.subarray(offset, offset + length);
    const measured = taps(layer, tap);
    if (measured) fill(target, valuesOf(measured, statistic, dtypes.get(layer) ?? ''));
    else target.fill(statistic === 'counts' ? 0 : NaN);
  }
  for (const { layer, parameter, offset, length } of layout.parameters) {
    fill(block.subarray(offset, offset + length), vectors(layer, parameter) ?? []);
  }
  const rows = layout.histograms.map(({ layer, tap, of }) => histogramOf(taps(layer, tap), of));
  return { block, ...sparse(rows) };
}
