import type { LayerInfo, Tap } from '../../protocol/layers';
import { LAYER_FIGURES, type LayerFigure } from '../../protocol/views';
import { batchVersusRunning } from '../analysis/batchVersusRunning';
import { evalShift } from '../analysis/evalShift';
import { gradientRatio, updateRatio, vectorNorm } from '../analysis/gradientFlow';
import type { FeatureMoments } from '../analysis/momentDrift';
import { normalizesWith } from '../analysis/normalizesWithConstants';
import { normOf } from '../analysis/pooledFeatures';
import { theoremOfStep } from '../analysis/theoremOfStep';
import type { StepRecord } from './stepRecord';
import type { TapReading } from './tapReading';

/** The taps of a layer that fired in one step. */
export type Taps = Readonly<Partial<Record<Tap, TapReading>>>;

/** Figures of a layer at one step; NaN where one is not known or does not apply. */
export type LayerFigures = Readonly<Record<LayerFigure, number>>;

const UNKNOWN = Object.fromEntries(
  LAYER_FIGURES.map((name) => [name, Number.NaN]),
) as unknown as LayerFigures;

const DEFAULT_EPS = 1e-5;

/** A vector of the layer; undefined where it has none or it was not read. */
function vector(
  record: StepRecord,
  { id }: LayerInfo,
  name: Parameters<StepRecord['parameter']>[1],
): Float32Array | undefined {
  const values = record.parameter(id, name);
  return values.length > 0 && !values.every(Number.isNaN) ? values : undefined;
}

/** The layer's own running statistics before the step's update; undefined where it has none. */
export function ownRunning(record: StepRecord, info: LayerInfo): FeatureMoments | undefined {
  const mean = vector(record, info, 'runningMean');
  const variance = vector(record, info, 'runningVariance');
  return mean && variance && { mean, variance };
}

function againstRunning(
  record: StepRecord,
  info: LayerInfo,
  pre: TapReading | undefined,
  running: FeatureMoments | undefined,
) {
  if (!pre || !running) return {};
  const batch = pre.moments;
  const gamma = vector(record, info, 'gamma');
  const beta = vector(record, info, 'beta');
  const shift = evalShift({
    batch,
    running,
    eps: info.eps ?? DEFAULT_EPS,
    ...(gamma && { gamma }),
    ...(beta && { beta }),
  });
  return {
    ...batchVersusRunning(batch, running),
    evalShift: shift.rms,
    relativeEvalShift: shift.relative,
  };
}

function theorem(record: StepRecord, info: LayerInfo, { pre, gradPost, gradPre }: Taps) {
  const rowVariances = pre?.histogram('rowVariance');
  if (info.family !== 'layer' || !pre || !gradPost || !gradPre || !rowVariances) return {};
  const gamma = vector(record, info, 'gamma');
  const figures = theoremOfStep({
    gradPre: gradPre.pooled,
    gradPost: gradPost.moments,
    rowVariances,
    // Rows with NaN or Inf are in no histogram, and how many they are is not known.
    rows: pre.nonFinite > 0 ? Number.NaN : pre.count('elements') / Math.max(1, info.features),
    eps: info.eps ?? DEFAULT_EPS,
    ...(gamma && { gamma }),
  });
  return {
    theoremMeanBefore: figures.meanBefore,
    theoremMeanAfter: figures.meanAfter,
    theoremVariance: figures.varianceBefore,
    theoremBound: figures.bound,
  };
}

/** Features share a mean in a BatchNorm, samples contain the sets that do in the other families. */
function usesConstants({ family }: LayerInfo, { gradPre, gradPost }: Taps): number {
  if (!gradPre || !gradPost || family === 'rms' || family === 'other') return Number.NaN;
  const sets = (reading: TapReading) =>
    family === 'batch'
      ? reading.moments
      : { mean: reading.samples('sampleMean'), variance: reading.samples('sampleVariance') };
  const found = normalizesWith({ gradPre: sets(gradPre), gradPost: sets(gradPost) });
  if (found === 'unknown') return Number.NaN;
  return found === 'constants' ? 1 : 0;
}

const norm = (reading: TapReading | undefined) =>
  reading ? normOf(reading.pooled, reading.finite) : Number.NaN;

/**
 * What one captured step says about a layer.
 * @param taps - those that fired
 * @param running - what its batch is compared with: its own running statistics, or those it would
 *   have if it were a BatchNorm
 */
export function layerFigures(
  record: StepRecord,
  info: LayerInfo,
  taps: Taps,
  running: FeatureMoments | undefined,
): LayerFigures {
  const ratio = (parameter: 'gamma' | 'beta', update: 'gammaUpdate' | 'betaUpdate') =>
    updateRatio(record.parameter(info.id, parameter), record.parameter(info.id, update));
  return {
    ...UNKNOWN,
    ...againstRunning(record, info, taps.pre, running),
    ...theorem(record, info, taps),
    usesConstants: usesConstants(info, taps),
    gradientRatio: gradientRatio(norm(taps.gradPre), norm(taps.gradPost)),
    gammaGradientNorm: vectorNorm(record.parameter(info.id, 'gammaGradient')),
    betaGradientNorm: vectorNorm(record.parameter(info.id, 'betaGradient')),
    gammaUpdateRatio: ratio('gamma', 'gammaUpdate'),
    betaUpdateRatio: ratio('beta', 'betaUpdate'),
  };
}
