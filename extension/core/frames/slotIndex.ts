import { createHash } from 'node:crypto';
import type { Layout } from '../../protocol/frames';
import type { LayerId } from '../../protocol/ids';
import type { Statistic, Tap } from '../../protocol/layers';

interface Span {
  /** In float32 elements. */
  readonly offset: number;
  readonly length: number;
}

/** Where the statistics of one tap lie in a step. */
export interface TapSlots {
  readonly statistics: Readonly<Partial<Record<Statistic, Span>>>;
  /** Row of the step's histograms; undefined when the tap has none. */
  readonly row: number | undefined;
}

interface MutableTapSlots {
  statistics: Partial<Record<Statistic, Span>>;
  row: number | undefined;
}

/** A layout's slots, looked up by layer and tap. */
export class SlotIndex {
  readonly blockLength: number;
  /** Histogram rows that the layout refers to. */
  readonly histogramRows: number;
  /** Rough size in memory. */
  readonly bytes: number;
  private readonly layers = new Map<LayerId, Partial<Record<Tap, MutableTapSlots>>>();
  /** Equal for layouts that place everything alike. */
  private readonly signature: string;

  constructor(layout: Pick<Layout, 'slots' | 'histograms' | 'blockLength'>) {
    this.blockLength = layout.blockLength;
    for (const { layer, tap, statistic, offset, length } of layout.slots) {
      this.slotsFor(layer, tap).statistics[statistic] = { offset, length };
    }
    let rows = 0;
    for (const { layer, tap, row } of layout.histograms) {
      this.slotsFor(layer, tap).row = row;
      rows = Math.max(rows, row + 1);
    }
    this.histogramRows = rows;
    const text = JSON.stringify([layout.slots, layout.histograms, layout.blockLength]);
    this.signature = createHash('sha256').update(text).digest('hex');
    this.bytes = 2 * text.length;
  }

  private slotsFor(layer: LayerId, tap: Tap): MutableTapSlots {
    let taps = this.layers.get(layer);
    if (!taps) this.layers.set(layer, (taps = {}));
    return (taps[tap] ??= { statistics: {}, row: undefined });
  }

  equals(other: SlotIndex): boolean {
    return this.signature === other.signature;
  }

  /** Whether no tap has a place in a step. */
  get isEmpty(): boolean {
    return this.layers.size === 0;
  }

  tap(layer: LayerId, tap: Tap): TapSlots | undefined {
    return this.layers.get(layer)?.[tap];
  }
}
