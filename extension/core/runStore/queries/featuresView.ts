import type { FeaturesQuery } from '../../../protocol/layerDetailViews';
import type { Tap } from '../../../protocol/layers';
import type { LayerTrack } from '../layerTrack';
import type { Run } from '../run';
import type { StepRecord } from '../stepRecord';
import type { Answer } from './viewAnswer';
import { bounded, MAX_LAYER_FEATURES, recordsWithin } from './choices';
import { spacedRecords } from './ridges';

const MAX_POINTS = 512;
const MAX_FEATURES = 1024;
/** Most cells of one side: a drawing has no more places. */
const MAX_CELLS = 256 * 1024;

/** A row a record; NaN where the tap did not fire, or had another number of features. */
function cells(
  records: readonly StepRecord[],
  { info }: LayerTrack,
  tap: Tap,
  statistic: FeaturesQuery['statistic'],
  stride: number,
): Float32Array {
  const width = Math.ceil(info.features / stride);
  const result = new Float32Array(records.length * width).fill(Number.NaN);
  records.forEach((record, at) => {
    const reading = record.tap(info.id, tap);
    const values = reading?.values(statistic === 'mean' ? 'featureMean' : 'featureVariance');
    if (values?.length !== info.features) return;
    for (let i = 0; i < width; i++) {
      const value = values[i * stride] as number;
      result[at * width + i] = statistic === 'mean' ? value : Math.sqrt(Math.max(0, value));
    }
  });
  return result;
}

/** A statistic of every feature over the kept steps, on both sides of the norm. */
export function featuresView(run: Run, track: LayerTrack, query: FeaturesQuery): Answer {
  const { id, features } = track.info;
  const [before, after]: readonly [Tap, Tap] =
    query.pass === 'forward' ? ['pre', 'post'] : ['gradPre', 'gradPost'];
  // A multiple of the layer view's stride: then one order of features does for both.
  const layerStride = Math.max(1, Math.ceil(features / MAX_LAYER_FEATURES));
  const featureStride =
    layerStride * Math.max(1, Math.ceil(Math.ceil(features / layerStride) / MAX_FEATURES));
  const width = Math.max(1, Math.ceil(features / featureStride));
  const most = bounded(query.points, 1, Math.min(MAX_POINTS, Math.floor(MAX_CELLS / width)));
  const ran = (record: StepRecord) => [before, after].some((tap) => record.tap(id, tap));
  const within = recordsWithin(run.history.records(), query.range);
  const records = spacedRecords(within, most, ran).filter(ran);
  const { pass, statistic } = query;
  return {
    view: { view: 'features', run: run.summary(), layer: id, pass, statistic, featureStride },
    tensors: {
      steps: Float64Array.from(records, ({ step }) => step),
      before: cells(records, track, before, statistic, featureStride),
      after: cells(records, track, after, statistic, featureStride),
    },
  };
}
