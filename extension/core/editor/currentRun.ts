import type { RunId } from '../../protocol/ids';
import type { Run } from '../runStore/run';
import type { RunStore } from '../runStore/runStore';

/** How far apart the processes of one group may start. */
const GROUP_START_MS = 120_000;

/** The process of the same group that speaks for it. */
function leaderOf(run: Run, runs: readonly Run[]): Run {
  const { rank, worldSize } = run.place;
  if (worldSize === 1 || rank === 0) return run;
  const near = (other: Run) =>
    Math.abs(other.origin.startedAt - run.origin.startedAt) < GROUP_START_MS;
  return (
    runs.find(
      (other) =>
        other.place.rank === 0 &&
        other.place.worldSize === worldSize &&
        other.program === run.program &&
        other.layers().length > 0 &&
        near(other),
    ) ?? run
  );
}

/** All runs that are kept, newest first. */
export const runsOf = (store: RunStore): readonly Run[] =>
  store.runs().flatMap(({ id }) => store.get(id) ?? []);

/**
 * The run that the tree, the status bar and Problems speak of: the one that was chosen as long as
 * no newer one begins; else the newest that still goes on or has layers; of a process group its
 * first.
 */
export class CurrentRun {
  private chosen: { readonly run: RunId; readonly newest: RunId | undefined } | undefined;

  constructor(private readonly store: RunStore) {}

  get(): Run | undefined {
    const runs = runsOf(this.store);
    const { chosen } = this;
    if (chosen && chosen.newest === runs[0]?.origin.id) {
      const run = this.store.get(chosen.run);
      if (run) return run;
    }
    const run = runs.find((one) => !one.over || one.layers().length > 0) ?? runs[0];
    return run && leaderOf(run, runs);
  }

  choose(run: RunId): void {
    this.chosen = { run, newest: runsOf(this.store)[0]?.origin.id };
  }
}
