import type { LayerId, RunId } from '../protocol/ids';
import type { ReceivedDeep } from './frames/receivedFrame';
import type { Run } from './runStore/run';
import type { RunStore } from './runStore/runStore';

/** Layers asked for at once: a process takes few a step, and each that is looked at costs something. */
const AT_ONCE = 4;
/** A layer from which nothing came for so long, in steps and in time, gives none. */
const PATIENCE_STEPS = 30;
const PATIENCE_MS = 4_000;

interface Waiting {
  readonly layer: LayerId;
  /** Its newest capture before it was asked for. */
  readonly before: ReceivedDeep | undefined;
  readonly since: number;
  steps: number;
}

/** What came of a request. */
export interface DeepAnswer {
  /** The step of each layer's capture, by layer. */
  readonly captured: ReadonlyMap<LayerId, number>;
  /** Layers from which nothing came. */
  readonly missing: readonly LayerId[];
  /** Whether it was given up before all had answered. */
  readonly cancelled: boolean;
}

export interface DeepRequestOptions {
  readonly store: RunStore;
  readonly run: Run;
  readonly layers: readonly LayerId[];
  /** Tells the process which layers are to be captured deeply; none at the end. */
  readonly tell: (run: RunId, layers: readonly LayerId[]) => void;
  /** Called after each layer. */
  readonly onProgress?: (captured: number) => void;
  /** Milliseconds, for the patience. */
  readonly clock?: () => number;
}

/**
 * Has each of some layers captured deeply once, a few at a time, at the next steps that the process
 * captures; then it is as it was before.
 */
export class DeepRequest {
  /** Resolves when every layer has answered or is given up, the run is over, or after {@link cancel}. */
  readonly answer: Promise<DeepAnswer>;
  private readonly captured = new Map<LayerId, number>();
  private readonly missing: LayerId[] = [];
  private readonly queue: LayerId[];
  private waiting: readonly Waiting[] = [];
  private lastStep: number | null;
  private readonly subscription: { dispose(): void };
  private readonly clock: () => number;
  private resolve: (answer: DeepAnswer) => void = () => {};
  private over = false;

  constructor(private readonly options: DeepRequestOptions) {
    this.queue = [...new Set(options.layers)];
    this.clock = options.clock ?? (() => performance.now());
    this.lastStep = options.run.lastStep;
    this.answer = new Promise((resolve) => (this.resolve = resolve));
    this.subscription = options.store.onDidChange(() => this.look());
    this.look();
  }

  cancel(): void {
    this.end(true);
  }

  private end(cancelled: boolean): void {
    if (this.over) return;
    this.over = true;
    this.subscription.dispose();
    const { run, tell } = this.options;
    tell(run.origin.id, []);
    this.missing.push(...this.waiting.map(({ layer }) => layer), ...this.queue);
    this.resolve({ captured: this.captured, missing: this.missing, cancelled });
  }

  private look(): void {
    if (this.over) return;
    const { run, store } = this.options;
    const stepped = run.lastStep !== this.lastStep;
    this.lastStep = run.lastStep;
    const still = this.waiting.filter((one) => this.isWaiting(one, stepped));
    const changed = still.length !== this.waiting.length || this.waiting.length === 0;
    this.waiting = still;
    if (run.over || store.get(run.origin.id) !== run) this.end(false);
    else if (changed) this.ask();
  }

  private isWaiting(one: Waiting, stepped: boolean): boolean {
    const { layer } = one;
    const deep = this.options.run.deep.get(layer);
    if (deep && deep !== one.before) {
      this.captured.set(layer, deep.step);
      this.options.onProgress?.(this.captured.size);
      return false;
    }
    if (stepped) one.steps += 1;
    if (one.steps < PATIENCE_STEPS || this.clock() - one.since < PATIENCE_MS) return true;
    this.missing.push(layer);
    return false;
  }

  private ask(): void {
    const { run, tell } = this.options;
    const next = this.queue.splice(0, AT_ONCE - this.waiting.length).map((layer): Waiting => {
      const before = run.deep.get(layer);
      return { layer, before, since: this.clock(), steps: 0 };
    });
    this.waiting = [...this.waiting, ...next];
    if (this.waiting.length === 0) {
      this.end(false);
      return;
    }
    tell(
      run.origin.id,
      this.waiting.map(({ layer }) => layer),
    );
  }
}
