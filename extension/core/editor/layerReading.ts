import type { LayerTrack } from '../runStore/layerTrack';
import type { Run } from '../runStore/run';
import { thinnedRows } from '../runStore/queries/choices';

/** How far back a figure is looked for that not every step has. */
const LOOK_BACK = 200;
/** Points of a sparkline. */
const TREND_POINTS = 24;

type Column = Float32Array | undefined;

/** The newest figures of a layer; NaN where one is not known or does not apply. */
export interface LayerReading {
  readonly preMean: number;
  readonly preStd: number;
  readonly postMean: number;
  readonly postStd: number;
  /** Moment drift of the input against what the run's drift is measured against, and what sampling alone makes of it. */
  readonly drift: number;
  readonly driftFloor: number;
  readonly gradPostNorm: number;
  readonly gradPreNorm: number;
  /** ‖dL/dx‖ / ‖dL/dy‖ */
  readonly gradientRatio: number;
  /** Shares from 0 to 1. */
  readonly deadShare: number;
  readonly saturation: number;
  readonly headroom: number;
  /** Of a layer with running statistics only: change of its output in eval mode, in output deviations. */
  readonly evalShift: number;
  readonly gammaUpdateRatio: number;
  /** NaN and infinite values at the newest step, over all taps. */
  readonly nonFinite: number;
}

export type ReadingFigure = keyof LayerReading;

const COLUMNS: Readonly<
  Record<Exclude<ReadingFigure, 'nonFinite'>, (track: LayerTrack, run: Run) => Column>
> = {
  preMean: (track) => track.tap('pre').figures.column('mean'),
  preStd: (track) => track.tap('pre').figures.column('std'),
  postMean: (track) => track.tap('post').figures.column('mean'),
  postStd: (track) => track.tap('post').figures.column('std'),
  drift: (track, run) => track.tap('pre').drift(run.shownReference).column('drift'),
  driftFloor: (track, run) => track.tap('pre').drift(run.shownReference).column('driftFloor'),
  gradPostNorm: (track) => track.tap('gradPost').figures.column('norm'),
  gradPreNorm: (track) => track.tap('gradPre').figures.column('norm'),
  gradientRatio: (track) => track.figures.column('gradientRatio'),
  deadShare: (track) => track.tap('pre').figures.column('deadShare'),
  saturation: (track) => track.tap('post').figures.column('saturation'),
  headroom: (track) => track.tap('pre').figures.column('headroom'),
  evalShift: (track) =>
    track.hasOwnRunning ? track.figures.column('relativeEvalShift') : undefined,
  gammaUpdateRatio: (track) => track.figures.column('gammaUpdateRatio'),
};

function newestKnown(column: Column, rows: number): number {
  if (!column) return Number.NaN;
  for (let row = rows - 1; row >= Math.max(0, rows - LOOK_BACK); row--) {
    const value = column[row] as number;
    if (!Number.isNaN(value)) return value;
  }
  return Number.NaN;
}

/** One figure of a layer at the newest captured step that has it. */
export function readFigure(run: Run, track: LayerTrack, figure: ReadingFigure): number {
  if (figure === 'nonFinite') return track.nonFinite;
  return newestKnown(COLUMNS[figure](track, run), run.table.length);
}

/** All of them. */
export function readLayer(run: Run, track: LayerTrack): LayerReading {
  const read = (figure: ReadingFigure) => readFigure(run, track, figure);
  return {
    preMean: read('preMean'),
    preStd: read('preStd'),
    postMean: read('postMean'),
    postStd: read('postStd'),
    drift: read('drift'),
    driftFloor: read('driftFloor'),
    gradPostNorm: read('gradPostNorm'),
    gradPreNorm: read('gradPreNorm'),
    gradientRatio: read('gradientRatio'),
    deadShare: read('deadShare'),
    saturation: read('saturation'),
    headroom: read('headroom'),
    evalShift: read('evalShift'),
    gammaUpdateRatio: read('gammaUpdateRatio'),
    nonFinite: read('nonFinite'),
  };
}

/** A figure over the run: its captured steps from first to last, and some of its values. */
export interface FigureTrend {
  readonly firstStep: number;
  readonly lastStep: number;
  readonly values: Float32Array;
}

/** At most 24 values, spread evenly over the captured steps; each the newest known since the one before. */
export function readTrend(
  run: Run,
  track: LayerTrack,
  figure: Exclude<ReadingFigure, 'nonFinite'>,
): FigureTrend | undefined {
  const steps = run.table.steps();
  const [firstStep, lastStep] = [steps[0], steps.at(-1)];
  const column = COLUMNS[figure](track, run);
  if (!column || firstStep === undefined || lastStep === undefined) return undefined;
  const rows = thinnedRows(steps.length, TREND_POINTS);
  const values = Float32Array.from(rows, (row, i) => {
    const after = i === 0 ? row - 1 : (rows[i - 1] ?? row - 1);
    for (let at = row; at > after; at--) {
      const value = column[at] as number;
      if (!Number.isNaN(value)) return value;
    }
    return Number.NaN;
  });
  return { firstStep, lastStep, values };
}
