/**
 * The parts of TensorFlow.js that the agent touches, as it finds them in whichever copy the program
 * loads. Structural on purpose: the program's version is not ours, so nothing is imported from it.
 */

export interface TensorLike {
  readonly id: number;
  readonly shape: readonly number[];
  readonly dtype: string;
  readonly size: number;
  readonly isDisposed?: boolean;
  /** What stands for its values; others when a variable is assigned. */
  readonly dataId?: object;
  /** Reads the values without making a tensor; the array may be the backend's own. */
  dataSync(): ArrayLike<number>;
}

/** A tf.Variable: what training changes. */
export interface VariableLike extends TensorLike {
  readonly name: string;
}

/** One recorded operation. Its `gradient` is given dL/d(output) for each output. */
export interface TapeNode {
  readonly kernelName?: string;
  /** An operation may be given no tensor for one of its inputs. */
  readonly inputs: Readonly<Record<string, TensorLike | undefined>>;
  readonly outputs: readonly TensorLike[];
  gradient?: (dys: readonly (TensorLike | null)[]) => Record<string, () => TensorLike>;
}

export interface Engine {
  readonly backendName?: string;
  readonly state: {
    readonly activeTape?: readonly TapeNode[] | null;
  };
  runKernel?: (name: string, inputs: unknown, attributes?: unknown) => unknown;
  gradients: (f: unknown, xs: unknown, ...rest: unknown[]) => { readonly value: TensorLike };
}

export interface NormLayer {
  readonly name: string;
  readonly axis?: unknown;
  readonly epsilon?: unknown;
  readonly momentum?: unknown;
  readonly movingMean?: unknown;
  /** Null until the layer is used; counted down by every `dispose`. */
  readonly _refCount?: unknown;
  readonly _trainableWeights?: unknown;
  readonly _nonTrainableWeights?: unknown;
  readonly constructor: unknown;
}

/** A class whose instances the agent hooks; only its prototype is used. */
export interface ClassLike {
  readonly prototype: object;
}

/** What `@tensorflow/tfjs-core`, or a bundle that contains it, exports. */
export interface CoreExports {
  readonly engine: () => Engine;
  readonly Optimizer: ClassLike;
  readonly version_core?: unknown;
}

/** What `@tensorflow/tfjs-layers`, or a bundle that contains it, exports. */
export interface LayersExports {
  readonly layers: { readonly Layer: ClassLike };
}

type Fields = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null;

export const isClass = (value: unknown): value is ClassLike =>
  typeof value === 'function' && isObject(value.prototype);

export function isTensor(value: unknown): value is TensorLike {
  return (
    isObject(value) &&
    typeof value['id'] === 'number' &&
    Array.isArray(value['shape']) &&
    typeof value['dataSync'] === 'function'
  );
}

/** Whether a layer's weights were freed; it can not be called again. */
export const isDisposed = (layer: NormLayer): boolean => layer._refCount === 0;

export const isVariable = (value: unknown): value is VariableLike =>
  isTensor(value) && 'trainable' in value && 'assign' in value;

export const isEngine = (value: unknown): value is Engine =>
  isObject(value) && typeof value['gradients'] === 'function' && isObject(value['state']);

// Names are looked for before any is read: reading may run a getter of a module that is no tfjs.
const owns = (value: object, ...names: readonly string[]) =>
  names.every((name) => Object.hasOwn(value, name));

export function isCore(value: unknown): value is CoreExports {
  return (
    isObject(value) &&
    owns(value, 'engine', 'Optimizer', 'customGrad') &&
    typeof value['engine'] === 'function' &&
    isClass(value['Optimizer'])
  );
}

export function isLayers(value: unknown): value is LayersExports {
  if (!isObject(value) || !owns(value, 'layers', 'LayersModel')) return false;
  const { layers } = value;
  return isObject(layers) && isClass(layers['Layer']);
}
