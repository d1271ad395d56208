import type { LayerId } from '../../protocol/ids';
import { COUNTS, TAPS, type Parameter, type Tap } from '../../protocol/layers';
import type { ReceivedStep, StepTensors } from '../frames/receivedFrame';
import type { SlotIndex } from '../frames/slotIndex';
import { TapReading } from './tapReading';

/** Rough memory of a record's own objects: views, buffers and what leads to them. */
const OBJECT_BYTES = 1024;

const NON_FINITE = (['nan', 'positiveInfinity', 'negativeInfinity'] as const).map((name) =>
  COUNTS.indexOf(name),
);

const NOTHING = new Float32Array(0);

/** All details of one captured step, in the memory it arrived in. */
export class StepRecord {
  readonly step: number;
  readonly histogramStride: number;
  readonly lossScale: number | null;
  readonly tensors: StepTensors;
  readonly index: SlotIndex;
  /** Bytes of memory that the record keeps alive, without its layout. */
  readonly bytes: number;

  constructor(frame: ReceivedStep) {
    this.step = frame.step;
    this.histogramStride = frame.histogramStride;
    this.lossScale = frame.lossScale;
    this.tensors = frame.tensors;
    this.index = frame.index;
    const { block, splits, bins, counts } = frame.tensors;
    const buffers = new Set([block.buffer, splits.buffer, bins.buffer, counts.buffer]);
    this.bytes = [...buffers].reduce((bytes, buffer) => bytes + buffer.byteLength, OBJECT_BYTES);
  }

  /** Whether any tap of any layer holds NaN or infinite values. */
  get hasNonFinite(): boolean {
    const { block } = this.tensors;
    return this.index.countsAt.some((at) =>
      NON_FINITE.some((entry) => (block[at + entry] ?? 0) > 0),
    );
  }

  /** All taps of the layer that fired in this step. */
  taps(layer: LayerId): Partial<Record<Tap, TapReading>> {
    const fired: Partial<Record<Tap, TapReading>> = {};
    for (const tap of TAPS) {
      const reading = this.tap(layer, tap);
      if (reading) fired[tap] = reading;
    }
    return fired;
  }

  /** What the tap holds in this step; undefined when it did not fire. */
  tap(layer: LayerId, tap: Tap): TapReading | undefined {
    const slots = this.index.tap(layer, tap);
    if (!slots) return undefined;
    const reading = new TapReading(this, slots);
    return reading.count('calls') > 0 ? reading : undefined;
  }

  /** A vector of the layer; empty where the layer has none, NaN where it was not read in this step. */
  parameter(layer: LayerId, parameter: Parameter): Float32Array {
    const span = this.index.parameter(layer, parameter);
    if (!span) return NOTHING;
    return this.tensors.block.subarray(span.offset, span.offset + span.length);
  }
}
