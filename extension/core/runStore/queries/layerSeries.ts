import { TAPS, type Tap } from '../../../protocol/layers';
import type { TensorData } from '../../../protocol/safetensors';
import { LAYER_FIGURES, type Reference } from '../../../protocol/views';
import type { LayerTrack } from '../layerTrack';
import type { DriftFigure, TapFigure } from '../tapTrack';

const OF_TAPS: readonly (readonly [suffix: string, figure: TapFigure])[] = [
  ['Mean', 'mean'],
  ['Std', 'std'],
  ['Norm', 'norm'],
  ['Skewness', 'skewness'],
  ['Kurtosis', 'kurtosis'],
  ['Headroom', 'headroom'],
  ['NonFinite', 'nonFinite'],
];

const OF_DRIFT: readonly (readonly [suffix: string, figure: DriftFigure])[] = [
  ['Drift', 'drift'],
  ['VarianceDrift', 'varianceDrift'],
  ['DriftFloor', 'driftFloor'],
  ['Wasserstein', 'wasserstein'],
  ['WassersteinFloor', 'wassersteinFloor'],
  ['Stability', 'stability'],
  ['StabilityFloor', 'stabilityFloor'],
];

const FOLLOWED: readonly Tap[] = ['pre', 'post'];

/** The series of a layer view at the given rows of the run's table. */
export function layerSeries(
  track: LayerTrack,
  rows: readonly number[],
  reference: Reference,
): Record<string, TensorData> {
  const tensors: Record<string, TensorData> = {};
  for (const tap of TAPS) {
    const { figures } = track.tap(tap);
    for (const [suffix, figure] of OF_TAPS) tensors[`${tap}${suffix}`] = figures.at(figure, rows);
  }
  for (const tap of FOLLOWED) {
    const drift = track.tap(tap).drift(reference);
    for (const [suffix, figure] of OF_DRIFT) tensors[`${tap}${suffix}`] = drift.at(figure, rows);
  }
  for (const name of LAYER_FIGURES) tensors[name] = track.figures.at(name, rows);
  return tensors;
}
