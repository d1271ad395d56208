import type { RunStore } from '../core/runStore/runStore';
import type { RunId } from '../protocol/ids';
import { isRecord } from '../protocol/untrusted';

const KEY = 'normscope.referenceSteps';
/** Runs of which the chosen step is remembered, the ones it was chosen for last. */
const MOST = 50;

/** What is needed of `vscode.Memento`. */
export interface Storage {
  get(key: string): unknown;
  update(key: string, value: unknown): Thenable<void>;
}

function parse(value: unknown): Map<string, number> {
  const entries = isRecord(value) ? Object.entries(value).slice(-MOST) : [];
  return new Map(
    entries.filter((entry): entry is [string, number] => Number.isSafeInteger(entry[1])),
  );
}

/** Keeps which step each run's drift is measured against, over a reload of the window. */
export class ReferenceMemory {
  private readonly kept: Map<string, number>;
  /** Runs whose remembered step has been chosen again, or that have none. */
  private readonly settled = new Set<RunId>();
  private readonly subscription: { dispose(): void };

  constructor(
    private readonly storage: Storage,
    private readonly store: RunStore,
  ) {
    this.kept = parse(storage.get(KEY));
    this.subscription = store.onDidChange(() => this.look());
  }

  dispose(): void {
    this.subscription.dispose();
  }

  private look(): void {
    for (const { id, referenceStep, lastStep } of this.steps()) {
      if (!this.settled.has(id)) this.restore(id, referenceStep, lastStep);
      else this.remember(id, referenceStep);
    }
  }

  /** A trace is read step by step: the remembered one may be still to come. */
  private restore(id: RunId, chosen: number | null, lastStep: number | null): void {
    const wanted = chosen === null ? this.kept.get(id) : undefined;
    const run = this.store.get(id);
    if (run && wanted !== undefined) {
      if (lastStep === null || lastStep < wanted) return;
      this.store.chooseReference(run, wanted);
    }
    this.settled.add(id);
  }

  private remember(id: RunId, chosen: number | null): void {
    if (chosen === (this.kept.get(id) ?? null)) return;
    this.kept.delete(id);
    if (chosen !== null) this.kept.set(id, chosen);
    const newest = Object.fromEntries([...this.kept].slice(-MOST));
    // What can not be stored is only not remembered.
    this.storage.update(KEY, newest).then(undefined, () => undefined);
  }

  private steps() {
    return this.store.runs().flatMap(({ id }) => {
      const run = this.store.get(id);
      return run ? [{ id, referenceStep: run.reference.step, lastStep: run.lastStep }] : [];
    });
  }
}
