import { captureCall } from './callCapture';
import type { Capture } from './capture';
import { callNodes } from './gradientTaps';
import type { Guard } from './guard';
import { LayerCalls } from './layerCalls';
import type { LayerRecord } from './layerRecord';
import { userLocation } from './locations';
import { normKind, type NormKind } from './normLayers';
import { paddingByMask, type Padding } from './padding';
import { tapeOf, type Pass } from './passes';
import type { SourceLocation } from '../../protocol/layers';
import { isObject, isTensor, type ClassLike, type NormLayer, type TensorLike } from './tfjs';

/** A field that every version's `Layer` constructor sets, and sets early. */
const FIRST_FIELD = '_callHook';

const READABLE = new Set(['float32', 'int32', 'bool']);

type Method = (...args: unknown[]) => unknown;

/** Calls a method as if our own property did not hide it. */
function callHidden(layer: object, name: 'build' | 'call', args: unknown[]): unknown {
  const method: unknown = Reflect.get(Object.getPrototypeOf(layer), name, layer);
  return Reflect.apply(method as Method, layer, args);
}

function define(target: object, name: string, value: unknown, enumerable: boolean): void {
  Object.defineProperty(target, name, { value, enumerable, writable: true, configurable: true });
}

function onlyTensor(value: unknown): TensorLike | undefined {
  const single: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return isTensor(single) ? single : undefined;
}

const sameShape = (a: TensorLike, b: TensorLike) =>
  a.shape.length === b.shape.length && a.shape.every((size, axis) => size === b.shape[axis]);

const isTraining = (options: unknown) => isObject(options) && Boolean(options['training']);

/** Padding by the mask that the layer is called with; undefined where it has not one value a row. */
function maskedPadding(options: unknown, rows: number): Padding | undefined {
  const mask = isObject(options) ? onlyTensor(options['mask']) : undefined;
  return mask?.size === rows ? paddingByMask(mask.dataSync()) : undefined;
}

/** Hooks one norm layer: where it is built, and what its calls in training passes take and give. */
class HookedLayer {
  private readonly calls: LayerCalls;
  /** Its calls showed that it is no norm layer. */
  private rejected = false;

  constructor(
    private readonly layer: NormLayer,
    kind: NormKind,
    constructedAt: SourceLocation | null,
    private readonly capture: Capture,
    private readonly guard: Guard,
  ) {
    this.calls = new LayerCalls(capture, { layer, kind, constructedAt });
  }

  install(): void {
    // Arrow functions, so that nothing depends on how the program calls the method.
    define(this.layer, 'build', (...args: unknown[]) => this.build(args), false);
    define(this.layer, 'call', (...args: unknown[]) => this.call(args), false);
  }

  private build(args: unknown[]): unknown {
    const result = callHidden(this.layer, 'build', args);
    this.guard.run('registering a norm layer', () => this.register(args[0]));
    return result;
  }

  private call(args: unknown[]): unknown {
    const { capture, guard } = this;
    const pass = capture.capturing;
    this.calls.touch();
    if (!pass || this.rejected) return callHidden(this.layer, 'call', args);
    const record = guard.run('preparing a norm layer', () =>
      capture.current.timed(() => this.prepare(pass, args)),
    );
    const recorded = tapeOf(pass).length;
    const output = capture.inLayer(() => callHidden(this.layer, 'call', args));
    guard.run('reading a norm layer', () =>
      capture.current.timed(() => {
        if (record) this.read(pass, recorded, record, args, output);
      }),
    );
    return output;
  }

  private register(inputShape: unknown): void {
    const record = this.calls.first;
    const shape: unknown =
      Array.isArray(inputShape) && Array.isArray(inputShape[0]) ? inputShape[0] : inputShape;
    if (record) this.describe(record, shape);
  }

  private describe(record: LayerRecord, shape: unknown): void {
    if (record.featureCount === 0 && Array.isArray(shape)) record.built(shape);
    record.locate(userLocation);
  }

  /** What has to be read before the call changes it. */
  private prepare(pass: Pass, args: unknown[]): () => LayerRecord | undefined {
    const record = this.calls.next(pass);
    const found = record();
    if (!found) return record;
    this.describe(found, onlyTensor(args[0])?.shape);
    this.capture.current.parameters.beforeCall(found, this.layer);
    return record;
  }

  private read(
    pass: Pass,
    recorded: number,
    record: () => LayerRecord | undefined,
    args: unknown[],
    result: unknown,
  ): void {
    const { capture, guard } = this;
    const input = onlyTensor(args[0]);
    const output = onlyTensor(result);
    const found = record();
    capture.pump();
    if (!found) return;
    if (!input || !output || !sameShape(input, output) || !READABLE.has(input.dtype)) {
      this.reject(found);
      return;
    }
    const map = found.mapFor(input.shape, input.dtype);
    if (!map) return;
    this.noteMode(found, args[1]);
    const padding = maskedPadding(args[1], input.size / map.features);
    const nodes = callNodes(tapeOf(pass), recorded, input);
    captureCall(capture, guard, pass, { input, output, nodes, record, map, padding });
  }

  private reject(record: LayerRecord): void {
    if (record.samples > 0) {
      record.note('unsupported', 'Some calls of this layer do not map one tensor to one like it.');
      return;
    }
    this.calls.remove();
    this.rejected = true;
  }

  private noteMode(record: LayerRecord, options: unknown): void {
    if (!record.hasRunningStatistics || isTraining(options)) return;
    record.note(
      'eval',
      'This layer was called without `training: true` in a training pass, so it normalized by ' +
        'its running statistics.',
    );
  }
}

/**
 * Hooks every norm layer that a copy of tfjs-layers will construct. The base class sets a field of
 * the new object early in its constructor; a setter on the prototype sees it while the user's line
 * is still on the stack, and for every subclass.
 */
export function hookLayers({ prototype }: ClassLike, capture: Capture, guard: Guard): void {
  const construct = (layer: NormLayer) => {
    const kind = normKind(layer, capture.extraClasses);
    if (kind) new HookedLayer(layer, kind, userLocation(), capture, guard).install();
  };
  Object.defineProperty(prototype, FIRST_FIELD, {
    configurable: true,
    get: () => undefined,
    set(this: NormLayer, value: unknown) {
      define(this, FIRST_FIELD, value, true);
      guard.run('hooking a layer', () => construct(this));
    },
  });
}

/** Whether this version's `Layer` can be hooked so. */
export const canHookLayers = (layer: ClassLike): boolean =>
  Function.prototype.toString.call(layer).includes(FIRST_FIELD);
