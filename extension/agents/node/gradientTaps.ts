import type { TapeNode, TensorLike } from './tfjs';

/** Hears the gradients of one call of a layer during the backward pass. */
export interface GradientListener {
  /** Whether the backward pass that is running belongs to the call. */
  readonly active: () => boolean;
  /** dL/dy; its values may be the backend's own and must not be changed or kept. */
  readonly onOutput: (gradient: TensorLike) => void;
  /** dL/dx through this layer alone, once all of its parts have come. */
  readonly onInput: (gradient: Float32Array) => void;
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
      this.sum = Float32Array.from(values);
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

/** When the backward pass reaches the operation that made the output, dL/dy is complete. */
function tapOutput(nodes: readonly TapeNode[], output: TensorLike, listener: GradientListener) {
  const isOutput = (tensor: TensorLike) => tensor.id === output.id;
  const node = nodes.findLast((candidate) => candidate.outputs.some(isOutput));
  const original = node?.gradient;
  if (!node || !original) return;
  const index = node.outputs.findIndex(isOutput);
  node.gradient = (dys) => {
    listener.guarded(() => {
      const gradient = dys[index];
      if (gradient && listener.active()) listener.onOutput(gradient);
    });
    return original(dys);
  };
}

function tapInput(
  node: TapeNode,
  names: readonly string[],
  sum: GradientSum,
  isLast: boolean,
  listener: GradientListener,
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
        listener.guarded(() => {
          if (!listener.active()) return;
          sum.add(gradient);
          waiting -= 1;
          if (isLast && waiting === 0) sum.finish();
        });
        return gradient;
      };
    }
    return tapped;
  };
}

/**
 * Listens to the gradients at the two sides of a layer by wrapping the gradient functions of the
 * operations that it put on the tape. The graph stays as it is: an identity operation around the
 * layer would change the order in which a residual connection's gradients are added, and with it
 * the last bits of the weights.
 *
 * @param nodes operations that the layer recorded, in order.
 * @returns to be called when the backward pass is over: gives out a gradient whose last part did
 *   not come because the program had no need of it.
 */
export function tapGradients(
  nodes: readonly TapeNode[],
  input: TensorLike,
  output: TensorLike,
  listener: GradientListener,
): () => void {
  tapOutput(nodes, output, listener);
  const sum = new GradientSum((gradient) => listener.onInput(gradient));
  const users = nodes.filter((node) => node.gradient && namesOf(node, input).length > 0);
  users.forEach((node, index) => {
    // The backward pass walks the tape in reverse, so the first operation comes last.
    tapInput(node, namesOf(node, input), sum, index === 0, listener);
  });
  return () => sum.finish();
}
