import { mean } from 'd3-array';
import type { HeatQuery } from '../../../protocol/modelViews';
import type { StepRange } from '../../../protocol/stepChoice';
import { modelFigure, modelFloor, type FigureAt } from '../modelFigures';
import type { Run } from '../run';
import type { Answer } from './viewAnswer';
import { bounded, rowsWithin } from './choices';
import { columnPeaks, type Column } from './columnPeaks';

const MAX_POINTS = 4096;
/** Cells of one answer: of many layers with fewer columns, but not below what tells steps apart. */
const MAX_CELLS = 320_000;
const MIN_COLUMNS = 100;
/** Most values whatever is asked for. */
const MAX_VALUES = 4 * 1024 * 1024;
/** How far back a floor is looked for. */
const LOOK_BACK = 200;

/** Rows within a range of steps; between two analysed steps these two. */
function columnRows(steps: Float64Array, range: StepRange | undefined): readonly [number, number] {
  const [first, end] = rowsWithin(steps, range);
  const between = first === end && first > 0 && first < steps.length;
  return between ? [first - 1, first + 1] : [first, end];
}

/** Columns that a map of so many layers may have. */
function mostColumns(layers: number): number {
  const share = (values: number) => Math.floor(values / Math.max(1, layers));
  return Math.min(MAX_POINTS, share(MAX_VALUES), Math.max(MIN_COLUMNS, share(MAX_CELLS)));
}

/**
 * Columns of so many neighbouring rows that there are at most `most` of them. Where they begin does
 * not depend on the range or the newest row, so nothing flickers while the run goes on.
 */
function columnsOf(steps: Float64Array, range: StepRange | undefined, most: number) {
  const [first, end] = columnRows(steps, range);
  let stride = 1;
  // Powers of two: as the run grows, two columns become one, and none is cut.
  while (Math.ceil(end / stride) - Math.floor(first / stride) > most) stride *= 2;
  const columns: Column[] = [];
  for (let at = first; at < end; at += stride - (at % stride)) {
    columns.push({ from: at, to: Math.min(end, at + stride - (at % stride)) });
  }
  return { stride, columns };
}

function meanOfRows(losses: Float32Array | undefined, { from, to }: Column): number {
  return mean(losses?.subarray(from, to).filter(Number.isFinite) ?? []) ?? Number.NaN;
}

function newestKnown(figure: FigureAt, rows: number): number {
  for (let row = rows - 1; row >= Math.max(0, rows - LOOK_BACK); row--) {
    const value = figure(row);
    if (!Number.isNaN(value)) return value;
  }
  return Number.NaN;
}

/** One figure over layers and steps. */
export function heatView(run: Run, query: HeatQuery): Answer {
  const tracks = run.layers();
  const steps = run.table.steps();
  const most = bounded(query.points, 2, Math.max(2, mostColumns(tracks.length)));
  const { stride, columns } = columnsOf(steps, query.range, most);
  const values = new Float32Array(tracks.length * columns.length).fill(Number.NaN);
  const peaks = new Uint32Array(values.length);
  tracks.forEach((track, layer) => {
    const figure = modelFigure(track, query.figure);
    columnPeaks(track, query.figure, stride, steps, columns).forEach((row, i) => {
      if (row < 0) return;
      const at = layer * columns.length + i;
      values[at] = figure(row);
      peaks[at] = (steps[row] as number) - (steps[columns[i]?.from ?? 0] as number);
    });
  });
  const losses = run.losses.column('loss');
  return {
    view: {
      view: 'heat',
      run: run.summary(),
      figure: query.figure,
      layers: tracks.map(({ info }) => info.id),
    },
    tensors: {
      steps: Float64Array.from(columns, ({ from }) => steps[from] as number),
      ends: Float64Array.from(columns, ({ to }) => steps[to - 1] as number),
      loss: Float32Array.from(columns, (column) => meanOfRows(losses, column)),
      values,
      peaks,
      floors: Float32Array.from(tracks, (track) =>
        newestKnown(modelFloor(track, query.figure), steps.length),
      ),
    },
  };
}
