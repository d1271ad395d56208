import { momentFigures, tapDrift, type DriftSide } from '../analysis/tapDrift';
import { DRIFT_FIGURES, MOMENT_FIGURES, type DriftFigure } from './driftFigures';
import { FigureSeries } from './figureSeries';
import type { SeriesTable } from './seriesTable';
import type { TapReading } from './tapReading';
import { sideBytes, sideOfSteps } from './tapReference';

/** Drift of one tap against the step that the person chose, of the steps before the choice too. */
export class ChosenDrift {
  readonly figures: FigureSeries<DriftFigure>;
  private chosen: DriftSide | undefined;
  /** 1 where a row was compared in full, whatever came of it. */
  private readonly done: FigureSeries<'compared'>;

  constructor(table: SeriesTable) {
    this.figures = new FigureSeries(table);
    this.done = new FigureSeries(table);
  }

  /** What the tap held in the chosen step; undefined where none is chosen, or it had not fired. */
  get side(): DriftSide | undefined {
    return this.chosen;
  }

  get byteLength(): number {
    return this.chosen ? sideBytes(this.chosen) : 0;
  }

  /** Begins anew, against another step or none. The table may lose rows to it. */
  compareWith(reading: TapReading | undefined): void {
    this.figures.clear();
    this.done.clear();
    this.chosen = reading && sideOfSteps([reading]);
    if (this.chosen) this.figures.prepare(MOMENT_FIGURES);
  }

  /** Makes room for the figures that take histograms. The table may lose rows to it. */
  prepare(): void {
    if (!this.chosen) return;
    this.figures.prepare(DRIFT_FIGURES);
    this.done.prepare(['compared']);
  }

  /** Whether a row of the table has been compared in full. */
  has(row: number): boolean {
    return this.done.column('compared')?.[row] === 1;
  }

  /** Compares the moments of a former step, by its row in the table. */
  addMoments(row: number, reading: TapReading): void {
    if (!this.chosen) return;
    const current = { moments: reading.moments, samples: reading.count('samples') };
    const drift = momentFigures(this.chosen, current);
    for (const figure of MOMENT_FIGURES) this.figures.setAt(figure, row, drift[figure]);
  }

  /** Compares a former step in full. */
  add(row: number, reading: TapReading): void {
    this.done.setAt('compared', row, 1);
    const current = this.chosen && sideOfSteps([reading]);
    if (!this.chosen || !current) return;
    const drift = tapDrift(this.chosen, current);
    for (const figure of DRIFT_FIGURES) this.figures.setAt(figure, row, drift[figure]);
  }
}
