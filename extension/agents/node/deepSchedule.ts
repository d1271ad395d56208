import type { LayerId } from '../../protocol/ids';

/** Least time between two deep captures of a layer, in milliseconds. */
const INTERVAL_MS = 500;
/** Most layers captured in depth in one step: each costs about as much as a small layer's training. */
const MAX_DUE = 4;

/** Which layers are captured in depth, and when. */
export class DeepSchedule {
  /** Layers that someone looks at. */
  focus: ReadonlySet<LayerId> = new Set();
  private readonly last = new Map<LayerId, number>();

  /** Layers in focus that are due now, those that have waited longest first. */
  due(now = performance.now()): ReadonlySet<LayerId> {
    if (this.focus.size === 0) return new Set();
    for (const layer of this.last.keys()) if (!this.focus.has(layer)) this.last.delete(layer);
    const since = (layer: LayerId) => this.last.get(layer) ?? -Infinity;
    const due = [...this.focus].filter((layer) => now - since(layer) >= INTERVAL_MS);
    return new Set(due.sort((a, b) => since(a) - since(b)).slice(0, MAX_DUE));
  }

  sent(layer: LayerId, now = performance.now()): void {
    this.last.set(layer, now);
  }
}
