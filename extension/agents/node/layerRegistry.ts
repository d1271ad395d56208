import { layerId } from '../../protocol/ids';
import type { SourceLocation } from '../../protocol/layers';
import { LayerRecord } from './layerRecord';
import type { NormKind } from './normLayers';
import type { NormLayer } from './tfjs';

/**
 * Most layers captured: the layout of more, with its slots, would not fit in a frame's header.
 */
export const MAX_CAPTURED = 1_500;

/** Steps without a call after which a layer gives its place to a new one. */
const IDLE = 20;

/**
 * Steps without a call after which a layer is let go of: TensorFlow.js itself keeps the layers of
 * the last hundred models alive.
 */
const ABANDONED = 500;

/** What was called in the step that is measured stays until that is sent. */
const isAlive = (record: LayerRecord) =>
  (record.idle === 0 && record.samples > 0) || !record.isOver;

/** A norm layer as it was found. */
export interface LayerIdentity {
  readonly layer: NormLayer;
  readonly kind: NormKind;
  readonly constructedAt: SourceLocation | null;
}

const baseName = (record: LayerRecord | undefined) =>
  (record?.name ?? '').replace(/ \(call \d+\)$/, '');

/**
 * The layers that are captured, each under a name of its own. A program may build models without
 * end (one a fold of a cross-validation), so what is over goes: at once where the layer was
 * disposed or collected, else after a while. A layer that comes back gets a new record.
 */
export class LayerRegistry {
  private records: LayerRecord[] = [];
  private nextId = 0;
  private total = 0;
  /** There was no place left: no use to look for one again before the step is over. */
  private refusing = false;

  get all(): readonly LayerRecord[] {
    return this.records;
  }

  /**
   * Takes a layer in; null when there are too many.
   * @param previous the record of the call before, where this is a further call of a layer in a pass.
   */
  add({ layer, kind, constructedAt }: LayerIdentity, previous?: LayerRecord): LayerRecord | null {
    if (this.refusing) return null;
    const call = previous ? previous.call + 1 : 0;
    const wanted = call === 0 ? String(layer.name) : `${baseName(previous)} (call ${call + 1})`;
    if (this.isFull || this.taken(wanted)) this.keep(isAlive);
    if (this.isFull) this.keep(({ idle }) => idle < IDLE);
    if (this.isFull) {
      this.refusing = true;
      return null;
    }
    const name = this.unique(wanted);
    const id = layerId(this.nextId);
    const record = new LayerRecord(id, layer, name, kind, constructedAt, call);
    this.nextId += 1;
    this.total += 1;
    const before = previous ? this.records.indexOf(previous) : -1;
    this.records.splice(before < 0 ? this.records.length : before + 1, 0, record);
    return record;
  }

  /** Layers taken in so far, without those found to be none. */
  get count(): number {
    return this.total;
  }

  /** Takes out what turned out to be no norm layer. */
  remove(record: LayerRecord): void {
    if (!record.dropped) this.total -= 1;
    this.keep((candidate) => candidate !== record);
  }

  /** A step is over, captured or not. Lets go of layers that will not be called again. */
  endStep(): void {
    this.keep((record) => isAlive(record) && record.idle < ABANDONED);
    for (const record of this.records) record.idle += 1;
    this.refusing = false;
  }

  private get isFull(): boolean {
    return this.records.length >= MAX_CAPTURED;
  }

  private taken(name: string): boolean {
    return this.records.some((record) => record.name === name);
  }

  /** `norm`, `norm (2)`, `norm (3)`, … */
  private unique(name: string): string {
    let free = name;
    for (let n = 2; this.taken(free); n += 1) free = `${name} (${n})`;
    return free;
  }

  private keep(test: (record: LayerRecord) => boolean): void {
    if (this.records.every(test)) return;
    const kept: LayerRecord[] = [];
    for (const record of this.records) {
      if (test(record)) kept.push(record);
      else record.dropped = true;
    }
    this.records = kept;
  }
}
