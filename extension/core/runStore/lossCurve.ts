import { FigureSeries } from './figureSeries';
import { SeriesTable } from './seriesTable';

/** The loss over the captured steps, however few of them are analysed. */
export class LossCurve {
  private readonly table: SeriesTable;
  private readonly losses: FigureSeries<'loss'>;

  constructor(maxBytes: number) {
    this.table = new SeriesTable(maxBytes);
    this.losses = new FigureSeries(this.table);
  }

  get byteLength(): number {
    return this.table.byteLength;
  }

  /** Number of steps that it has. */
  get length(): number {
    return this.table.length;
  }

  /** Adds a step; its number is above all others'. */
  add(step: number, loss: number | null): void {
    this.table.append(step);
    if (loss !== null) this.losses.set('loss', loss);
  }

  /** Steps and losses at the given places; NaN where a step has none. */
  at(places: readonly number[]): { readonly steps: Float64Array; readonly loss: Float32Array } {
    const steps = this.table.steps();
    return {
      steps: Float64Array.from(places, (place) => steps[place] as number),
      loss: this.losses.at('loss', places),
    };
  }
}
