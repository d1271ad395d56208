import { TAPS, type HistogramOf, type Tap } from '../../../protocol/layers';
import type { TensorData } from '../../../protocol/safetensors';
import {
  LAYER_FIGURES,
  REFERENCES,
  type LayerFigure,
  type LayerView,
  type ViewQuery,
} from '../../../protocol/views';
import { sharedRange } from '../../analysis/valueRange';
import { layerFigures, ownRunning } from '../layerFigures';
import type { LayerTrack } from '../layerTrack';
import type { Run } from '../run';
import type { StepRecord } from '../stepRecord';
import type { Answer } from './answer';
import { bounded, orNull, thinnedRows } from './choices';
import { deepFigures } from './deepFigures';
import { layerSeries } from './layerSeries';
import { layerVectors } from './layerVectors';
import { countsOver, densities, ridgeRecords } from './ridges';
import { tapFigures } from './tapFigures';

type LayerQuery = Extract<ViewQuery, { view: 'layer' }>;

const MAX_POINTS = 8192;
const MAX_RIDGES = 512;
const MAX_RIDGE_POINTS = 2048;
const MAX_FEATURES = 4096;
const ROW_TAPS: readonly Tap[] = ['pre', 'post'];

const nothing = (points: number) => new Float32Array(points).fill(Number.NaN);

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

/** The coarsest of the taps' own strides. */
function histogramStride(record: StepRecord | undefined, track: LayerTrack): number {
  const ratios = TAPS.map((tap) => record?.tap(track.info.id, tap)?.histogramRatio ?? 1);
  return Math.max(1, ...ratios.map(Math.round));
}

/**
 * Figures of the selected step, read from it anew; those against as-if running statistics, which are
 * not kept, from the series where it has the step.
 */
function selectedFigures(
  run: Run,
  track: LayerTrack,
  selected: StepRecord | undefined,
): LayerView['layerFigures'] {
  const row = selected ? run.table.steps().lastIndexOf(selected.step) : -1;
  const { info } = track;
  const fresh =
    selected && layerFigures(selected, info, selected.taps(info.id), ownRunning(selected, info));
  const figure = (name: LayerFigure) => {
    const value = fresh?.[name] ?? Number.NaN;
    if (!Number.isNaN(value) || row < 0) return value;
    return track.figures.at(name, [row])[0] ?? Number.NaN;
  };
  return Object.fromEntries(
    LAYER_FIGURES.map((name) => [name, orNull(figure(name))]),
  ) as LayerView['layerFigures'];
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
    selected ? density(shown, tap, range) : nothing(points);
  const rowRange = (of: HistogramOf) => sharedRange(countsOver(shown, id, ROW_TAPS, of));
  const [rowMeanRange, rowVarianceRange] = [rowRange('rowMean'), rowRange('rowVariance')];
  const rowHistogram = (tap: Tap, of: HistogramOf, range: readonly [number, number]) =>
    selected ? densities(shown, id, tap, range, points, of) : nothing(points);
  const rowHistograms = Object.fromEntries(
    ROW_TAPS.flatMap((tap) => [
      [`${tap}RowMeanHistogram`, rowHistogram(tap, 'rowMean', rowMeanRange)],
      [`${tap}RowVarianceHistogram`, rowHistogram(tap, 'rowVariance', rowVarianceRange)],
    ]),
  );
  const reference = REFERENCES.find((known) => known === query.reference) ?? 'previous';
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
    ...rowHistograms,
    ...layerVectors(selected, track, featureStride),
    ...layerSeries(track, rows, reference),
  };
  const figures = TAPS.flatMap((tap) => {
    const reading = selected?.tap(id, tap);
    return reading ? [tapFigures(tap, reading)] : [];
  });
  const extremeRows = Object.fromEntries(
    TAPS.flatMap((tap) => {
      const furthest = selected?.tap(id, tap)?.extremeRows() ?? [];
      return furthest.length > 0 ? [[tap, furthest]] : [];
    }),
  );
  return {
    view: {
      view: 'layer',
      run: run.summary(),
      info: track.info,
      step: selected?.step ?? null,
      firstStep: run.firstStep,
      lastStep: run.lastStep,
      figures,
      layerFigures: selectedFigures(run, track, selected),
      extremeRows,
      runningStatistics: track.hasOwnRunning ? 'own' : 'as-if',
      reference,
      lossScale: selected?.lossScale ?? null,
      deep: deepFigures(run, run.deep.get(id)),
      valueRange,
      gradientRange,
      rowMeanRange,
      rowVarianceRange,
      histogramStride: histogramStride(selected, track),
      featureStride,
    },
    tensors,
  };
}
