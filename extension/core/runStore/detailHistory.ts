import { bisector } from 'd3-array';
import type { StepRecord } from './stepRecord';

interface Entry {
  readonly record: StepRecord;
  /** Captured steps before this one. */
  readonly ordinal: number;
  readonly bytes: number;
}

/** Share of the budget that thinning leaves filled, so that it is done rarely. */
const REFILL = 0.75;
/** Share of the budget in which the newest steps are kept without gaps. */
const RECENT = 0.5;

const byStep = bisector((entry: Entry) => entry.record.step);

/**
 * Details of captured steps within a budget of bytes: the newest ones without gaps, and every
 * 2ⁿ-th of the older ones back to the first, so that the whole run can be drawn.
 */
export class DetailHistory {
  private entries: Entry[] = [];
  private pushed = 0;
  private bytes = 0;
  private stride = 1;

  constructor(private budget: number) {}

  get size(): number {
    return this.entries.length;
  }

  /** Bytes kept alive. */
  get byteLength(): number {
    return this.bytes;
  }

  /** Adds a step; its number is above all others'. */
  push(record: StepRecord): void {
    const newLayout = this.entries.at(-1)?.record.index !== record.index;
    const bytes = record.bytes + (newLayout ? record.index.bytes : 0);
    this.entries.push({ record, ordinal: this.pushed++, bytes });
    this.bytes += bytes;
    if (this.bytes > this.budget) this.thin();
  }

  setBudget(budget: number): void {
    this.budget = budget;
    if (this.bytes > budget) this.thin();
  }

  /** All kept steps, oldest first. */
  records(): readonly StepRecord[] {
    return this.entries.map((entry) => entry.record);
  }

  /** The kept step that is nearest to a step number. */
  nearest(step: number): StepRecord | undefined {
    return this.entries[byStep.center(this.entries, step)]?.record;
  }

  private thin(): void {
    const limit = this.budget * REFILL;
    while (this.bytes > limit && this.entries.length > 1) {
      const older = this.olderLength();
      const kept = this.entries.filter(
        (entry, at) => at >= older || entry.ordinal % this.stride === 0,
      );
      if (kept.length === this.entries.length) {
        if (older <= 1) kept.shift();
        else this.stride *= 2;
      }
      this.entries = kept;
      this.bytes = kept.reduce((bytes, entry) => bytes + entry.bytes, 0);
    }
  }

  /** How many entries lie before the newest ones that fill their share of the budget. */
  private olderLength(): number {
    let recent = 0;
    let at = this.entries.length;
    while (at > 1) {
      recent += (this.entries[at - 1] as Entry).bytes;
      if (recent > this.budget * RECENT) break;
      at--;
    }
    return Math.min(at, this.entries.length - 1);
  }
}
