import { TAPS, type Tap } from '../../../protocol/layers';
import type { TensorData } from '../../../protocol/safetensors';
import { LAYER_FIGURES, type Reference } from '../../../protocol/views';
import { DRIFT_FIGURES } from '../driftFigures';
import type { LayerTrack } from '../layerTrack';
import type { TapFigure } from '../tapTrack';

const OF_TAPS: readonly TapFigure[] = [
  'mean',
  'std',
  'norm',
  'skewness',
  'kurtosis',
  'headroom',
  'nonFinite',
];

/** `preDriftFloor` for the figure `driftFloor` of the tap `pre`. */
const named = (tap: Tap, figure: string) =>
  `${tap}${figure.slice(0, 1).toUpperCase()}${figure.slice(1)}`;

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
    for (const figure of OF_TAPS) tensors[named(tap, figure)] = figures.at(figure, rows);
  }
  for (const tap of FOLLOWED) {
    const drift = track.tap(tap).drift(reference);
    for (const figure of DRIFT_FIGURES) tensors[named(tap, figure)] = drift.newestBy(figure, rows);
  }
  for (const name of LAYER_FIGURES) tensors[name] = track.figures.at(name, rows);
  return tensors;
}
