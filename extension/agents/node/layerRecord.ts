import type { LayerId } from '../../protocol/ids';
import {
  PARAMETERS,
  type LayerInfo,
  type LayerStatus,
  type Parameter,
  type SourceLocation,
} from '../../protocol/layers';
import { MAX_SAMPLES, MAX_TEXT } from '../../protocol/limits';
import { featureMap, type FeatureMap } from './featureMap';
import { epsilonOf, featureAxes, momentumOf, normalizedAxes, type NormKind } from './normLayers';
import { isDisposed, type NormLayer } from './tfjs';

/** Calls in which the place that makes them is looked for, which takes a stack trace. */
const MAX_SEARCHES = 3;

const NO_ROOM = 'The layers of this run have more figures than a frame can hold.';

const sameShape = (a: readonly number[], b: readonly number[]) =>
  a.length === b.length && a.every((size, axis) => size === b[axis]);

interface Constants {
  readonly eps: number | null;
  readonly momentum: number | null;
}

/** What the agent knows of one norm layer. It does not keep the layer itself alive. */
export class LayerRecord {
  readonly name: string;
  /** Steps that ended since the layer was last called, or since it was built. */
  idle = 0;
  /** Whether it is captured no longer: a layer that comes back gets a new record. */
  dropped = false;
  /** Whether the packed block has room for its statistics. */
  fits = true;
  /** Most samples a step has had, within {@link MAX_SAMPLES}. */
  samples = 0;
  /** Whether a layout has to be sent before what is known here is known to the collector. */
  changed = true;
  calledAt: SourceLocation | null = null;
  private searches = 0;
  private features = 0;
  private axes: readonly number[] = [];
  private shape: readonly number[] = [];
  private dtype = 'float32';
  private map: FeatureMap | undefined;
  private readonly vectors = new Set<Parameter>();
  private readonly status = new Map<LayerStatus['code'], string>();
  private readonly reference: WeakRef<NormLayer>;
  private constants: Constants;

  constructor(
    readonly id: LayerId,
    layer: NormLayer,
    name: string,
    private readonly kind: NormKind,
    private readonly constructedAt: SourceLocation | null,
    /** Which call of the layer in a pass, from 0. */
    readonly call = 0,
  ) {
    this.name = name.slice(0, MAX_TEXT);
    this.reference = new WeakRef(layer);
    this.constants = this.constantsOf(layer);
  }

  /** Takes note of the shape a layer is built for; the batch size is not known then. */
  built(shape: readonly unknown[]): void {
    const axes = this.featureAxes(shape.length);
    if (!axes) return;
    this.axes = axes;
    const sizes = axes.map((axis) => shape[axis]);
    const known = sizes.every((size) => typeof size === 'number');
    this.features = known ? sizes.reduce<number>((product, size) => product * Number(size), 1) : 0;
  }

  /** How an input falls into samples and features; undefined where that is not supported. */
  mapFor(shape: readonly number[], dtype: string): FeatureMap | undefined {
    if (this.map && sameShape(shape.slice(1), this.shape.slice(1))) {
      this.shape = shape;
      return this.map;
    }
    const axes = this.featureAxes(shape.length);
    if (!axes || axes.includes(0)) {
      this.note('unsupported', 'The feature axis of this layer is its batch axis or out of range.');
      return undefined;
    }
    this.map = featureMap(shape, axes);
    this.shape = shape;
    this.dtype = dtype;
    this.axes = axes;
    this.features = this.map.features;
    this.changed = true;
    return this.map;
  }

  /** Takes note of the place that calls the layer. A program may have no line of its own there. */
  locate(find: () => SourceLocation | null): void {
    if (this.calledAt || this.searches >= MAX_SEARCHES) return;
    this.searches += 1;
    this.calledAt = find();
  }

  note(code: LayerStatus['code'], reason: string): void {
    if (this.status.has(code)) return;
    this.status.set(code, reason);
    this.changed = true;
  }

  needSamples(samples: number): void {
    const needed = Math.min(samples, MAX_SAMPLES);
    if (needed <= this.samples) return;
    this.samples = needed;
    this.changed = true;
  }

  /** Takes note of vectors that the layer has, for which the packed block needs slots. */
  hasParameters(parameters: readonly Parameter[]): void {
    for (const parameter of parameters) {
      if (this.vectors.has(parameter)) continue;
      this.vectors.add(parameter);
      this.changed = true;
    }
  }

  get parameters(): readonly Parameter[] {
    return PARAMETERS.filter((parameter) => this.vectors.has(parameter));
  }

  /** Whether each row has a mean and variance that the layer normalizes by. */
  get hasRowStatistics(): boolean {
    return this.kind.family === 'layer' || this.kind.family === 'rms';
  }

  /** Whether padding was seen in its tensors. */
  get isPadded(): boolean {
    return this.status.has('padding');
  }

  get featureCount(): number {
    return this.features;
  }

  /** Undefined once it was collected. */
  get layer(): NormLayer | undefined {
    return this.reference.deref();
  }

  /** Whether the layer normalizes by running statistics unless it is told that it trains. */
  get hasRunningStatistics(): boolean {
    return this.kind.family === 'batch' && this.layer?.movingMean !== undefined;
  }

  /** Whether the layer was disposed or collected. */
  get isOver(): boolean {
    const { layer } = this;
    return layer === undefined || isDisposed(layer);
  }

  get info(): LayerInfo {
    const { family, className } = this.kind;
    const { layer } = this;
    if (layer) this.constants = this.constantsOf(layer);
    const status = [...this.status].map(([code, reason]) => ({ code, reason }));
    if (!this.fits) status.push({ code: 'unsupported', reason: NO_ROOM });
    const rank = this.shape.length;
    return {
      id: this.id,
      name: this.name,
      call: this.call,
      className: className.slice(0, MAX_TEXT),
      family,
      features: this.features,
      featureAxes: this.axes,
      normalizedAxes: rank > 0 ? normalizedAxes(family, this.axes, rank) : [],
      inputShape: this.shape,
      dtype: this.dtype,
      ...this.constants,
      constructedAt: this.constructedAt,
      calledAt: this.calledAt,
      status,
    };
  }

  private featureAxes(rank: number): number[] | null {
    const { layer } = this;
    return layer ? featureAxes(layer, rank, this.kind.featureAxis) : null;
  }

  private constantsOf(layer: NormLayer): Constants {
    return { eps: epsilonOf(layer), momentum: momentumOf(layer, this.kind.family) };
  }
}
