import type { LayerId } from '../../protocol/ids';
import type { Tap } from '../../protocol/layers';
import { MAX_SAMPLES } from '../../protocol/limits';
import { DeepRecorder } from './deepRecorder';
import type { FeatureMap } from './featureMap';
import { addToHistogram, strideFor } from './histogram';
import type { LayerRecord } from './layerRecord';
import { merge } from './merge';
import { paddingByConstantRows, withoutPadding, type Padding } from './padding';
import { StepParameters } from './parameters';
import { rowFigures } from './rows';
import { summarize, type TapStatistics } from './statistics';

type Taps = Partial<Record<Tap, TapStatistics>>;

/** The layout of a call's tensors, and which of their rows are padding. */
export interface CallShape {
  readonly map: FeatureMap;
  /** Told by a mask, or found in the layer's input. */
  padding: Padding | undefined;
}

const PADDING_REASONS: Readonly<Record<Padding['source'], string>> = {
  mask:
    'Some rows are padding by the mask that the layer was called with; the statistics without ' +
    'them are given too.',
  constant:
    'Some rows of the input have the same value in all features and are taken for padding; the ' +
    'statistics without them are given too.',
};

/** What one step has measured so far: from one optimizer update to the next. */
export class StepRecorder {
  /** Completed backward passes. */
  microBatches = 0;
  /** Time that capture took, in milliseconds. */
  captureMs = 0;
  /** Largest stride that a histogram of this step was sampled with. */
  histogramStride = 1;
  readonly parameters = new StepParameters();
  readonly deep: DeepRecorder;
  private lossSum = 0;
  private losses = 0;
  private readonly taps = new Map<LayerRecord, Taps>();

  constructor(
    /** Optimizer updates before this one. */
    readonly step: number,
    /** Layers whose histograms take every row. */
    private readonly focus: ReadonlySet<LayerId>,
    /** Layers that are captured in depth. */
    due: ReadonlySet<LayerId> = new Set(),
  ) {
    this.deep = new DeepRecorder(due);
  }

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
  add(record: LayerRecord, tap: Tap, values: ArrayLike<number>, call: CallShape): void {
    const { map } = call;
    const { tap: statistics, rows } = summarize(values, map, MAX_SAMPLES, record.hasRowStatistics);
    if (rows) {
      statistics.rows = rowFigures(rows, statistics.whole.mean);
      if (tap === 'pre') call.padding ??= paddingByConstantRows(rows, map.features);
    }
    const floats = values instanceof Float32Array ? values : Float32Array.from(values);
    this.addPadding(record, statistics, floats, call);
    this.addHistogram(record, statistics, floats, map);
    this.deep.add(record.id, tap, floats, map);
    this.join(record, tap, statistics);
  }

  /** Moves what one layer has measured to another: both turned out to be one. */
  move(from: LayerRecord, into: LayerRecord): void {
    const taps = this.taps.get(from);
    if (!taps) return;
    this.taps.delete(from);
    for (const [tap, statistics] of Object.entries(taps)) {
      this.join(into, tap as Tap, statistics);
    }
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

  private join(record: LayerRecord, tap: Tap, statistics: TapStatistics): void {
    const taps = this.taps.get(record) ?? {};
    this.taps.set(record, taps);
    const earlier = taps[tap];
    if (earlier) merge(earlier, statistics, MAX_SAMPLES);
    else taps[tap] = statistics;
    record.needSamples((earlier ?? statistics).sampleMean.length);
  }

  private addPadding(
    record: LayerRecord,
    statistics: TapStatistics,
    values: Float32Array,
    { map, padding }: CallShape,
  ): void {
    if (!padding || padding.kept.length * map.features !== values.length) return;
    statistics.paddingRows = padding.paddingRows;
    statistics.unpadded = withoutPadding(values, map, padding);
    record.note('padding', PADDING_REASONS[padding.source]);
  }

  private addHistogram(
    record: LayerRecord,
    { histogram }: TapStatistics,
    values: Float32Array,
    { rowLength }: FeatureMap,
  ): void {
    const rows = Math.floor(values.length / rowLength);
    const stride = this.focus.has(record.id) ? 1 : strideFor(values.length, rows);
    addToHistogram(histogram, values, rowLength, stride, this.step % stride);
    if (stride === 1) return;
    this.histogramStride = Math.max(this.histogramStride, stride);
    record.note('sampled', `One row in ${stride} of this layer's tensors is in its histograms.`);
  }
}
