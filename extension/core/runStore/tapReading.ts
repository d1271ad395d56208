import {
  COUNTS,
  EXTREME_ROW,
  WHOLE,
  type Count,
  type HistogramOf,
  type Statistic,
  type Whole,
} from '../../protocol/layers';
import type { BitHistogram } from '../analysis/bitHistogram';
import { poolFeatures, type Pooled } from '../analysis/pooledFeatures';
import type { TapSlots } from '../frames/slotIndex';
import type { StepRecord } from './stepRecord';

const NOTHING = new Float32Array(0);
const placesOf = <T extends string>(names: readonly T[]) =>
  Object.fromEntries(names.map((name, at) => [name, at])) as Readonly<Record<T, number>>;
const COUNT_AT = placesOf(COUNTS);
const WHOLE_AT = placesOf(WHOLE);

/** A row that lies far out; see `EXTREME_ROW`. */
export interface ExtremeRow {
  readonly index: number;
  readonly mean: number;
  readonly variance: number;
}

/** Reads one tap of one step where it lies, without a copy. */
export class TapReading {
  constructor(
    private readonly record: StepRecord,
    private readonly slots: TapSlots,
  ) {}

  /** Number of the step that it is of. */
  get step(): number {
    return this.record.step;
  }

  /** Values of a statistic; empty when the layout has no slot for it. */
  values(statistic: Statistic): Float32Array {
    const span = this.slots.statistics[statistic];
    if (!span) return NOTHING;
    return this.record.tensors.block.subarray(span.offset, span.offset + span.length);
  }

  /** One entry of a statistic, read where it lies; NaN where there is none. */
  private entry(statistic: Statistic, at: number): number {
    const span = this.slots.statistics[statistic];
    return span && at < span.length
      ? (this.record.tensors.block[span.offset + at] as number)
      : Number.NaN;
  }

  /** One of the tap's counts; 0 where it is not known. */
  count(name: Count): number {
    const value = this.entry('counts', COUNT_AT[name]);
    return Number.isFinite(value) && value > 0 ? value : 0;
  }

  /** A figure over all finite values of the tensor; NaN where it is not known. */
  whole(name: Whole, statistic: 'whole' | 'unpaddedWhole' = 'whole'): number {
    return this.entry(statistic, WHOLE_AT[name]);
  }

  /** Mean and biased variance of the whole tensor, from its features where nothing better is there. */
  get pooled(): Pooled {
    const whole = { mean: this.whole('mean'), variance: this.whole('variance') };
    if (!Number.isNaN(whole.mean) && !Number.isNaN(whole.variance)) return whole;
    return poolFeatures(this.values('featureMean'), this.values('featureVariance'));
  }

  /** Mean and biased variance of each feature. */
  get moments() {
    return { mean: this.values('featureMean'), variance: this.values('featureVariance') };
  }

  /** The rows furthest out, furthest first; none where there are no rows. */
  extremeRows(): readonly ExtremeRow[] {
    const values = this.values('extremeRows');
    const rows: ExtremeRow[] = [];
    for (let at = 0; at + EXTREME_ROW.length <= values.length; at += EXTREME_ROW.length) {
      const [index, mean, variance] = values.subarray(at, at + EXTREME_ROW.length);
      if (index === undefined || mean === undefined || variance === undefined) break;
      if (Number.isFinite(index)) rows.push({ index, mean, variance });
    }
    return rows;
  }

  get nonFinite(): number {
    return this.count('nan') + this.count('positiveInfinity') + this.count('negativeInfinity');
  }

  /** Number of finite values. */
  get finite(): number {
    return Math.max(0, this.count('elements') - this.nonFinite);
  }

  /** Values of a per-sample statistic; slots are longer than a small batch. */
  samples(statistic: 'sampleMean' | 'sampleVariance'): Float32Array {
    return this.values(statistic).subarray(0, this.count('samples'));
  }

  /** Values that are counted by bin, over all rows: finite ones that are not zero. */
  private get binned(): number {
    return Math.max(0, this.finite - this.count('zero'));
  }

  /**
   * Values for each one that went into the histogram, from what it counts: taps of one step may be
   * sampled unlike each other. The step's stride where there is nothing to tell it from.
   */
  get histogramRatio(): number {
    const counts = this.histogramCounts('values');
    let counted = 0;
    for (let i = 0; i < counts.length; i++) counted += counts[i] as number;
    return counted > 0 && this.binned > 0 ? this.binned / counted : this.record.histogramStride;
  }

  private histogramCounts(of: HistogramOf): Uint32Array {
    const row = this.slots.rows[of];
    const { splits, counts } = this.record.tensors;
    return row === undefined
      ? counts.subarray(0, 0)
      : counts.subarray(splits[row], splits[row + 1]);
  }

  /**
   * The histogram of the tensor's values, or of the mean or variance of its rows; undefined where
   * the layout has none. The values' exact zeros are counted over all of them, so they are scaled
   * to the histogram's share; those of rows are not counted.
   */
  histogram(of: HistogramOf = 'values'): BitHistogram | undefined {
    const row = this.slots.rows[of];
    if (row === undefined) return undefined;
    const { splits, bins } = this.record.tensors;
    return {
      bins: bins.subarray(splits[row], splits[row + 1]),
      counts: this.histogramCounts(of),
      zero: of === 'values' ? this.count('zero') / this.histogramRatio : 0,
    };
  }
}
