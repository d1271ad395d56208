import { isVariable, type Engine, type TapeNode, type TensorLike } from './tfjs';

/** One run of the engine's gradient computation: a forward and a backward pass. */
export interface Pass {
  readonly engine: Engine;
  /** Whether it differentiates by variables: by anything else it is no training. */
  readonly training: boolean;
  /** Calls of each layer, or of each place that calls a function, in this pass. */
  readonly calls: Map<object, number>;
  /** Operations that use each tensor, by its id; counted when the backward pass begins. */
  uses?: ReadonlyMap<number, number>;
  /** To be run when the pass is over. */
  readonly endings: (() => void)[];
}

/** Gradient computations may be nested (gradient penalties); the innermost one is on top. */
export class PassStack {
  private readonly passes: Pass[] = [];

  begin(engine: Engine, xs: unknown): Pass {
    const training = Array.isArray(xs) && xs.some(isVariable);
    const pass: Pass = { engine, training, calls: new Map(), endings: [] };
    this.passes.push(pass);
    return pass;
  }

  /** Removes a pass, and any above it that was never ended. */
  end(pass: Pass): void {
    const at = this.passes.lastIndexOf(pass);
    if (at >= 0) this.passes.length = at;
  }

  /** The training pass that is running; undefined outside of one, and in other computations. */
  get current(): Pass | undefined {
    const top = this.passes.at(-1);
    return top?.training ? top : undefined;
  }
}

/** Operations recorded so far in a pass. */
export const tapeOf = ({ engine }: Pass): readonly TapeNode[] => engine.state.activeTape ?? [];

/** How many operations of a pass use a tensor. To be asked during the backward pass: it counts once. */
export function usesOf(pass: Pass, tensor: TensorLike): number {
  if (!pass.uses) {
    const uses = new Map<number, number>();
    for (const { inputs } of tapeOf(pass)) {
      const ids = new Set(Object.values(inputs).map((input) => input?.id));
      for (const id of ids) if (id !== undefined) uses.set(id, (uses.get(id) ?? 0) + 1);
    }
    pass.uses = uses;
  }
  return pass.uses.get(tensor.id) ?? 0;
}
