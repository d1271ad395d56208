import { isObject, type TensorLike } from '../tfjs';
import { nativeSample, nativeTensor } from './nativeSample';
import type { Word } from './words';

/** Elements that are copied from a device at most. */
const COPIED = 1 << 22;
/** Above this many bytes every element that is read may cost a page. */
const PAGED_BYTES = 1 << 28;
const PAGED_ELEMENTS = 1 << 17;
const TRIES = 64;

export interface ReadValues {
  /** Of complex numbers real and imaginary parts in turn. May be the backend's own. */
  readonly values: ArrayLike<number>;
  /** Every how manyeth element to look at. */
  readonly step: number;
  /** Whether not all elements are read. */
  readonly sampled: boolean;
}

/** Where a tensor's values are. */
interface Place {
  readonly backend: object | undefined;
  /** What the backend keeps of it. */
  readonly entry: unknown;
  /** The values, where they lie in this process's JavaScript memory. */
  readonly values: ArrayLike<number> | undefined;
}

const isNumbers = (value: unknown): value is ArrayLike<number> =>
  value instanceof Float32Array || value instanceof Int32Array || value instanceof Uint8Array;

interface Lookup {
  get(key: unknown): unknown;
}

const isLookup = (value: unknown): value is Lookup =>
  isObject(value) && typeof value['get'] === 'function';

const get = (map: unknown, key: unknown): unknown => (isLookup(map) ? map.get(key) : undefined);

function placeOf(engine: unknown, tensor: TensorLike): Place {
  const { dataId } = tensor;
  const state: unknown = isObject(engine) ? engine['state'] : undefined;
  const info = get(isObject(state) ? state['tensorInfo'] : undefined, dataId);
  const backend: unknown = isObject(info) ? info['backend'] : undefined;
  if (!isObject(backend)) return { backend: undefined, entry: undefined, values: undefined };
  // tfjs-node calls it `tensorMap`, the backend in JavaScript `data`.
  const entry = get(backend['tensorMap'] ?? backend['data'], dataId);
  const stored: unknown = isObject(entry) ? entry['values'] : undefined;
  return { backend, entry, values: isNumbers(stored) ? stored : undefined };
}

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));

/** Least step that leaves at most so many; coprime to every axis where there is such a one, so that
 * it meets each of their indices equally often. */
function stepFor(shape: readonly number[], size: number, most: number): number {
  const least = Math.max(1, Math.ceil(size / most));
  if (least === 1) return 1;
  for (let step = least; step < least + TRIES; step += 1) {
    if (shape.every((axis) => gcd(step, axis) === 1)) return step;
  }
  return least;
}

/**
 * Values of a tensor that is not disposed: all of them, or an evenly spread sample where there are
 * more than `most` and a sample is cheap. Makes no tensor that the program could see.
 * @param engine of the copy of tfjs-core that the tensor is of.
 * @returns why there are none, where so.
 */
export function readValues(engine: unknown, tensor: TensorLike, most: number): ReadValues | Word {
  if (tensor.dtype === 'string') return 'not numbers';
  const { size, shape } = tensor;
  const { backend, entry, values } = placeOf(engine, tensor);
  const paged = size * 4 > PAGED_BYTES;
  const step = stepFor(shape, size, paged ? Math.min(most, PAGED_ELEMENTS) : most);
  if (values) return { values, step, sampled: step > 1 };
  const native = nativeTensor(backend, entry);
  if (step === 1 && (native || size <= COPIED)) {
    return { values: tensor.dataSync(), step, sampled: false };
  }
  const sample = native && nativeSample(native, size, step);
  return sample ? { values: sample, step: 1, sampled: true } : 'too large to copy from its device';
}
