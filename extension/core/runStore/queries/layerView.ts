import { TAPS, type Tap } from '../../../protocol/layers';
import type { TensorData } from '../../../protocol/safetensors';
import type { ViewQuery } from '../../../protocol/views';
import { sharedRange } from '../../analysis/valueRange';
import type { LayerTrack } from '../layerTrack';
import type { Run } from '../run';
import type { StepRecord } from '../stepRecord';
import type { TapFigure } from '../tapTrack';
import type { Answer } from './answer';
import { bounded, strided, thinnedRows } from './choices';
import { countsOver, densities, ridgeRecords } from './ridges';
import { tapFigures } from './tapFigures';

type LayerQuery = Extract<ViewQuery, { view: 'layer' }>;

const MAX_POINTS = 8192;
const MAX_RIDGES = 512;
const MAX_RIDGE_POINTS = 2048;
const MAX_FEATURES = 4096;

/** Tensor of the view ← tap and figure. */
const SERIES: readonly (readonly [name: string, tap: Tap, figure: TapFigure])[] = [
  ['preMean', 'pre', 'mean'],
  ['preStd', 'pre', 'std'],
  ['postMean', 'post', 'mean'],
  ['postStd', 'post', 'std'],
  ['preDrift', 'pre', 'drift'],
  ['postDrift', 'post', 'drift'],
  ['preVarianceDrift', 'pre', 'varianceDrift'],
  ['postVarianceDrift', 'post', 'varianceDrift'],
  ['preDriftFloor', 'pre', 'driftFloor'],
  ['gradPostMean', 'gradPost', 'mean'],
  ['gradPostStd', 'gradPost', 'std'],
  ['gradPostNorm', 'gradPost', 'norm'],
  ['gradPreMean', 'gradPre', 'mean'],
  ['gradPreStd', 'gradPre', 'std'],
  ['gradPreNorm', 'gradPre', 'norm'],
];

/** The kept step that is shown: the newest in which the layer ran, or the one nearest to a number. */
function selectStep(
  records: readonly StepRecord[],
  track: LayerTrack,
  query: LayerQuery,
): StepRecord | undefined {
  const ran = (record: StepRecord) => TAPS.some((tap) => record.tap(track.info.id, tap));
  if (query.step === 'live') return records.findLast(ran) ?? records.at(-1);
  const distance = (record: StepRecord) => Math.abs(record.step - Number(query.step));
  return records.reduce<StepRecord | undefined>(
    (best, record) => (best && distance(best) < distance(record) ? best : record),
    undefined,
  );
}

const squareRoots = (variances: Float32Array) =>
  variances.map((variance) => Math.sqrt(Math.max(0, variance)));

function vectors(record: StepRecord | undefined, track: LayerTrack, stride: number) {
  const tensors: Record<string, TensorData> = {};
  for (const tap of TAPS) {
    const reading = record?.tap(track.info.id, tap);
    const feature = (statistic: Parameters<NonNullable<typeof reading>['values']>[0]) =>
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
  return tensors;
}

/** The coarsest of the taps' own strides. */
function histogramStride(record: StepRecord | undefined, track: LayerTrack): number {
  const ratios = TAPS.map((tap) => record?.tap(track.info.id, tap)?.histogramRatio ?? 1);
  return Math.max(1, ...ratios.map(Math.round));
}

/** One layer at one step and over the run. A vector of a tap that did not fire is empty. */
export function layerView(run: Run, track: LayerTrack, query: LayerQuery): Answer {
  const { id } = track.info;
  const records = run.history.records();
  const selected = selectStep(records, track, query);
  const shown = selected ? [selected] : [];
  const rows = thinnedRows(run.table.length, bounded(query.points, 1, MAX_POINTS));
  const steps = run.table.steps();
  const points = bounded(query.ridgePoints, 2, MAX_RIDGE_POINTS);
  const ran = records.filter(
    (record) => record === selected || record.tap(id, 'pre') || record.tap(id, 'post'),
  );
  const ridges = selected ? ridgeRecords(ran, selected, bounded(query.ridges, 0, MAX_RIDGES)) : [];
  const valueRange = sharedRange(
    countsOver(ridges.length > 0 ? ridges : shown, id, ['pre', 'post']),
  );
  const gradientRange = sharedRange(countsOver(shown, id, ['gradPost', 'gradPre']));
  const density = (over: readonly StepRecord[], tap: Tap, range: readonly [number, number]) =>
    densities(over, id, tap, range, points);
  const histogram = (tap: Tap, range: readonly [number, number]) =>
    selected ? density(shown, tap, range) : new Float32Array(points).fill(Number.NaN);
  const featureStride = Math.max(1, Math.ceil(track.info.features / MAX_FEATURES));

  const tensors: Record<string, TensorData> = {
    steps: Float64Array.from(rows, (row) => steps[row] as number),
    loss: run.losses.at('loss', rows),
    ridgeSteps: Float64Array.from(ridges, (record) => record.step),
    preRidges: density(ridges, 'pre', valueRange),
    postRidges: density(ridges, 'post', valueRange),
    preHistogram: histogram('pre', valueRange),
    postHistogram: histogram('post', valueRange),
    gradPostHistogram: histogram('gradPost', gradientRange),
    gradPreHistogram: histogram('gradPre', gradientRange),
    ...vectors(selected, track, featureStride),
  };
  for (const [name, tap, figure] of SERIES) {
    tensors[name] = track.tap(tap).figures.at(figure, rows);
  }
  const figures = TAPS.flatMap((tap) => {
    const reading = selected?.tap(id, tap);
    return reading ? [tapFigures(tap, reading)] : [];
  });
  return {
    view: {
      view: 'layer',
      run: run.summary(),
      info: track.info,
      step: selected?.step ?? null,
      firstStep: run.firstStep,
      lastStep: run.lastStep,
      figures,
      valueRange,
      gradientRange,
      histogramStride: histogramStride(selected, track),
      featureStride,
    },
    tensors,
  };
}
