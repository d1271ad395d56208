import path from 'node:path';
import type { SourceLocation } from '../../protocol/layers';
import { captureCall } from './callCapture';
import type { Capture } from './capture';
import { callNodes } from './gradientTaps';
import type { Guard } from './guard';
import { LayerCalls } from './layerCalls';
import { userLocation } from './locations';
import { tapeOf, type Pass } from './passes';
import {
  isObject,
  isTensor,
  isVariable,
  type Engine,
  type NormLayer,
  type TensorLike,
} from './tfjs';

/** The operation behind `tf.batchNorm`, `tf.batchNorm2d` and the like. */
const KERNEL = 'FusedBatchNorm';
const KIND = { className: 'tf.batchNorm', family: 'batch', featureAxis: null } as const;
const REASON =
  'This normalization is a call of tf.batchNorm outside of a norm layer; it is named by the line ' +
  'that makes the call.';
/** Most lines told apart. */
const MAX_SITES = 1_000;

const sizeOf = (shape: readonly number[]) => shape.reduce((product, size) => product * size, 1);

/** The shape before the operation put axes of size 1 in front to make it four. */
function shapeBefore(x: TensorLike, pass: Pass): readonly number[] {
  const node = tapeOf(pass).at(-1);
  const [before] = Object.values(node?.inputs ?? {});
  const made = node?.kernelName === 'Reshape' && node.outputs[0]?.id === x.id;
  if (!made || !before || before.shape.length >= 4) return x.shape;
  const added = x.shape.length - before.shape.length;
  const padded = x.shape.slice(0, added).every((size) => size === 1);
  const same = before.shape.every((size, axis) => size === x.shape[axis + added]);
  return padded && same ? before.shape : x.shape;
}

/** Axes along which the mean varies: the last one, or those of a mean of the input's own rank. */
function axesOf(mean: TensorLike, rank: number): number[] {
  if (mean.shape.length <= 1) return [-1];
  const axes = mean.shape.flatMap((size, axis) =>
    size > 1 ? [axis + rank - mean.shape.length] : [],
  );
  return axes.length > 0 ? axes : [-1];
}

/** Tensors that are no variables are of this call alone. */
const ifVariable = (value: unknown) => (isVariable(value) ? value : undefined);

/** What stands for a layer in one call; another call of the same line may have other variables. */
const layerOf = (
  { scale, offset, mean, variance }: Readonly<Record<string, unknown>>,
  attributes: unknown,
  axis: number[],
  at: SourceLocation | null,
): NormLayer & Readonly<Record<string, unknown>> => ({
  name: at ? `${path.basename(at.file)}:${at.line}` : KIND.className,
  axis,
  epsilon: isObject(attributes) ? attributes['varianceEpsilon'] : undefined,
  gamma: ifVariable(scale),
  beta: ifVariable(offset),
  movingMean: ifVariable(mean),
  movingVariance: ifVariable(variance),
});

/** Finds `tf.batchNorm` calls that the program makes itself: each line is a layer. */
export class FunctionalHook {
  /** Also keeps what stands for the layer alive, of which the record has a weak reference. */
  private readonly sites = new Map<string, LayerCalls>();

  constructor(
    private readonly capture: Capture,
    private readonly guard: Guard,
  ) {}

  install(engine: Engine): void {
    const original = engine.runKernel;
    if (typeof original !== 'function') return;
    const around = (inputs: unknown, attributes: unknown, run: () => unknown) =>
      this.call(inputs, attributes, run);
    engine.runKernel = function (this: unknown, name, inputs, attributes) {
      if (name !== KERNEL) return original.call(this as Engine, name, inputs, attributes);
      const run = () => original.call(this as Engine, name, inputs, attributes);
      return around(inputs, attributes, run);
    };
  }

  private call(inputs: unknown, attributes: unknown, run: () => unknown): unknown {
    const { capture, guard } = this;
    const pass = capture.capturing;
    if (!pass || capture.insideLayer) return run();
    const shape = guard.run('looking at tf.batchNorm', () =>
      isObject(inputs) && isTensor(inputs['x']) ? shapeBefore(inputs['x'], pass) : undefined,
    );
    const recorded = tapeOf(pass).length;
    const output = run();
    guard.run('reading tf.batchNorm', () =>
      capture.current.timed(() => {
        if (isObject(inputs) && shape) this.read(pass, recorded, inputs, attributes, shape, output);
      }),
    );
    return output;
  }

  private read(
    pass: Pass,
    recorded: number,
    inputs: Readonly<Record<string, unknown>>,
    attributes: unknown,
    shape: readonly number[],
    output: unknown,
  ): void {
    const { x: input, mean } = inputs;
    if (!isTensor(input) || !isTensor(mean) || !isTensor(output)) return;
    const at = userLocation();
    const layer = layerOf(inputs, attributes, axesOf(mean, shape.length), at);
    const calls = this.siteOf(layer, at, `${sizeOf(mean.shape)}:${shape.length}`);
    calls?.touch();
    const record = calls?.next(pass);
    const found = record?.();
    const map = found?.mapFor(shape, input.dtype);
    if (!record || !found || !map) return;
    found.calledAt ??= found.info.constructedAt;
    found.note('functional', REASON);
    this.capture.current.parameters.beforeCall(found, layer);
    this.capture.pump();
    const nodes = callNodes(tapeOf(pass), recorded, input);
    const call = { input, output, nodes, record, map, padding: undefined };
    captureCall(this.capture, this.guard, pass, call);
  }

  private siteOf(
    layer: NormLayer,
    at: SourceLocation | null,
    variant: string,
  ): LayerCalls | undefined {
    const key = `${at?.file}:${at?.line}:${variant}`;
    const known = this.sites.get(key);
    if (known) return known;
    if (this.sites.size >= MAX_SITES) return undefined;
    const site = new LayerCalls(this.capture, { layer, kind: KIND, constructedAt: at });
    this.sites.set(key, site);
    return site;
  }
}
