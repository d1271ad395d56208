import { createHash } from 'node:crypto';
import type { Layout } from '../../protocol/frames';
import type { LayerId } from '../../protocol/ids';
import type { HistogramOf, Parameter, Statistic, Tap } from '../../protocol/layers';

interface Span {
  /** In float32 elements. */
  readonly offset: number;
  readonly length: number;
}

/** Where the statistics of one tap lie in a step. */
export interface TapSlots {
  readonly statistics: Readonly<Partial<Record<Statistic, Span>>>;
  /** Rows of the step's histograms, by what they count. */
  readonly rows: Readonly<Partial<Record<HistogramOf, number>>>;
}

interface MutableTapSlots {
  statistics: Partial<Record<Statistic, Span>>;
  rows: Partial<Record<HistogramOf, number>>;
}

/** A layout's slots, looked up by layer and tap, or by layer and parameter. */
export class SlotIndex {
  readonly blockLength: number;
  /** Histogram rows that the layout refers to. */
  readonly histogramRows: number;
  /** Where the counts of all taps begin in the block. */
  readonly countsAt: number[] = [];
  /** Rough size in memory. */
  readonly bytes: number;
  private readonly layers = new Map<LayerId, Partial<Record<Tap, MutableTapSlots>>>();
  private readonly parameters = new Map<LayerId, Partial<Record<Parameter, Span>>>();
  /** Equal for layouts that place everything alike. */
  private readonly signature: string;

  constructor(layout: Pick<Layout, 'slots' | 'parameters' | 'histograms' | 'blockLength'>) {
    this.blockLength = layout.blockLength;
    for (const { layer, tap, statistic, offset, length } of layout.slots) {
      this.slotsFor(layer, tap).statistics[statistic] = { offset, length };
      if (statistic === 'counts') this.countsAt.push(offset);
    }
    for (const { layer, parameter, offset, length } of layout.parameters) {
      let vectors = this.parameters.get(layer);
      if (!vectors) this.parameters.set(layer, (vectors = {}));
      vectors[parameter] = { offset, length };
    }
    let rows = 0;
    for (const { layer, tap, of, row } of layout.histograms) {
      this.slotsFor(layer, tap).rows[of] = row;
      rows = Math.max(rows, row + 1);
    }
    this.histogramRows = rows;
    const { slots, parameters, histograms, blockLength } = layout;
    const text = JSON.stringify([slots, parameters, histograms, blockLength]);
    this.signature = createHash('sha256').update(text).digest('hex');
    this.bytes = 2 * text.length;
  }

  private slotsFor(layer: LayerId, tap: Tap): MutableTapSlots {
    let taps = this.layers.get(layer);
    if (!taps) this.layers.set(layer, (taps = {}));
    return (taps[tap] ??= { statistics: {}, rows: {} });
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

  parameter(layer: LayerId, parameter: Parameter): Span | undefined {
    return this.parameters.get(layer)?.[parameter];
  }
}
