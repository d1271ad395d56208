import type { Capture } from './capture';
import type { FrameSink } from './frameSink';
import { FunctionalHook } from './functionalHook';
import type { Guard } from './guard';
import { canHookLayers, hookLayers } from './layerHook';
import { OptimizerHook } from './optimizerHook';
import type { TensorDescriptions } from './tensors/describe';
import { isCore, isEngine, isLayers, type ClassLike, type CoreExports, type Engine } from './tfjs';

/** Hooks whatever copies of TensorFlow.js the program loads; each part of each copy once. */
export class FrameworkHook {
  /** Version of the first copy; empty before there is one. */
  version = '';
  private engine: Engine | undefined;
  private readonly hooked = new WeakSet<object>();
  private readonly optimizers: OptimizerHook;
  private readonly functions: FunctionalHook;
  private readonly found = { core: false, layers: false };
  private searched = false;

  constructor(
    private readonly capture: Capture,
    private readonly sink: FrameSink,
    private readonly guard: Guard,
    private readonly descriptions: TensorDescriptions,
    /** Looks for copies that were loaded unseen. */
    private readonly rescan: () => void,
  ) {
    this.optimizers = new OptimizerHook(guard, {
      before: (gradients) => capture.updating(gradients),
      after: () => capture.updated(),
    });
    this.functions = new FunctionalHook(capture, guard);
  }

  get backend(): string {
    return this.engine?.backendName ?? '';
  }

  /** Whether a copy of tfjs-core and one of tfjs-layers have been hooked. */
  get complete(): boolean {
    return this.found.core && this.found.layers;
  }

  /** Hooks what a module exports, if it is a part of TensorFlow.js. */
  inspect(exported: unknown): void {
    if (isCore(exported)) this.hookCore(exported);
    if (isLayers(exported)) this.hookLayerClass(exported.layers.Layer);
  }

  /** All copies of tfjs-core in a process share one engine. */
  hookEngine(engine: unknown): void {
    if (!isEngine(engine) || this.hooked.has(engine)) return;
    this.hooked.add(engine);
    this.engine = engine;
    this.functions.install(engine);
    const original = engine.gradients;
    const { capture, guard } = this;
    const begin = (xs: unknown) => {
      if (!this.complete && !this.searched) this.findRest();
      return capture.beginPass(engine, xs);
    };
    engine.gradients = function (this: unknown, f, xs, ...rest) {
      const pass = guard.run('starting a gradient pass', () => begin(xs));
      let value: unknown;
      try {
        const result = original.call(this as Engine, f, xs, ...rest);
        ({ value } = result);
        return result;
      } finally {
        if (pass) guard.run('ending a gradient pass', () => capture.endPass(pass, value));
      }
    };
  }

  private hookCore(core: CoreExports): void {
    this.hookEngine(core.engine());
    if (this.hooked.has(core.Optimizer)) return;
    this.hooked.add(core.Optimizer);
    this.found.core = true;
    this.version ||= String(core.version_core ?? '');
    this.optimizers.hookClasses(core, core.Optimizer);
    this.guard.run('showing tensors', () => this.descriptions.install(core, () => core.engine()));
  }

  private hookLayerClass(layer: ClassLike): void {
    if (this.hooked.has(layer)) return;
    this.hooked.add(layer);
    this.found.layers = true;
    if (canHookLayers(layer)) {
      hookLayers(layer, this.capture, this.guard);
    } else {
      this.sink.tell(
        'unsupported',
        'The layers of this version of TensorFlow.js cannot be hooked; use version 2 or later.',
      );
    }
  }

  private findRest(): void {
    this.searched = true;
    this.rescan();
    if (this.found.core) return;
    this.sink.tell(
      'unsupported',
      'TensorFlow.js is bundled into this program, so its layers cannot be hooked; ' +
        'run the program unbundled, with @tensorflow/tfjs from node_modules.',
    );
  }
}
