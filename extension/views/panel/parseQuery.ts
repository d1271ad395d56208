import { layerId, runId, type LayerId } from '../../protocol/ids';
import { FEATURE_STATISTICS, PASSES } from '../../protocol/layerDetailViews';
import { MODEL_FIGURES } from '../../protocol/modelFigures';
import {
  isId,
  isRecord,
  isText,
  parseRange,
  parseStep,
  within,
  type UnknownRecord,
} from '../../protocol/untrusted';
import { AXES, DISTRIBUTIONS, REFERENCES, type ViewQuery } from '../../protocol/views';

/** Most points, ridges and ridge points one query may ask for. */
const MOST = { points: 4_000, ridges: 64, ridgePoints: 1_024 } as const;

type QueryOf<Name extends ViewQuery['view']> = Extract<ViewQuery, { view: Name }>;
/** What each parser fills in beside the name of the view and the run. */
type Parts<Name extends ViewQuery['view']> = Omit<QueryOf<Name>, 'view' | 'run'> | undefined;

const one = <T extends string>(value: unknown, known: readonly T[]): T | undefined =>
  known.find((name) => name === value);

function rangeOf({ range }: UnknownRecord) {
  const parsed = parseRange(range);
  return parsed ? { range: parsed } : {};
}

const pointsOf = ({ points }: UnknownRecord): number | undefined =>
  within(points, MOST.points) ? points : undefined;

const layerOf = ({ layer }: UnknownRecord): LayerId | undefined =>
  isId(layer) ? layerId(layer) : undefined;

function ridgesOf({ ridges, ridgePoints }: UnknownRecord) {
  return within(ridges, MOST.ridges) && within(ridgePoints, MOST.ridgePoints)
    ? { ridges, ridgePoints }
    : undefined;
}

function overviewParts(value: UnknownRecord): Parts<'overview'> {
  const [points, sparkPoints] = [pointsOf(value), pointsOf({ points: value.sparkPoints })];
  if (points === undefined) return undefined;
  return { points, ...(sparkPoints !== undefined && { sparkPoints }) };
}

function layerParts(value: UnknownRecord): Parts<'layer'> {
  const [layer, points, ridges] = [layerOf(value), pointsOf(value), ridgesOf(value)];
  const step = parseStep(value.step);
  if (layer === undefined || points === undefined || !ridges || step === undefined)
    return undefined;
  const reference = one(value.reference, REFERENCES);
  const distribution = one(value.distribution, DISTRIBUTIONS);
  const axes = one(value.axes, AXES);
  return {
    layer,
    step,
    points,
    ...ridges,
    ...(reference && { reference }),
    ...(distribution && { distribution }),
    ...(axes && { axes }),
    ...rangeOf(value),
  };
}

function heatParts(value: UnknownRecord): Parts<'heat'> {
  const [figure, points] = [one(value.figure, MODEL_FIGURES), pointsOf(value)];
  if (!figure || points === undefined) return undefined;
  return { figure, points, ...rangeOf(value) };
}

function depthParts(value: UnknownRecord): Parts<'depth'> {
  const step = parseStep(value.step);
  return step === undefined ? undefined : { step };
}

function featuresParts(value: UnknownRecord): Parts<'features'> {
  const [layer, points] = [layerOf(value), pointsOf(value)];
  const [pass, statistic] = [one(value.pass, PASSES), one(value.statistic, FEATURE_STATISTICS)];
  if (layer === undefined || points === undefined || !pass || !statistic) return undefined;
  return { layer, pass, statistic, points, ...rangeOf(value) };
}

function sliceParts(value: UnknownRecord): Parts<'slice'> {
  const [layer, ridges] = [layerOf(value), ridgesOf(value)];
  const step = parseStep(value.step);
  const { feature, sample } = value;
  if (layer === undefined || !ridges || step === undefined) return undefined;
  if ((feature !== null && !isId(feature)) || (sample !== null && !isId(sample))) return undefined;
  return { layer, feature, sample, step, ...ridges };
}

const PARSERS: {
  readonly [Name in Exclude<ViewQuery['view'], 'runs'>]: (value: UnknownRecord) => Parts<Name>;
} = {
  overview: overviewParts,
  layer: layerParts,
  heat: heatParts,
  depth: depthParts,
  features: featuresParts,
  slice: sliceParts,
};

/** A query from the panel; undefined for anything that is not one, or asks for too much. */
export function parseQuery(value: unknown): ViewQuery | undefined {
  if (!isRecord(value)) return undefined;
  if (value.view === 'runs') return { view: 'runs' };
  const view = one(value.view, Object.keys(PARSERS) as (keyof typeof PARSERS)[]);
  const parts = view && PARSERS[view](value);
  if (!view || !parts || !isText(value.run)) return undefined;
  return { view, run: runId(value.run), ...parts } as ViewQuery;
}
