import type { LayerInfo, Tap } from '../../protocol/layers';
import { TAPS } from '../../protocol/layers';
import type { SeriesTable } from './seriesTable';
import type { StepRecord } from './stepRecord';
import { TapTrack } from './tapTrack';

/** One layer over the captured steps. */
export class LayerTrack {
  private readonly taps: Readonly<Record<Tap, TapTrack>>;

  /** @param info - as in the newest layout */
  constructor(
    table: SeriesTable,
    public info: LayerInfo,
  ) {
    this.taps = {
      pre: new TapTrack(table, true),
      post: new TapTrack(table, true),
      gradPost: new TapTrack(table, false),
      gradPre: new TapTrack(table, false),
    };
  }

  tap(tap: Tap): TapTrack {
    return this.taps[tap];
  }

  add(record: StepRecord): void {
    for (const tap of TAPS) {
      const reading = record.tap(this.info.id, tap);
      if (reading) this.taps[tap].add(reading);
    }
  }

  /** NaN and infinite values at the newest captured step, over all taps. */
  get nonFinite(): number {
    return TAPS.reduce((sum, tap) => sum + (this.taps[tap].figures.newest('nonFinite') || 0), 0);
  }
}
