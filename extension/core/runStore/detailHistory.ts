import { bisector } from 'd3-array';
import type { SlotIndex } from '../frames/slotIndex';
import type { StepRecord } from './stepRecord';

interface Entry {
  readonly record: StepRecord;
  /** Captured steps before this one. */
  readonly ordinal: number;
}

/** Share of the budget that thinning leaves filled, so that it is done rarely. */
const REFILL = 0.75;
/** Share of the budget in which the newest steps are kept without gaps. */
const RECENT = 0.5;
/** Most steps, however small: every query looks at all of them. */
const MAX_RECORDS = 20_000;

const byStep = bisector((entry: Entry) => entry.record.step);

/** Counts what records keep alive: each one's own memory, and each layout that they share once. */
class Account {
  bytes = 0;
  records = 0;
  private readonly layouts = new Set<SlotIndex>();

  add({ bytes, index }: StepRecord): void {
    this.records++;
    this.bytes += bytes;
    if (this.layouts.has(index)) return;
    this.layouts.add(index);
    this.bytes += index.bytes;
  }
}

/**
 * Details of captured steps within a budget of bytes: the newest ones without gaps, and every
 * 2ⁿ-th of the older ones back to the first, so that the whole run can be drawn.
 */
export class DetailHistory {
  private entries: Entry[] = [];
  private pushed = 0;
  private account = new Account();
  private stride = 1;

  constructor(
    private budget: number,
    private readonly maxRecords = MAX_RECORDS,
  ) {}

  get size(): number {
    return this.entries.length;
  }

  /** Bytes kept alive, those of the layouts included. */
  get byteLength(): number {
    return this.account.bytes;
  }

  /** Adds a step; its number is above all others'. */
  push(record: StepRecord): void {
    this.entries.push({ record, ordinal: this.pushed++ });
    this.account.add(record);
    if (this.exceeds(this.account, 1)) this.thin();
  }

  setBudget(budget: number): void {
    this.budget = budget;
    if (this.exceeds(this.account, 1)) this.thin();
  }

  /** All kept steps, oldest first. */
  records(): readonly StepRecord[] {
    return this.entries.map((entry) => entry.record);
  }

  /** All kept steps, newest first. */
  *newestFirst(): Generator<StepRecord> {
    for (let at = this.entries.length - 1; at >= 0; at--) {
      yield (this.entries[at] as Entry).record;
    }
  }

  /** The kept step that is nearest to a step number. */
  nearest(step: number): StepRecord | undefined {
    return this.entries[byStep.center(this.entries, step)]?.record;
  }

  private exceeds({ bytes, records }: Account, share: number): boolean {
    return bytes > this.budget * share || records > this.maxRecords * share;
  }

  private thin(): void {
    while (this.exceeds(this.account, REFILL) && this.entries.length > 1) {
      const older = this.olderLength();
      const kept = this.entries.filter(
        (entry, at) => at >= older || entry.ordinal % this.stride === 0,
      );
      if (kept.length === this.entries.length) {
        if (older <= 1) kept.shift();
        else this.stride *= 2;
      }
      this.entries = kept;
      this.account = new Account();
      for (const { record } of kept) this.account.add(record);
    }
  }

  /** How many entries lie before the newest ones that fill their share of the budget. */
  private olderLength(): number {
    const recent = new Account();
    let at = this.entries.length;
    while (at > 1) {
      recent.add((this.entries[at - 1] as Entry).record);
      if (this.exceeds(recent, RECENT)) break;
      at--;
    }
    return Math.min(at, this.entries.length - 1);
  }
}
