import { TAPS } from '../../protocol/layers';
import type { ModelFigure } from '../../protocol/modelFigures';
import type { LayerTrack } from './layerTrack';

type Column = Float32Array | undefined;

/** The columns of the run's table whose sum a figure is. */
const SOURCES: Readonly<Record<ModelFigure, (track: LayerTrack) => readonly Column[]>> = {
  preDrift: (track) => [track.tap('pre').drift('previous').column('drift')],
  postDrift: (track) => [track.tap('post').drift('previous').column('drift')],
  preStd: (track) => [track.tap('pre').figures.column('std')],
  postStd: (track) => [track.tap('post').figures.column('std')],
  deadShare: (track) => [track.tap('pre').figures.column('deadShare')],
  saturation: (track) => [track.tap('post').figures.column('saturation')],
  gradPostNorm: (track) => [track.tap('gradPost').figures.column('norm')],
  gradPreNorm: (track) => [track.tap('gradPre').figures.column('norm')],
  gradientRatio: (track) => [track.figures.column('gradientRatio')],
  tidMean: (track) => [track.figures.column('tidMean')],
  relativeEvalShift: (track) => [track.figures.column('relativeEvalShift')],
  gammaUpdateRatio: (track) => [track.figures.column('gammaUpdateRatio')],
  headroom: (track) => [track.tap('pre').figures.column('headroom')],
  nonFinite: (track) => TAPS.map((tap) => track.tap(tap).figures.column('nonFinite')),
};

/** Where sampling alone makes something of a figure: the column that says how much. */
const FLOORS: Readonly<Partial<Record<ModelFigure, (track: LayerTrack) => Column>>> = {
  preDrift: (track) => track.tap('pre').drift('previous').column('driftFloor'),
  postDrift: (track) => track.tap('post').drift('previous').column('driftFloor'),
};

/** Reads a figure of a layer at a row of the run's table; NaN where it has none. */
export type FigureAt = (row: number) => number;

export function modelFigure(track: LayerTrack, figure: ModelFigure): FigureAt {
  const columns = SOURCES[figure](track).filter((column) => column !== undefined);
  const [only] = columns;
  if (columns.length === 1 && only) return (row) => only[row] as number;
  return (row) => {
    let sum = Number.NaN;
    for (const column of columns) {
      const value = column[row] as number;
      if (!Number.isNaN(value)) sum = (sum || 0) + value;
    }
    return sum;
  };
}

/** What sampling alone makes of a figure; NaN where that is not known. */
export function modelFloor(track: LayerTrack, figure: ModelFigure): FigureAt {
  const column = FLOORS[figure]?.(track);
  return (row) => column?.[row] ?? Number.NaN;
}
