import type { TapeNode, TensorLike } from './tfjs';

/** Operations that a call of a layer recorded, in order, and the one that made its input. */
export interface CallNodes {
  readonly nodes: readonly TapeNode[];
  readonly producer: TapeNode | undefined;
}

/** @param recorded operations on the tape before the call. */
export function callNodes(
  tape: readonly TapeNode[],
  recorded: number,
  input: TensorLike,
): CallNodes {
  let at = recorded - 1;
  while (at >= 0 && !tape[at]?.outputs.some(({ id }) => id === input.id)) at -= 1;
  return { nodes: tape.slice(recorded), producer: tape[at] };
}

/** Hears the gradients of one call of a layer during the backward pass. */
export interface GradientListener {
  /** Whether the backward pass that is running belongs to the call. */
  readonly active: () => boolean;
  /** How many operations of the pass use a tensor; asked for during the backward pass. */
  readonly usesOf: (tensor: TensorLike) => number;
  /** dL/dy; its values may be the backend's own and must not be changed or kept. */
  readonly onOutput: (gradient: TensorLike) => void;
  /** dL/dx through this layer alone, once all of its parts have come. */
  readonly onInput: (gradient: ArrayLike<number>) => void;
  /** Runs agent code; never throws. */
  readonly guarded: (body: () => void) => void;
}

type Gradients = Record<string, () => TensorLike>;

/** Adds up the parts of a gradient as TensorFlow.js would: in float32, in the order they come. */
class GradientSum {
  private sum: Float32Array | undefined;
  private finished = false;

  constructor(private readonly done: (sum: Float32Array) => void) {}

  add(part: TensorLike): void {
    const values = part.dataSync();
    if (!this.sum) {
      this.sum = new Float32Array(values);
      return;
    }
    for (let i = 0; i < this.sum.length; i += 1) {
      this.sum[i] = (this.sum[i] as number) + (values[i] as number);
    }
  }

  finish(): void {
    if (this.finished) return;
    this.finished = true;
    if (this.sum) this.done(this.sum);
  }
}

const namesOf = (node: TapeNode, tensor: TensorLike) =>
  Object.keys(node.inputs).filter((name) => node.inputs[name]?.id === tensor.id);

/** When the backward pass reaches the operation that made a tensor, dL/d(tensor) is complete. */
function tapMaker(
  node: TapeNode | undefined,
  tensor: TensorLike,
  guarded: GradientListener['guarded'],
  heard: (gradient: TensorLike) => void,
): void {
  const original = node?.gradient;
  if (!node || !original) return;
  const index = node.outputs.findIndex(({ id }) => id === tensor.id);
  node.gradient = (dys) => {
    guarded(() => {
      const gradient = dys[index];
      if (gradient) heard(gradient);
    });
    return original(dys);
  };
}

/** Hears the parts of dL/dx that one operation of the layer gives. */
function tapUser(
  node: TapeNode,
  names: readonly string[],
  guarded: GradientListener['guarded'],
  heard: (part: TensorLike, waiting: number) => void,
): void {
  const original = node.gradient;
  if (!original) return;
  node.gradient = (dys) => {
    const gradients = original(dys);
    const tapped: Gradients = { ...gradients };
    let waiting = names.length;
    for (const name of names) {
      const compute = gradients[name];
      if (!compute) continue;
      tapped[name] = () => {
        const gradient = compute();
        guarded(() => {
          waiting -= 1;
          heard(gradient, waiting);
        });
        return gradient;
      };
    }
    return tapped;
  };
}

/**
 * Listens to the gradients at the two sides of a layer by wrapping the gradient functions of the
 * operations on the tape. The graph stays as it is: an identity operation around the layer would
 * change the order in which a residual connection's gradients are added, and with it the last bits
 * of the weights.
 *
 * Where nothing but the layer uses its input, dL/dx is what the backward pass has added up itself
 * when it comes to the operation that made the input. Otherwise the layer's parts are added here.
 *
 * @returns to be called when the backward pass is over: gives out a gradient whose last part did
 *   not come because the program had no need of it.
 */
export function tapGradients(
  { nodes, producer }: CallNodes,
  input: TensorLike,
  output: TensorLike,
  { active, usesOf, onOutput, onInput, guarded }: GradientListener,
): () => void {
  const isOutput = ({ id }: TensorLike) => id === output.id;
  const maker = nodes.findLast(({ outputs }) => outputs.some(isOutput));
  tapMaker(maker, output, guarded, (gradient) => {
    if (active()) onOutput(gradient);
  });
  const users = nodes.filter((node) => namesOf(node, input).length > 0);
  let alone: boolean | undefined;
  const isAlone = () => {
    alone ??= producer?.gradient !== undefined && usesOf(input) === users.length;
    return alone;
  };
  tapMaker(producer, input, guarded, (gradient) => {
    if (active() && isAlone()) onInput(gradient.dataSync());
  });
  const sum = new GradientSum(onInput);
  users.forEach((node, index) => {
    tapUser(node, namesOf(node, input), guarded, (part, waiting) => {
      if (!active() || isAlone()) return;
      sum.add(part);
      // The backward pass walks the tape in reverse, so the first operation comes last.
      if (index === 0 && waiting === 0) sum.finish();
    });
  });
  return () => sum.finish();
}
