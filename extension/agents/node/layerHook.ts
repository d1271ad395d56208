import type { Capture } from './capture';
import { tapGradients } from './gradientTaps';
import type { Guard } from './guard';
import type { LayerRecord } from './layerRecord';
import { userLocation } from './locations';
import { normKind, type NormKind } from './normLayers';
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

/** Hooks one norm layer: where it is built, and what its calls in training passes take and give. */
class HookedLayer {
  private record: LayerRecord | undefined;
  /** Its calls showed that it is no norm layer. */
  private rejected = false;

  constructor(
    private readonly layer: NormLayer,
    private readonly kind: NormKind,
    private readonly constructedAt: SourceLocation | null,
    private readonly capture: Capture,
    private readonly guard: Guard,
  ) {}

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
    const pass = this.capture.capturing;
    if (this.record) this.record.idle = 0;
    if (!pass || this.rejected) return callHidden(this.layer, 'call', args);
    const recorded = tapeOf(pass).length;
    const output = callHidden(this.layer, 'call', args);
    this.guard.run('reading a norm layer', () =>
      this.capture.current.timed(() => this.read(pass, recorded, args, output)),
    );
    return output;
  }

  private register(inputShape: unknown): void {
    if (this.record && !this.record.dropped) return;
    this.record = this.capture.addLayer(this.layer, this.kind, this.constructedAt) ?? undefined;
    if (!this.record) return;
    this.record.calledAt = userLocation();
    const shape: unknown =
      Array.isArray(inputShape) && Array.isArray(inputShape[0]) ? inputShape[0] : inputShape;
    if (Array.isArray(shape)) this.record.built(shape);
  }

  private read(pass: Pass, recorded: number, args: unknown[], result: unknown): void {
    const input = onlyTensor(args[0]);
    const output = onlyTensor(result);
    this.register(input?.shape);
    const { record, capture } = this;
    capture.pump();
    if (!record) return;
    if (!input || !output || !sameShape(input, output) || !READABLE.has(input.dtype)) {
      this.reject(record);
      return;
    }
    const map = record.mapFor(input.shape, input.dtype);
    if (!map) return;
    this.noteCall(pass, record, args[1]);
    const step = capture.current;
    step.add(record, 'pre', input.dataSync(), map);
    step.add(record, 'post', output.dataSync(), map);
    const finish = tapGradients(tapeOf(pass).slice(recorded), input, output, {
      active: () => capture.passes.current === pass && capture.current === step,
      onOutput: (gradient) => step.add(record, 'gradPost', gradient.dataSync(), map),
      onInput: (gradient) => step.add(record, 'gradPre', gradient, map),
      guarded: (body) => void this.guard.run('reading a gradient', () => step.timed(body)),
    });
    pass.endings.push(finish);
  }

  private reject(record: LayerRecord): void {
    if (record.samples > 0) {
      record.note('unsupported', 'Some calls of this layer do not map one tensor to one like it.');
      return;
    }
    this.capture.removeLayer(record);
    this.record = undefined;
    this.rejected = true;
  }

  private noteCall(pass: Pass, record: LayerRecord, options: unknown): void {
    const calls = (pass.calls.get(record) ?? 0) + 1;
    pass.calls.set(record, calls);
    record.calledAt ??= userLocation();
    if (calls > 1) {
      record.note(
        'shared',
        'This layer is called several times in one pass; the statistics of all calls are merged.',
      );
    }
    if (record.hasRunningStatistics && !isTraining(options)) {
      record.note(
        'eval',
        'This layer was called without `training: true` in a training pass, so it normalized by ' +
          'its running statistics.',
      );
    }
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
