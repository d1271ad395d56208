import { isVariable, type Engine, type TapeNode } from './tfjs';

/** One run of the engine's gradient computation: a forward and a backward pass. */
export interface Pass {
  readonly engine: Engine;
  /** Whether it differentiates by variables: by anything else it is no training. */
  readonly training: boolean;
  /** Calls of each layer in this pass. */
  readonly calls: Map<object, number>;
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
