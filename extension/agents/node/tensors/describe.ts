import { isClass, isTensor, type ClassLike, type TensorLike } from '../tfjs';
import type { TextOptions } from './options';
import { Pace } from './pace';
import { PauseWatcher } from './pauseWatcher';
import { tensorText } from './tensorText';

/** By this symbol VS Code's Node debugger asks an object for its text. */
const DESCRIPTION = Symbol.for('debug.description');

interface KnownText {
  /** What the tensor's values were then; a variable gets others. */
  readonly dataId: unknown;
  readonly text: string;
}

/** Lets the debugger show tensors by their texts. Nothing is read before the program is paused. */
export class TensorDescriptions {
  private readonly pace = new Pace();
  private known = new WeakMap<object, KnownText>();
  private readonly pauses = new PauseWatcher(DESCRIPTION, () => (this.known = new WeakMap()));

  constructor(private readonly options: TextOptions) {}

  /** @param core what a copy of tfjs-core exports. */
  install(core: object, engine: () => unknown): void {
    const classes = ['Tensor', 'Variable'].flatMap((name) => {
      const type: unknown = Object.hasOwn(core, name) ? Reflect.get(core, name) : undefined;
      return isClass(type) ? [type] : [];
    });
    const [tensor] = classes;
    if (!tensor || DESCRIPTION in tensor.prototype) return;
    this.describe(tensor, engine);
    this.pauses.watch(classes);
  }

  private describe({ prototype }: ClassLike, engine: () => unknown): void {
    const text = (value: unknown) => this.text(value, engine);
    Object.defineProperty(prototype, DESCRIPTION, {
      configurable: true,
      enumerable: false,
      writable: true,
      value(this: unknown) {
        return text(this);
      },
    });
  }

  /**
   * Never throws: the debugger would show the exception in the tensor's place. What is known changes
   * nothing, not even a variable of the agent's, since in its list of variables the debugger refuses
   * to run what does.
   */
  private text(value: unknown, engine: () => unknown): string {
    try {
      // The prototype itself is shown, too, when a tensor is expanded.
      if (!isTensor(value)) return 'Tensor';
      const known = this.known.get(value);
      const holds = known && known.dataId === value.dataId && value.isDisposed !== true;
      return holds ? known.text : this.read(value, engine());
    } catch (error) {
      return `Tensor (${error instanceof Error ? error.name : 'Error'})`;
    }
  }

  private read(value: TensorLike, engine: unknown): string {
    const { pace, options } = this;
    const most = pace.limit(options.maxElements);
    const text = pace.timed(() => tensorText(engine, value, most, options));
    this.known.set(value, { dataId: value.dataId, text });
    return text;
  }
}
