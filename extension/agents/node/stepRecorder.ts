import type { LayerId } from '../../protocol/ids';
import type { Tap } from '../../protocol/layers';
import { MAX_SAMPLES } from '../../protocol/limits';
import type { FeatureMap } from './featureMap';
import { addToHistogram, strideFor } from './histogram';
import type { LayerRecord } from './layerRecord';
import { merge } from './merge';
import { summarize, type TapStatistics } from './statistics';

type Taps = Partial<Record<Tap, TapStatistics>>;

/** What one step has measured so far: from one optimizer update to the next. */
export class StepRecorder {
  /** Completed backward passes. */
  microBatches = 0;
  /** Time that capture took, in milliseconds. */
  captureMs = 0;
  /** Largest stride that a histogram of this step was sampled with. */
  histogramStride = 1;
  private lossSum = 0;
  private losses = 0;
  private readonly taps = new Map<LayerRecord, Taps>();

  constructor(
    /** Optimizer updates before this one. */
    readonly step: number,
    /** Layers whose histograms take every row. */
    private readonly focus: ReadonlySet<LayerId>,
  ) {}

  /** Runs a piece of capture and adds the time it took. */
  timed<T>(body: () => T): T {
    const start = performance.now();
    try {
      return body();
    } finally {
      this.captureMs += performance.now() - start;
    }
  }

  /** Adds the values of one call; a further call in the same step is merged exactly. */
  add(record: LayerRecord, tap: Tap, values: ArrayLike<number>, map: FeatureMap): void {
    const statistics = summarize(values, map, MAX_SAMPLES);
    const rows = Math.floor(values.length / map.rowLength);
    const stride = this.focus.has(record.id) ? 1 : strideFor(values.length, rows);
    const floats = values instanceof Float32Array ? values : Float32Array.from(values);
    const first = this.step % stride;
    addToHistogram(statistics.histogram, floats, map.rowLength, stride, first);
    if (stride > 1) {
      this.histogramStride = Math.max(this.histogramStride, stride);
      record.note('sampled', `One row in ${stride} of this layer's tensors is in its histograms.`);
    }
    const taps = this.taps.get(record) ?? {};
    this.taps.set(record, taps);
    const earlier = taps[tap];
    if (earlier) merge(earlier, statistics, MAX_SAMPLES);
    else taps[tap] = statistics;
    record.needSamples((earlier ?? statistics).sampleMean.length);
  }

  addLoss(value: number): void {
    this.lossSum += value;
    this.losses += 1;
  }

  /** Mean of the losses of the micro-batches; null where none is a number. */
  get loss(): number | null {
    const mean = this.lossSum / this.losses;
    return Number.isFinite(mean) ? mean : null;
  }

  /** Layers that were called in this step. */
  get layers(): Iterable<LayerRecord> {
    return this.taps.keys();
  }

  lookup(): (layer: LayerId, tap: Tap) => TapStatistics | undefined {
    const byId = new Map([...this.taps].map(([record, taps]) => [record.id, taps] as const));
    return (layer, tap) => byId.get(layer)?.[tap];
  }
}
