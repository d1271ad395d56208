import { MAX_CALLS } from '../../protocol/limits';
import type { Capture } from './capture';
import type { LayerRecord } from './layerRecord';
import type { LayerIdentity } from './layerRegistry';
import type { Pass } from './passes';

/**
 * The records of one norm layer: one for each of its calls in a pass, so that places of a model
 * which share a layer are told apart. A layer that is called more often than that has one for all.
 */
export class LayerCalls {
  private records: (LayerRecord | undefined)[] = [];
  private merged = false;

  constructor(
    private readonly capture: Capture,
    private readonly identity: LayerIdentity,
  ) {}

  /** The record of the first call; made if there is none. Undefined when there are too many layers. */
  get first(): LayerRecord | undefined {
    return this.at(0);
  }

  /** The layer is in use. */
  touch(): void {
    for (const record of this.records) if (record) record.idle = 0;
  }

  /** Counts a call; gives out what finds its record, which may change while the pass goes on. */
  next(pass: Pass): () => LayerRecord | undefined {
    const call = pass.calls.get(this) ?? 0;
    pass.calls.set(this, call + 1);
    if (call >= MAX_CALLS) this.merge();
    return () => this.at(call);
  }

  /** Forgets the layer, which turned out to be none. */
  remove(): void {
    for (const record of this.records) if (record) this.capture.removeLayer(record);
    this.records = [];
  }

  private at(call: number): LayerRecord | undefined {
    const index = this.merged ? 0 : call;
    const known = this.records[index];
    if (known && !known.dropped) return known;
    const previous = index > 0 ? this.at(index - 1) : undefined;
    if (index > 0 && !previous) return undefined;
    const record = this.capture.addLayer(this.identity, previous) ?? undefined;
    this.records[index] = record;
    return record;
  }

  private merge(): void {
    if (this.merged) return;
    this.merged = true;
    const [, ...others] = this.records;
    const first = this.at(0);
    this.records = [first];
    for (const record of others) {
      if (!record) continue;
      if (first) this.capture.current.move(record, first);
      this.capture.removeLayer(record);
    }
    first?.note(
      'shared',
      `This layer is called more than ${MAX_CALLS} times in one pass; the statistics of all its ` +
        'calls are merged.',
    );
  }
}
