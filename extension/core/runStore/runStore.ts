import { runId, type RunId } from '../../protocol/ids';
import type { LayerInfo } from '../../protocol/layers';
import type { RunSummary, ViewQuery } from '../../protocol/views';
import type { ReceivedFrame } from '../collector/parseAgentFrame';
import { ChangeSignal } from './changeSignal';
import { Run, type RunOrigin } from './run';
import { answer } from './queries/answer';

export interface RunStoreOptions {
  /** Memory that one run may take, in bytes; a quarter of it once it is over and others began. */
  readonly maxRunBytes?: number;
  /** Runs kept; the oldest ones that are over go first. */
  readonly maxRuns?: number;
}

export const DEFAULT_MAX_RUN_BYTES = 128 * 1024 * 1024;
const DEFAULT_MAX_RUNS = 16;
const SHARE_OF_OLD_RUNS = 0.25;

/** All runs of this window, in bounded memory, and what the panel asks about them. */
export class RunStore {
  private readonly byId = new Map<RunId, Run>();
  private readonly signal = new ChangeSignal();
  private readonly maxRunBytes: number;
  private readonly maxRuns: number;

  constructor(options: RunStoreOptions = {}) {
    this.maxRunBytes = options.maxRunBytes ?? DEFAULT_MAX_RUN_BYTES;
    this.maxRuns = options.maxRuns ?? DEFAULT_MAX_RUNS;
  }

  /** Newest first. */
  runs(): readonly RunSummary[] {
    return this.newestFirst().map((run) => run.summary());
  }

  /** Layers of a run in model order; empty when there is no such run. */
  layers(run: RunId): readonly LayerInfo[] {
    return (
      this.byId
        .get(run)
        ?.layers()
        .map(({ info }) => info) ?? []
    );
  }

  /** A view (see `protocol/views.ts`) as a blob. Never throws: what is not there is a `missing` view. */
  query(query: ViewQuery): Uint8Array {
    return answer(this, query);
  }

  /** Calls back after changes, at most 30 times a second. */
  onDidChange(listener: () => void): { dispose(): void } {
    return this.signal.listen(listener);
  }

  get(id: RunId): Run | undefined {
    return this.byId.get(id);
  }

  /**
   * Makes a run in phase `starting`.
   * @param origin - its `id` is a wish: a number is appended when it is taken
   */
  create(origin: Omit<RunOrigin, 'id'> & { readonly id: string }): Run {
    let id = runId(origin.id);
    for (let n = 2; this.byId.has(id); n++) id = runId(`${origin.id}-${n}`);
    const run = new Run({ ...origin, id }, this.maxRunBytes);
    this.byId.set(id, run);
    this.makeRoom();
    this.signal.changed();
    return run;
  }

  /** Takes in a frame of a run. */
  accept(run: Run, frame: ReceivedFrame): void {
    run.accept(frame);
    this.signal.changed();
  }

  update(run: Run, change: Partial<Pick<Run, 'phase' | 'notice'>>): void {
    Object.assign(run, change);
    this.signal.changed();
  }

  delete(run: Run): void {
    this.byId.delete(run.origin.id);
    this.signal.changed();
  }

  dispose(): void {
    this.signal.dispose();
    this.byId.clear();
  }

  private newestFirst(): readonly Run[] {
    const runs = [...this.byId.values()].reverse();
    return runs.sort((a, b) => b.origin.startedAt - a.origin.startedAt);
  }

  private makeRoom(): void {
    const over = this.newestFirst().filter((run) => run.over);
    for (const run of over) run.history.setBudget(this.maxRunBytes * SHARE_OF_OLD_RUNS);
    while (this.byId.size > this.maxRuns) {
      const oldest = over.pop();
      if (!oldest) return;
      this.byId.delete(oldest.origin.id);
    }
  }
}
