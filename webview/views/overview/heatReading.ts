import type { ModelFigure } from '../../../extension/protocol/modelFigures';
import type { HeatView } from '../../../extension/protocol/modelViews';
import type { ModelRow } from '../../charts/modelRows';
import { formatCount } from '../../format';
import { numbers, type Loaded, type Numbers } from '../../state/viewData';
import { text } from '../../strings';
import { figureTitle, formatFigure } from '../model/figureInfo';

/** One cell of the heat map: the value of a layer that stands for a column. */
export interface HeatCell {
  /** Index in model order: of a collapsed group the layer furthest out. */
  readonly layer: number;
  /** The step whose value it is; the last of the column where there is none. */
  readonly step: number;
  readonly value: number;
  readonly floor: number;
  /** First and last step of the column. */
  readonly from: number;
  readonly to: number;
}

/** Reads the cells of a heat view. */
export class HeatReading {
  readonly figure: ModelFigure;
  readonly steps: Numbers;
  readonly ends: Numbers;
  readonly values: Numbers;
  readonly floors: Numbers;
  private readonly peaks: Uint32Array;

  constructor(
    view: Loaded<HeatView>,
    private readonly names: readonly string[],
  ) {
    this.figure = view.body.figure;
    this.steps = numbers(view, 'steps');
    this.ends = numbers(view, 'ends');
    this.values = numbers(view, 'values');
    this.floors = numbers(view, 'floors');
    const { peaks } = view.tensors;
    this.peaks = peaks instanceof Uint32Array ? peaks : new Uint32Array(0);
  }

  get columns(): number {
    return this.steps.length;
  }

  at(layer: number, column: number): HeatCell {
    const index = layer * this.columns + column;
    const value = this.values[index] ?? NaN;
    const [from, to] = [this.steps[column] ?? 0, this.ends[column] ?? 0];
    return {
      layer,
      step: Number.isNaN(value) ? to : from + (this.peaks[index] ?? 0),
      value,
      floor: this.floors[layer] ?? NaN,
      from,
      to,
    };
  }

  /** The cell of a row that is furthest out. */
  worst({ layers }: ModelRow, column: number): HeatCell {
    const cells = layers.map((layer) => this.at(layer, column));
    return cells.reduce((worst, cell) =>
      Number.isNaN(worst.value) || cell.value > worst.value ? cell : worst,
    );
  }

  /** The largest value of all, and where it is; undefined where there is none. */
  largest(): HeatCell | undefined {
    let best = -1;
    this.values.forEach((value: number, i: number) => {
      if (value > (this.values[best] ?? -Infinity)) best = i;
    });
    if (best < 0) return undefined;
    return this.at(Math.floor(best / this.columns), best % this.columns);
  }

  /** The largest value of one layer; undefined where it has none. */
  largestOf(layer: number): HeatCell | undefined {
    let best = -1;
    for (let column = 0; column < this.columns; column++) {
      const value = this.at(layer, column).value;
      if (value > (best < 0 ? -Infinity : this.at(layer, best).value)) best = column;
    }
    return best < 0 ? undefined : this.at(layer, best);
  }

  name(layer: number): string {
    return this.names[layer] ?? '';
  }

  /** A cell in words. */
  words(cell: HeatCell): readonly string[] {
    const { value, floor, step, from, to } = cell;
    const title = figureTitle(this.figure);
    const where =
      from === to
        ? text('step', formatCount(step))
        : text('heatSteps', formatCount(step), formatCount(from), formatCount(to));
    const reading = Number.isNaN(value)
      ? text('heatNotMeasured', title)
      : text('seriesValue', title, formatFigure(this.figure, value));
    const sampling = Number.isNaN(floor)
      ? []
      : [text('driftFloor', formatFigure(this.figure, floor))];
    return [this.name(cell.layer), where, reading, ...sampling];
  }
}
