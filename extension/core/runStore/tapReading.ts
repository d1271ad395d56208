import { COUNTS, type Count, type Statistic } from '../../protocol/layers';
import type { BitHistogram } from '../analysis/bitHistogram';
import type { TapSlots } from './slotIndex';
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

  /** The histogram; the exact zeros are counted over all rows, so they are scaled to its share. */
  histogram(): BitHistogram | undefined {
    const { row } = this.slots;
    if (row === undefined) return undefined;
    const { splits, bins, counts } = this.record.tensors;
    const begin = splits[row] ?? 0;
    const end = splits[row + 1] ?? begin;
    return {
      bins: bins.subarray(begin, end),
      counts: counts.subarray(begin, end),
      zero: this.count('zero') / this.record.histogramStride,
    };
  }
}
