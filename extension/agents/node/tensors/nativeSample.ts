import { isObject } from '../tfjs';

/** The binding of tfjs-node, as far as it is used here. It knows nothing of the engine. */
interface Binding {
  readonly TF_INT32: number;
  readonly TF_ATTR_TYPE: number;
  readonly TF_ATTR_INT: number;
  createTensor(shape: number[], dtype: number, values: Int32Array): number;
  deleteTensor(id: number): void;
  tensorDataSync(id: number): ArrayLike<number>;
  executeOp(
    name: string,
    attributes: object[],
    inputs: number[],
    outputs: number,
  ): { id: number }[];
}

const METHODS = ['createTensor', 'deleteTensor', 'tensorDataSync', 'executeOp'] as const;
const NUMBERS = ['TF_INT32', 'TF_ATTR_TYPE', 'TF_ATTR_INT'] as const;
const MASKS = ['begin', 'end', 'ellipsis', 'new_axis', 'shrink_axis'] as const;
/** The operations index by int32. */
const MOST_ELEMENTS = 2 ** 31 - 1;

function isBinding(value: unknown): value is Binding {
  return (
    isObject(value) &&
    METHODS.every((name) => typeof value[name] === 'function') &&
    NUMBERS.every((name) => typeof value[name] === 'number')
  );
}

/** Where TensorFlow's own memory holds a tensor. */
export interface NativeTensor {
  readonly binding: Binding;
  readonly id: number;
  readonly dtype: number;
}

/** @param entry what the backend of tfjs-node keeps of a tensor; undefined for any other's. */
export function nativeTensor(backend: unknown, entry: unknown): NativeTensor | undefined {
  if (!isObject(backend) || !isObject(entry)) return undefined;
  const { binding } = backend;
  const { id, dtype } = entry;
  if (!isBinding(binding) || typeof id !== 'number' || id < 0) return undefined;
  return typeof dtype === 'number' ? { binding, id, dtype } : undefined;
}

/**
 * Every `step`th of the `size` elements of a tensor. Past the engine, so that neither its count of
 * tensors nor a tape or scope that is open hears of it, and without copying the rest.
 */
export function nativeSample(
  { binding, id, dtype }: NativeTensor,
  size: number,
  step: number,
): ArrayLike<number> | undefined {
  if (size > MOST_ELEMENTS) return undefined;
  const made: number[] = [];
  const keep = (tensor: number) => {
    made.push(tensor);
    return tensor;
  };
  const vector = (value: number) =>
    keep(binding.createTensor([1], binding.TF_INT32, Int32Array.of(value)));
  const type = (name: string, value: number) => ({ name, type: binding.TF_ATTR_TYPE, value });
  const run = (name: string, attributes: object[], inputs: number[]) => {
    const [output] = binding.executeOp(name, attributes, inputs, 1);
    if (!output) throw new Error(`${name} gave nothing`);
    return keep(output.id);
  };
  try {
    const flat = run(
      'Reshape',
      [type('T', dtype), type('Tshape', binding.TF_INT32)],
      [id, vector(size)],
    );
    const masks = MASKS.map((name) => ({
      name: `${name}_mask`,
      type: binding.TF_ATTR_INT,
      value: 0,
    }));
    const sample = run(
      'StridedSlice',
      [type('T', dtype), type('Index', binding.TF_INT32), ...masks],
      [flat, vector(0), vector(size), vector(step)],
    );
    return binding.tensorDataSync(sample);
  } finally {
    for (const tensor of made) binding.deleteTensor(tensor);
  }
}
