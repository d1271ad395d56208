import type { LayerInfo, Tap } from '../../protocol/layers';
import { TAPS } from '../../protocol/layers';
import { LAYER_FIGURES, type LayerFigure } from '../../protocol/views';
import { AsIfBatchNorm } from '../analysis/runningStatistics';
import { deadShare, saturation } from '../analysis/valueShares';
import { FigureSeries } from './figureSeries';
import { layerFigures, ownRunning, type Taps } from './layerFigures';
import type { SeriesTable } from './seriesTable';
import type { StepRecord } from './stepRecord';
import type { TapReading } from './tapReading';
import { TapTrack } from './tapTrack';

/** One layer over the captured steps. */
export class LayerTrack {
  /** Whole-layer figures. Those against running statistics are as if it were a BatchNorm where it has none. */
  readonly figures: FigureSeries<LayerFigure>;
  private readonly taps: Readonly<Record<Tap, TapTrack>>;
  private asIf: AsIfBatchNorm | undefined = new AsIfBatchNorm();
  private own = false;

  /** @param info - as in the newest layout */
  constructor(
    table: SeriesTable,
    public info: LayerInfo,
  ) {
    this.figures = new FigureSeries(table);
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

  /** Whether the figures against running statistics are those of the layer's own. */
  get hasOwnRunning(): boolean {
    return this.own;
  }

  /** Bytes kept beside the figures. */
  get byteLength(): number {
    const running = this.asIf?.current?.mean.byteLength ?? 0;
    return TAPS.reduce((sum, tap) => sum + this.taps[tap].byteLength, 2 * running);
  }

  /**
   * Adds the newest step.
   * @param recent - the captured steps before it, newest first
   * @param due - whether to compare it in full with its references (see `AnalysisPace`)
   */
  add(record: StepRecord, recent: Iterable<StepRecord>, due: boolean): void {
    const { id } = this.info;
    const taps = record.taps(id);
    for (const tap of TAPS) {
      const reading = taps[tap];
      if (!reading) continue;
      this.taps[tap].add(reading, LayerTrack.readings(recent, id, tap), due);
    }
    if (Object.keys(taps).length > 0) this.addFigures(record, taps);
  }

  private static *readings(
    recent: Iterable<StepRecord>,
    id: LayerInfo['id'],
    tap: Tap,
  ): Generator<TapReading | undefined> {
    for (const record of recent) yield record.tap(id, tap);
  }

  private addFigures(record: StepRecord, taps: Taps): void {
    const own = ownRunning(record, this.info);
    if (own) this.own = true;
    const figures = layerFigures(record, this.info, taps, own ?? this.asIf?.current);
    for (const name of LAYER_FIGURES) this.figures.set(name, figures[name]);
    this.addShares(taps);
    const { pre } = taps;
    if (own) this.asIf = undefined;
    else if (pre) {
      const { moments } = pre;
      this.asIf?.add(moments, pre.count('elements') / Math.max(1, moments.mean.length));
    }
  }

  private addShares({ pre, post }: Taps): void {
    if (pre) this.taps.pre.figures.set('deadShare', deadShare(pre.values('featureVariance')));
    const values = post?.histogram();
    if (values) this.taps.post.figures.set('saturation', saturation(values));
  }

  /** The run is over: nothing more is compared. */
  release(): void {
    this.asIf = undefined;
    for (const tap of TAPS) this.taps[tap].release();
  }

  /** NaN and infinite values at the newest captured step, over all taps. */
  get nonFinite(): number {
    return TAPS.reduce((sum, tap) => sum + (this.taps[tap].figures.newest('nonFinite') || 0), 0);
  }
}
