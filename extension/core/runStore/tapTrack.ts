import { largest, smallest } from '../analysis/extremes';
import { meanDriftFloor, momentDrift, type FeatureMoments } from '../analysis/momentDrift';
import { normOf, poolFeatures } from '../analysis/pooledFeatures';
import { FigureSeries } from './figureSeries';
import type { SeriesTable } from './seriesTable';
import type { TapReading } from './tapReading';

export type TapFigure =
  'mean' | 'std' | 'norm' | 'min' | 'max' | 'nonFinite' | 'drift' | 'varianceDrift' | 'driftFloor';

interface Fired extends FeatureMoments {
  readonly samples: number;
}

/** Whole-tensor figures of one tap, step by step. */
export class TapTrack {
  readonly figures: FigureSeries<TapFigure>;
  private previous: Fired | undefined;

  /** @param followDrift - whether to compare each step with the one before */
  constructor(
    table: SeriesTable,
    private readonly followDrift: boolean,
  ) {
    this.figures = new FigureSeries(table);
  }

  /** Adds the newest step, in which the tap fired. */
  add(reading: TapReading): void {
    const mean = reading.values('featureMean');
    const variance = reading.values('featureVariance');
    const pooled = poolFeatures(mean, variance);
    this.figures.set('mean', pooled.mean);
    this.figures.set('std', Math.sqrt(pooled.variance));
    this.figures.set('norm', normOf(pooled, reading.finite));
    this.figures.set('min', smallest(reading.values('featureMin')));
    this.figures.set('max', largest(reading.values('featureMax')));
    this.figures.set('nonFinite', reading.nonFinite);
    if (this.followDrift) this.addDrift({ mean, variance, samples: reading.count('samples') });
  }

  private addDrift(fired: Fired & { mean: Float32Array; variance: Float32Array }): void {
    if (this.previous) {
      const drift = momentDrift(this.previous, fired);
      this.figures.set('drift', drift.mean);
      this.figures.set('varianceDrift', drift.variance);
      this.figures.set('driftFloor', meanDriftFloor(this.previous.samples, fired.samples));
    }
    // Copies, so that the rest of the step's block can be released.
    this.previous = {
      mean: fired.mean.slice(),
      variance: fired.variance.slice(),
      samples: fired.samples,
    };
  }
}
