import type { Guard } from './guard';
import { isClass, isObject, type ClassLike } from './tfjs';

type Method = (...args: unknown[]) => unknown;

export interface UpdateListener {
  /** @param gradients what the optimizer is about to apply. */
  readonly before: (gradients: unknown) => void;
  readonly after: () => void;
}

/** Calls back before and after every optimizer update, of whichever optimizer class. */
export class OptimizerHook {
  private readonly hooked = new WeakSet<object>();
  /** A subclass may call its parent's `applyGradients`: the outermost call is the update. */
  private depth = 0;

  constructor(
    private readonly guard: Guard,
    private readonly listener: UpdateListener,
  ) {}

  /** Hooks the optimizer classes that a module exports, and finds others when they are used. */
  hookClasses(exported: object, base: ClassLike): void {
    for (const name of Object.keys(exported)) {
      if (!name.endsWith('Optimizer')) continue;
      const type: unknown = Reflect.get(exported, name);
      if (isClass(type)) this.hookUpdate(type.prototype);
    }
    this.hookUse(base.prototype, 'minimize');
    this.hookUse(base.prototype, 'computeGradients');
  }

  private hookUpdate(owner: object): void {
    if (this.hooked.has(owner) || !Object.hasOwn(owner, 'applyGradients')) return;
    this.hooked.add(owner);
    const original: unknown = Reflect.get(owner, 'applyGradients');
    if (typeof original !== 'function') return;
    const run = (self: unknown, args: unknown[]) => this.update(original as Method, self, args);
    Reflect.set(owner, 'applyGradients', function (this: unknown, ...args: unknown[]) {
      return run(this, args);
    });
  }

  private update(original: Method, self: unknown, args: unknown[]): unknown {
    if (this.depth === 0) {
      this.guard.run('reading parameters', () => this.listener.before(args[0]));
    }
    this.depth += 1;
    let result: unknown;
    try {
      result = Reflect.apply(original, self, args);
    } finally {
      this.depth -= 1;
    }
    if (this.depth === 0) this.guard.run('ending a step', this.listener.after);
    return result;
  }

  /** A class of the user's own is seen when one of its objects is used. */
  private hookUse(prototype: object, name: string): void {
    const original: unknown = Reflect.get(prototype, name);
    if (typeof original !== 'function') return;
    const find = (optimizer: unknown) =>
      this.guard.run('hooking an optimizer', () => this.hookOwner(optimizer));
    Reflect.set(prototype, name, function (this: unknown, ...args: unknown[]) {
      find(this);
      return Reflect.apply(original, this, args);
    });
  }

  private hookOwner(optimizer: unknown): void {
    for (let owner = optimizer; isObject(owner); owner = Object.getPrototypeOf(owner)) {
      if (Object.hasOwn(owner, 'applyGradients')) {
        this.hookUpdate(owner);
        return;
      }
    }
  }
}
