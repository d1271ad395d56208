import { TAPS, type HistogramOf, type Tap } from '../../../protocol/layers';
import type { TensorData } from '../../../protocol/safetensors';
import { BAND_QUANTILES, type Axes, type Distribution } from '../../../protocol/views';
import { percentiles } from '../../analysis/percentiles';
import { SortedCounts } from '../../analysis/sortedCounts';
import { sharedRange } from '../../analysis/valueRange';
import type { LayerTrack } from '../layerTrack';
import type { StepRecord } from '../stepRecord';
import { countsOver, densities } from './ridges';

const AROUND: readonly Tap[] = ['pre', 'post'];

type Range = readonly [number, number];

/** What the distribution is drawn of. */
export interface Distributed {
  readonly as: Distribution;
  readonly axes: Axes;
  /** Steps of the ridges or bands, oldest first. */
  readonly records: readonly StepRecord[];
  readonly selected: StepRecord | undefined;
  /** Points of a ridge. */
  readonly points: number;
}

/** Percentiles of one tap at each record, one after another; NaN where the tap did not fire. */
function bands(records: readonly StepRecord[], { info }: LayerTrack, tap: Tap): Float32Array {
  const width = BAND_QUANTILES.length;
  const result = new Float32Array(records.length * width).fill(Number.NaN);
  records.forEach((record, at) => {
    const histogram = record.tap(info.id, tap)?.histogram();
    if (histogram) result.set(percentiles(SortedCounts.of(histogram), BAND_QUANTILES), at * width);
  });
  return result;
}

/** The histograms of a layer view over steps and at the selected one, and the ends of their axes. */
export function layerHistograms(
  track: LayerTrack,
  { as, axes, records, selected, points }: Distributed,
) {
  const { id } = track.info;
  const shown = selected ? [selected] : [];
  const ridges = as === 'ridges' ? records : [];
  const forward = ridges.length > 0 ? ridges : shown;
  /** One axis for the taps on both sides, or one for each. */
  const axisOf = (over: readonly StepRecord[], taps: readonly [Tap, Tap]) => {
    const counts = countsOver(over, id, taps);
    return taps.map((_, at) => sharedRange(axes === 'own' ? counts.slice(at, at + 1) : counts));
  };
  const [pre, post] = axisOf(forward, ['pre', 'post']) as [Range, Range];
  const [gradPost, gradPre] = axisOf(shown, ['gradPost', 'gradPre']) as [Range, Range];
  const ranges = {
    valueRanges: { pre, post, gradPost, gradPre },
    rowMeanRange: sharedRange(countsOver(shown, id, AROUND, 'rowMean')),
    rowVarianceRange: sharedRange(countsOver(shown, id, AROUND, 'rowVariance')),
  };
  const histogram = (tap: Tap, range: Range, of?: HistogramOf) =>
    selected
      ? densities(shown, id, tap, range, points, of)
      : new Float32Array(points).fill(Number.NaN);

  const tensors: Record<string, TensorData> = {
    ridgeSteps: Float64Array.from(ridges, ({ step }) => step),
  };
  for (const tap of TAPS) {
    tensors[`${tap}Histogram`] = histogram(tap, ranges.valueRanges[tap]);
  }
  for (const tap of AROUND) {
    tensors[`${tap}Ridges`] = densities(ridges, id, tap, ranges.valueRanges[tap], points);
    tensors[`${tap}RowMeanHistogram`] = histogram(tap, ranges.rowMeanRange, 'rowMean');
    tensors[`${tap}RowVarianceHistogram`] = histogram(tap, ranges.rowVarianceRange, 'rowVariance');
    if (as === 'bands') tensors[`${tap}Bands`] = bands(records, track, tap);
  }
  if (as === 'bands') tensors.bandSteps = Float64Array.from(records, ({ step }) => step);
  return { ranges, tensors };
}
