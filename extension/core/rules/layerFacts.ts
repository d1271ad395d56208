import type { LayerInfo, Parameter, Tap } from '../../protocol/layers';
import type { RuleLimits } from '../../protocol/ruleSettings';
import type { LayerFigure } from '../../protocol/views';
import type { Taps } from '../runStore/layerFigures';
import type { LayerTrack } from '../runStore/layerTrack';
import type { StepRecord } from '../runStore/stepRecord';
import type { TapFigure } from '../runStore/tapTrack';
import type { BatchSize } from './batchNorm';
import type { LayerMemory } from './layerMemory';
import type { NonFiniteCounts } from './nonFinite';

/** What the rules need to know beside a layer's own figures. */
export interface StepContext {
  readonly step: number;
  /** Whether a gradient scaler is at work. */
  readonly scaled: boolean;
  readonly framework: 'torch' | 'tfjs';
  readonly worldSize: number;
  /** See `axisMistake.ts`. */
  readonly widths: ReadonlySet<number>;
  readonly limits: RuleLimits;
}

/** What the newest step says of one layer, in the terms of the rules. */
export class LayerFacts {
  readonly info: LayerInfo;

  /**
   * @param track - to which the step was added
   * @param taps - those that fired
   */
  constructor(
    private readonly track: LayerTrack,
    private readonly record: StepRecord,
    readonly taps: Taps,
    readonly memory: LayerMemory,
    readonly context: StepContext,
  ) {
    this.info = track.info;
  }

  /** A whole-tensor figure; NaN where it is not known. */
  tapFigure(tap: Tap, name: TapFigure): number {
    return this.track.tap(tap).figures.newest(name);
  }

  figure(name: LayerFigure): number {
    return this.track.figures.newest(name);
  }

  /** Drift of the input from the captured step before, or its floor. */
  drift(name: 'drift' | 'driftFloor'): number {
    return this.track.tap('pre').drift('previous').newest(name);
  }

  /** A vector; empty where the layer has none. */
  parameter(name: Parameter): Float32Array {
    return this.record.parameter(this.info.id, name);
  }

  /** NaN and infinite values of each tap. */
  get nonFinite(): NonFiniteCounts {
    const of = (tap: Tap) => this.tapFigure(tap, 'nonFinite');
    return { pre: of('pre'), post: of('post'), gradPost: of('gradPost'), gradPre: of('gradPre') };
  }

  /** Root mean square of all finite values; NaN where the tap did not fire. */
  rootMeanSquare(tap: Tap): number {
    const [mean, deviation] = [this.tapFigure(tap, 'mean'), this.tapFigure(tap, 'std')];
    return Math.sqrt(mean * mean + deviation * deviation);
  }

  /** Where the gradient leaves the layer: dL/dx, or dL/dy where its input has no gradient. */
  get gradientTap(): Tap {
    return this.taps.gradPre ? 'gradPre' : 'gradPost';
  }

  /** See `gradientProfile.ts`. */
  get gradientSize(): number {
    return this.tapFigure('gradPost', 'norm') / Math.sqrt(this.info.features);
  }

  get isBatchNorm(): boolean {
    return this.info.family === 'batch';
  }

  private get sharesStatistics(): boolean {
    return this.info.className === 'SyncBatchNorm';
  }

  /** Whether it normalizes with its running statistics although this is a training step. */
  get usesRunning(): boolean {
    if (this.info.status.some(({ code }) => code === 'eval')) return true;
    // One rank's share of a gradient that is centred over all ranks is not.
    return !this.sharesStatistics && this.hasRunning && this.figure('usesConstants') === 1;
  }

  get hasRunning(): boolean {
    return this.track.hasOwnRunning;
  }

  get batchSize(): BatchSize {
    const { pre } = this.taps;
    if (!pre) return { samples: Number.NaN, values: Number.NaN };
    const calls = pre.count('calls') / (this.sharesStatistics ? this.context.worldSize : 1);
    const values = pre.count('elements') / this.info.features;
    return { samples: pre.count('samples') / calls, values: values / calls };
  }
}
