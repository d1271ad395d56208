import { REFERENCES, type Reference } from '../../protocol/views';
import { largest, smallest } from '../analysis/extremes';
import { normOf } from '../analysis/pooledFeatures';
import { momentFigures, tapDrift, type MomentSide } from '../analysis/tapDrift';
import { ChosenDrift } from './chosenDrift';
import { DRIFT_FIGURES, MOMENT_FIGURES, type DriftFigure } from './driftFigures';
import { FigureSeries } from './figureSeries';
import type { SeriesTable } from './seriesTable';
import type { TapReading } from './tapReading';
import { sideOfSteps, TapReferences } from './tapReference';

export type TapFigure =
  | 'mean'
  | 'std'
  | 'norm'
  | 'min'
  | 'max'
  | 'skewness'
  | 'kurtosis'
  | 'headroom'
  | 'nonFinite'
  /** Of the input only. */
  | 'deadShare'
  /** Of the output only. */
  | 'saturation';

/** Whole-tensor figures of one tap, step by step. */
export class TapTrack {
  readonly figures: FigureSeries<TapFigure>;
  /** Drift against the step that the person chose. */
  readonly chosen: ChosenDrift;
  private readonly drifts: Readonly<Record<Reference, FigureSeries<DriftFigure>>>;
  private readonly references: TapReferences | undefined;

  /** @param followDrift - whether to compare each step with those before */
  constructor(table: SeriesTable, followDrift: boolean) {
    this.figures = new FigureSeries(table);
    this.chosen = new ChosenDrift(table);
    this.drifts = {
      previous: new FigureSeries(table),
      first: new FigureSeries(table),
      window: new FigureSeries(table),
      chosen: this.chosen.figures,
    };
    this.references = followDrift ? new TapReferences() : undefined;
  }

  /** Bytes kept beside the figures. */
  get byteLength(): number {
    return (this.references?.byteLength ?? 0) + this.chosen.byteLength;
  }

  /** Figures of the drift against a reference. */
  drift(reference: Reference): FigureSeries<DriftFigure> {
    return this.drifts[reference];
  }

  /**
   * Adds the newest step, in which the tap fired.
   * @param recent - the tap in the captured steps before it, newest first
   * @param due - whether to compare it in full; else only its moments, with those of single steps
   */
  add(reading: TapReading, recent: Iterable<TapReading | undefined>, due: boolean): void {
    const { pooled } = reading;
    this.figures.set('mean', pooled.mean);
    this.figures.set('std', Math.sqrt(pooled.variance));
    this.figures.set('norm', normOf(pooled, reading.finite));
    this.figures.set('min', smallest(reading.values('featureMin')));
    this.figures.set('max', largest(reading.values('featureMax')));
    this.figures.set('skewness', reading.whole('skewness'));
    this.figures.set('kurtosis', reading.whole('kurtosis'));
    this.figures.set('headroom', reading.whole('headroom'));
    this.figures.set('nonFinite', reading.nonFinite);
    const { references } = this;
    if (!references) return;
    if (due || references.isBeginning) this.addDrift(references, reading, recent);
    else this.addMomentDrift(references, reading, recent);
  }

  /** The run is over: nothing more is compared, but with a step that is chosen. */
  release(): void {
    this.references?.release();
  }

  private addDrift(
    references: TapReferences,
    reading: TapReading,
    recent: Iterable<TapReading | undefined>,
  ): void {
    const current = sideOfSteps([reading]);
    if (!current) return;
    const before = { ...references.before(recent), chosen: this.chosen.side };
    for (const reference of REFERENCES) {
      const side = before[reference];
      if (!side) continue;
      const drift = tapDrift(side, current);
      for (const figure of DRIFT_FIGURES) this.drifts[reference].set(figure, drift[figure]);
    }
    references.add(reading, current);
  }

  private addMomentDrift(
    references: TapReferences,
    reading: TapReading,
    recent: Iterable<TapReading | undefined>,
  ): void {
    const current: MomentSide = { moments: reading.moments, samples: reading.count('samples') };
    const before = { ...references.momentsBefore(recent), chosen: this.chosen.side };
    for (const reference of REFERENCES) {
      const side = before[reference];
      if (!side) continue;
      const drift = momentFigures(side, current);
      for (const figure of MOMENT_FIGURES) this.drifts[reference].set(figure, drift[figure]);
    }
  }
}
