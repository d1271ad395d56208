import type { ModelFigure } from '../../../protocol/modelFigures';
import type { LayerTrack } from '../layerTrack';
import { modelFigure, type FigureAt } from '../modelFigures';

/** Rows [from, to) of the run's table that are drawn as one. */
export interface Column {
  readonly from: number;
  readonly to: number;
}

/** The row whose value is furthest from 0; −1 where none has one. */
function peakRow(figure: FigureAt, { from, to }: Column): number {
  let peak = -1;
  let furthest = -1;
  for (let row = from; row < to; row++) {
    const size = Math.abs(figure(row));
    if (size > furthest) {
      furthest = size;
      peak = row;
    }
  }
  return peak;
}

interface Kept {
  readonly figure: ModelFigure;
  readonly stride: number;
  /** By column, from the first on. */
  readonly peaks: number[];
  /** Step of the last row looked at: another one there means that the table was thinned. */
  lastStep: number;
}

/** What was last found of each layer: whole columns stay as they are while the run goes on. */
const kept = new WeakMap<LayerTrack, Kept>();

function keptOf(track: LayerTrack, figure: ModelFigure, stride: number, steps: Float64Array): Kept {
  const known = kept.get(track);
  const fits = known?.figure === figure && known.stride === stride;
  if (known && fits && steps[known.peaks.length * stride - 1] === known.lastStep) return known;
  const fresh: Kept = { figure, stride, peaks: [], lastStep: Number.NaN };
  kept.set(track, fresh);
  return fresh;
}

/**
 * For each column the row whose value of a layer's figure is furthest from 0; −1 where there is none.
 * @param columns - neighbours, whose rows begin at a multiple of `stride` but for the first one's
 */
export function columnPeaks(
  track: LayerTrack,
  name: ModelFigure,
  stride: number,
  steps: Float64Array,
  columns: readonly Column[],
): readonly number[] {
  const figure = modelFigure(track, name);
  const known = keptOf(track, name, stride, steps);
  const whole = Math.floor(steps.length / stride);
  while (known.peaks.length < whole) {
    const from = known.peaks.length * stride;
    known.peaks.push(peakRow(figure, { from, to: from + stride }));
  }
  known.lastStep = steps[whole * stride - 1] ?? Number.NaN;
  return columns.map((column) => {
    const isWhole = column.from % stride === 0 && column.to - column.from === stride;
    const found = isWhole ? known.peaks[column.from / stride] : undefined;
    return found ?? peakRow(figure, column);
  });
}
