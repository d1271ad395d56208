import { bisector } from 'd3-array';
import { TAPS, type Tap } from '../../../protocol/layers';
import type { TensorData } from '../../../protocol/safetensors';
import {
  AXES,
  DISTRIBUTIONS,
  LAYER_FIGURES,
  REFERENCES,
  type LayerFigure,
  type LayerView,
  type Reference,
  type ViewQuery,
} from '../../../protocol/views';
import { notableFeatures } from '../../analysis/notableFeatures';
import { layerFigures, ownRunning } from '../layerFigures';
import type { LayerTrack } from '../layerTrack';
import type { Run } from '../run';
import type { StepRecord } from '../stepRecord';
import type { Answer } from './viewAnswer';
import {
  bounded,
  MAX_LAYER_FEATURES,
  nearestRow,
  orNull,
  recordsWithin,
  rowsThrough,
  strided,
} from './choices';
import { deepFigures } from './deepFigures';
import { featureDriftAt } from './featureReference';
import { layerHistograms, type Distributed } from './layerHistograms';
import { layerSeries } from './layerSeries';
import { layerVectors } from './layerVectors';
import { spacedRecords } from './ridges';
import { tapFigures } from './tapFigures';

type LayerQuery = Extract<ViewQuery, { view: 'layer' }>;

const MAX_POINTS = 8192;
const MAX_RIDGES = 512;
const MAX_RIDGE_POINTS = 2048;
const AROUND: readonly Tap[] = ['pre', 'post'];

const byStep = bisector((record: StepRecord) => record.step);

/** The kept step that is shown: the newest in which the layer ran, or the one nearest to a number. */
function selectStep(
  records: readonly StepRecord[],
  track: LayerTrack,
  query: LayerQuery,
): StepRecord | undefined {
  const ran = (record: StepRecord) => TAPS.some((tap) => record.tap(track.info.id, tap));
  if (query.step === 'live') return records.findLast(ran) ?? records.at(-1);
  return records[byStep.center(records, query.step)];
}

/**
 * Steps of the distribution within the query's range: ridges end with the selected step, which is
 * drawn below them; bands reach over all of the range.
 */
function distributed(
  records: readonly StepRecord[],
  track: LayerTrack,
  selected: StepRecord | undefined,
  query: LayerQuery,
): Distributed {
  const as = DISTRIBUTIONS.find((known) => known === query.distribution) ?? 'ridges';
  const most = bounded(query.ridges, 0, MAX_RIDGES);
  const points = bounded(query.ridgePoints, 2, MAX_RIDGE_POINTS);
  const axes = AXES.find((known) => known === query.axes) ?? 'shared';
  const within = recordsWithin(records, query.range);
  const ran = (record: StepRecord) => AROUND.some((tap) => record.tap(track.info.id, tap));
  if (as === 'bands') {
    return { as, axes, records: spacedRecords(within, most, ran).filter(ran), selected, points };
  }
  const end = selected ? byStep.left(within, selected.step) : 0;
  const before = within.slice(0, end);
  const ridges = selected ? spacedRecords([...before, selected], most, ran) : [];
  return { as, axes, records: ridges, selected, points };
}

/** The coarsest of the taps' own strides. */
function histogramStride(record: StepRecord | undefined, track: LayerTrack): number {
  const ratios = TAPS.map((tap) => record?.tap(track.info.id, tap)?.histogramRatio ?? 1);
  return Math.max(1, ...ratios.map(Math.round));
}

/**
 * Figures of the selected step, read from it anew; those against as-if running statistics, which are
 * not kept, from the series at the step nearest to it.
 */
function selectedFigures(
  run: Run,
  track: LayerTrack,
  selected: StepRecord | undefined,
): LayerView['layerFigures'] {
  const row = selected ? nearestRow(run.table.steps(), selected.step) : -1;
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

/** What is said of each tap that fired, by its name. */
function byTap<Said>(
  track: LayerTrack,
  selected: StepRecord | undefined,
  taps: readonly Tap[],
  say: (reading: NonNullable<ReturnType<StepRecord['tap']>>) => Said | undefined,
): Partial<Record<Tap, Said>> {
  const said: Partial<Record<Tap, Said>> = {};
  for (const tap of taps) {
    const reading = selected?.tap(track.info.id, tap);
    const words = reading && say(reading);
    if (words !== undefined) said[tap] = words;
  }
  return said;
}

function referenceOf(run: Run, query: LayerQuery): Reference {
  const asked = REFERENCES.find((known) => known === query.reference) ?? 'previous';
  return asked === 'chosen' && run.reference.step === null ? 'previous' : asked;
}

function seriesTensors(run: Run, track: LayerTrack, query: LayerQuery, reference: Reference) {
  const most = bounded(query.points, 1, MAX_POINTS);
  const rowsOf = () => rowsThrough(run.table.steps(), query.range, most);
  const rows = reference === 'chosen' ? run.reference.complete(track, rowsOf) : rowsOf();
  const steps = run.table.steps();
  return {
    steps: Float64Array.from(rows, (row) => steps[row] as number),
    loss: run.losses.at('loss', rows),
    ...layerSeries(track, rows, reference),
  };
}

/** One layer at one step and over the run. A vector of a tap that did not fire is empty. */
export function layerView(run: Run, track: LayerTrack, query: LayerQuery): Answer {
  const { id } = track.info;
  const records = run.history.records();
  const selected = selectStep(records, track, query);
  const at = selected ? records.lastIndexOf(selected) : -1;
  const reference = referenceOf(run, query);
  const featureStride = Math.max(1, Math.ceil(track.info.features / MAX_LAYER_FEATURES));
  const histograms = layerHistograms(track, distributed(records, track, selected, query));
  const drift = (tap: Tap) =>
    strided(
      featureDriftAt(records, at, id, tap, reference, track.tap(tap).chosen.side?.moments),
      featureStride,
    );

  const tensors: Record<string, TensorData> = {
    ...seriesTensors(run, track, query, reference),
    ...histograms.tensors,
    ...layerVectors(selected, track, featureStride),
    preFeatureDrift: drift('pre'),
    postFeatureDrift: drift('post'),
  };
  return {
    view: {
      view: 'layer',
      run: run.summary(),
      info: track.info,
      step: selected?.step ?? null,
      firstStep: run.firstStep,
      lastStep: run.lastStep,
      figures: TAPS.flatMap((tap) => {
        const reading = selected?.tap(id, tap);
        return reading ? [tapFigures(tap, reading)] : [];
      }),
      layerFigures: selectedFigures(run, track, selected),
      extremeRows: byTap(track, selected, TAPS, (reading) => {
        const rows = reading.extremeRows();
        return rows.length > 0 ? rows : undefined;
      }),
      notable: byTap(track, selected, AROUND, ({ moments }) => notableFeatures(moments)),
      runningStatistics: track.hasOwnRunning ? 'own' : 'as-if',
      reference,
      lossScale: selected?.lossScale ?? null,
      deep: deepFigures(run, run.deep.get(id)),
      ...histograms.ranges,
      histogramStride: histogramStride(selected, track),
      featureStride,
    },
    tensors,
  };
}
