import type { SliceQuery } from '../../../protocol/layerDetailViews';
import type { SparseHistograms } from '../../../protocol/bitBins';
import type { Tap } from '../../../protocol/layers';
import { OrderedCounts, type BitHistogram } from '../../analysis/bitHistogram';
import { densityOf } from '../../analysis/density';
import { sharedRange } from '../../analysis/valueRange';
import type { DeepHistograms, TapHistograms } from '../deepHistory';
import type { LayerTrack } from '../layerTrack';
import type { Run } from '../run';
import type { Answer } from './viewAnswer';
import { bounded, thinnedRows } from './choices';

const MAX_RIDGES = 64;
const MAX_RIDGE_POINTS = 1024;
const AROUND: readonly Tap[] = ['pre', 'post'];

/** One row of sparse histograms. Deep capture does not count zeros apart: they are left out. */
function rowOf(
  histograms: SparseHistograms | undefined,
  row: number | null,
): BitHistogram | undefined {
  if (!histograms || row === null || row >= histograms.splits.length - 1) return undefined;
  const { splits, bins, counts } = histograms;
  const [from, to] = [splits[row], splits[row + 1]];
  return { bins: bins.subarray(from, to), counts: counts.subarray(from, to), zero: 0 };
}

/** Both taps' densities over one axis, a row a capture. */
function ridges(
  captures: readonly DeepHistograms[],
  of: keyof TapHistograms,
  index: number | null,
  points: number,
) {
  const rows = AROUND.map((tap) => captures.map(({ taps }) => rowOf(taps[tap]?.[of], index)));
  const range = sharedRange(
    rows.map((histograms) => {
      const counts = new OrderedCounts();
      for (const histogram of histograms) if (histogram) counts.add(histogram);
      return counts;
    }),
  );
  const [pre, post] = rows.map((histograms) => {
    const densities = new Float32Array(captures.length * points).fill(Number.NaN);
    histograms.forEach((histogram, at) => {
      if (histogram) densities.set(densityOf(histogram, range, points), at * points);
    });
    return densities;
  }) as [Float32Array, Float32Array];
  return { range, pre, post };
}

/** One feature and one sample over the deep captures up to a step. */
export function sliceView(run: Run, track: LayerTrack, query: SliceQuery): Answer {
  const { id } = track.info;
  const kept = run.deep.histograms(id);
  const { step } = query;
  const upTo = step === 'live' ? kept : kept.filter((capture) => capture.step <= step);
  const most = bounded(query.ridges, 1, MAX_RIDGES);
  const captures = thinnedRows(upTo.length, most).flatMap((row) => upTo[row] ?? []);
  const points = bounded(query.ridgePoints, 2, MAX_RIDGE_POINTS);
  const feature = ridges(captures, 'feature', query.feature, points);
  const sample = ridges(captures, 'sample', query.sample, points);
  return {
    view: {
      view: 'slice',
      run: run.summary(),
      layer: id,
      feature: query.feature,
      sample: query.sample,
      featureRange: feature.range,
      sampleRange: sample.range,
      captures: kept.length,
      captureBytes: run.deep.get(id)?.bytes ?? 0,
    },
    tensors: {
      ridgeSteps: Float64Array.from(captures, (capture) => capture.step),
      preFeatureRidges: feature.pre,
      postFeatureRidges: feature.post,
      preSampleRidges: sample.pre,
      postSampleRidges: sample.post,
    },
  };
}
