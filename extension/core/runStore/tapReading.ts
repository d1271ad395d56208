import { COUNTS, type Count, type Statistic } from '../../protocol/layers';
import type { BitHistogram } from '../analysis/bitHistogram';
import type { TapSlots } from '../frames/slotIndex';
import type { StepRecord } from './stepRecord';

const NOTHING = new Float32Array(0);

/** Reads one tap of one step where it lies, without a copy. */
export class TapReading {
  constructor(
    private readonly record: StepRecord,
    private readonly slots: TapSlots,
  ) {}

  /** Values of a statistic; empty when the layout has no slot for it. */
  values(statistic: Statistic): Float32Array {
    const span = this.slots.statistics[statistic];
    if (!span) return NOTHING;
    return this.record.tensors.block.subarray(span.offset, span.offset + span.length);
  }

  /** One of the tap's counts; 0 where it is not known. */
  count(name: Count): number {
    const value = this.values('counts')[COUNTS.indexOf(name)];
    return value !== undefined && Number.isFinite(value) && value > 0 ? value : 0;
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
   * Rows for each one that went into the histogram, from what it counts: taps of one step may be
   * sampled unlike each other. The step's stride where there is nothing to tell it from.
   */
  get histogramRatio(): number {
    const counts = this.histogramCounts();
    const counted = counts.reduce((sum, count) => sum + count, 0);
    return counted > 0 && this.binned > 0 ? this.binned / counted : this.record.histogramStride;
  }

  private histogramCounts(): Uint32Array {
    const { row } = this.slots;
    const { splits, counts } = this.record.tensors;
    return row === undefined
      ? counts.subarray(0, 0)
      : counts.subarray(splits[row], splits[row + 1]);
  }

  /** The histogram; the exact zeros are counted over all rows, so they are scaled to its share. */
  histogram(): BitHistogram | undefined {
    const { row } = this.slots;
    if (row === undefined) return undefined;
    const { splits, bins } = this.record.tensors;
    return {
      bins: bins.subarray(splits[row], splits[row + 1]),
      counts: this.histogramCounts(),
      zero: this.count('zero') / this.histogramRatio,
    };
  }
}
