import type { ViewQuery } from '../../extension/protocol/views';
import { post } from './vscodeApi';

export type ViewName = ViewQuery['view'];

/** Shortest time between two queries of a view, in milliseconds: what the eye can follow. */
const PACE: Readonly<Record<ViewName, number>> = {
  runs: 200,
  overview: 250,
  heat: 250,
  depth: 100,
  layer: 100,
  features: 250,
  slice: 250,
};

/** An answer that takes longer is taken for lost, in milliseconds. */
const LOST_AFTER = 5_000;

interface Asked {
  readonly requestId: number;
  readonly query: ViewQuery;
  readonly at: number;
}

/**
 * Asks the host for views when there is a frame to draw them in: at most one query of a view is
 * under way, so a slow panel asks less often instead of falling behind.
 */
export class QueryPump {
  private readonly stale = new Set<ViewName>();
  private readonly asked = new Map<ViewName, Asked>();
  private readonly lastAsked = new Map<ViewName, number>();
  /** Views that were asked for at some time. */
  private readonly known = new Set<ViewName>();
  private nextId = 1;
  private frame = 0;
  private timer = 0;

  /** `question` returns what to ask for a view now; null where there is nothing to ask. */
  constructor(private readonly question: (view: ViewName) => ViewQuery | null) {}

  /** Asks again for these views. `urgent` skips the pace: a person waits for it. */
  invalidate(views: readonly ViewName[], urgent = false): void {
    for (const view of views) {
      this.stale.add(view);
      if (urgent) this.lastAsked.delete(view);
    }
    // Nothing is drawn before the first answer: it need not wait for a frame.
    if (urgent && views.some((view) => !this.known.has(view))) queueMicrotask(() => this.ask());
    else this.schedule();
  }

  /** Takes note of an answer and returns the query it belongs to; undefined for one out of date. */
  settle(requestId: number): ViewQuery | undefined {
    for (const [view, asked] of this.asked) {
      if (asked.requestId !== requestId) continue;
      this.asked.delete(view);
      if (this.stale.size > 0) this.schedule();
      return asked.query;
    }
    return undefined;
  }

  private schedule(): void {
    if (this.frame === 0) this.frame = requestAnimationFrame(() => this.ask());
  }

  private ask(): void {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    const now = performance.now();
    let wait = Infinity;
    for (const view of [...this.stale]) {
      const due = this.dueAt(view);
      if (due > now) {
        wait = Math.min(wait, due - now);
        continue;
      }
      this.stale.delete(view);
      const query = this.question(view);
      if (!query) continue;
      const requestId = this.nextId++;
      this.known.add(view);
      this.asked.set(view, { requestId, query, at: now });
      this.lastAsked.set(view, now);
      post({ type: 'query', requestId, query });
    }
    clearTimeout(this.timer);
    if (wait < Infinity) this.timer = window.setTimeout(() => this.schedule(), wait);
  }

  private dueAt(view: ViewName): number {
    const asked = this.asked.get(view);
    if (asked) return asked.at + LOST_AFTER;
    return (this.lastAsked.get(view) ?? -Infinity) + PACE[view];
  }
}
