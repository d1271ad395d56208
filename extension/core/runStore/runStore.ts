import { runId, type RunId } from '../../protocol/ids';
import type { LayerInfo } from '../../protocol/layers';
import { DEFAULT_RULES, type RuleSettings } from '../../protocol/ruleSettings';
import type { RunSummary, ViewQuery } from '../../protocol/views';
import type { ReceivedFrame } from '../frames/receivedFrame';
import { judgeRanks } from '../rules/rankRules';
import { ChangeSignal } from './changeSignal';
import { Run, type RunOrigin } from './run';
import { answer } from './queries/answer';

export interface RunStoreOptions {
  /** Memory that one run may take, in bytes; a quarter of it once it is over and others began. */
  readonly maxRunBytes?: number;
  /** Memory that all runs together may take, in bytes; four times that of one unless set. */
  readonly maxTotalBytes?: number;
  /** Runs kept; the oldest ones that are over go first. */
  readonly maxRuns?: number;
  readonly rules?: RuleSettings;
}

export const DEFAULT_MAX_RUN_BYTES = 128 * 1024 * 1024;
const DEFAULT_MAX_RUNS = 16;
const DEFAULT_TOTAL_RUNS = 4;
const SHARE_OF_OLD_RUNS = 0.25;

/** All runs of this window, in bounded memory, and what the panel asks about them. */
export class RunStore {
  private readonly byId = new Map<RunId, Run>();
  private readonly signal = new ChangeSignal();
  private readonly maxRunBytes: number;
  private readonly maxTotalBytes: number;
  private readonly maxRuns: number;
  private rules: RuleSettings;

  constructor(options: RunStoreOptions = {}) {
    this.maxRunBytes = options.maxRunBytes ?? DEFAULT_MAX_RUN_BYTES;
    this.maxTotalBytes = options.maxTotalBytes ?? DEFAULT_TOTAL_RUNS * this.maxRunBytes;
    this.maxRuns = options.maxRuns ?? DEFAULT_MAX_RUNS;
    this.rules = options.rules ?? DEFAULT_RULES;
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
    const run = new Run({ ...origin, id }, this.maxRunBytes, this.rules);
    this.byId.set(id, run);
    this.makeRoom();
    this.signal.changed();
    return run;
  }

  /** Takes in a frame of a run. */
  accept(run: Run, frame: ReceivedFrame): void {
    run.accept(frame);
    if (frame.kind === 'step') judgeRanks(run, this.byId.values());
    this.signal.changed();
  }

  /** Changes what the rules of all runs compare with, from their next steps on. */
  setRules(rules: RuleSettings): void {
    this.rules = rules;
    for (const run of this.byId.values()) run.rules.configure(rules);
    this.signal.changed();
  }

  /** Measures a run's drift against a step (see `ChosenReference`); null: no more. */
  chooseReference(run: Run, step: number | null): void {
    run.chooseReference(step);
    this.signal.changed();
  }

  update(run: Run, change: Partial<Pick<Run, 'phase' | 'notice'>>): void {
    Object.assign(run, change);
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

  /** A new run began: old ones go, and all that stay share the memory. */
  private makeRoom(): void {
    const over = this.newestFirst().filter((run) => run.over);
    while (this.byId.size > this.maxRuns) {
      const oldest = over.pop();
      if (!oldest) break;
      this.byId.delete(oldest.origin.id);
    }
    const runs = [...this.byId.values()];
    const share = (run: Run) => (run.over ? SHARE_OF_OLD_RUNS : 1);
    const shares = runs.reduce((sum, run) => sum + share(run), 0);
    const whole = Math.min(this.maxRunBytes, this.maxTotalBytes / shares);
    for (const run of runs) run.setBudget(whole * share(run));
  }
}
