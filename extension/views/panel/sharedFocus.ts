import type { LayerId, RunId } from '../../protocol/ids';

type Focus = (run: RunId, layers: readonly LayerId[]) => void;

/** The agent of a run is told of every layer that any panel of the window shows. */
export class SharedFocus {
  private readonly members = new Map<symbol, Map<RunId, readonly LayerId[]>>();

  constructor(private readonly tell: Focus) {}

  /** The focus of one panel; what the others look at stays. */
  member(): Focus {
    const key = Symbol();
    return (run, layers) => {
      const looks = this.members.get(key) ?? new Map<RunId, readonly LayerId[]>();
      this.members.set(key, looks);
      if (layers.length > 0) looks.set(run, layers);
      else looks.delete(run);
      if (looks.size === 0) this.members.delete(key);
      this.tell(run, this.union(run));
    };
  }

  private union(run: RunId): readonly LayerId[] {
    const all = [...this.members.values()].flatMap((looks) => looks.get(run) ?? []);
    return [...new Set(all)];
  }
}
