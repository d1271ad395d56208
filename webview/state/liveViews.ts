import { effect, signal, type ReadonlySignal } from '@preact/signals';
import type { View, ViewQuery } from '../../extension/protocol/views';
import { QueryPump, type ViewName } from './queryPump';
import { decodeView, isView, type Loaded } from './viewData';

type QueryOf<Name extends ViewName> = Extract<ViewQuery, { view: Name }>;
type ViewOf<Name extends ViewName> = Extract<View, { view: Name }>;

interface Live {
  readonly ask: () => ViewQuery | null;
  readonly take: (query: ViewQuery, loaded: Loaded<View>) => void;
}

const live = new Map<ViewName, Live>();
const pump = new QueryPump((view) => live.get(view)?.ask() ?? null);

/** Queries whose last answer could not be used, with the reason. */
export const failures = signal<ReadonlyMap<ViewName, { query: ViewQuery; reason: string }>>(
  new Map(),
);

interface LiveViewOptions<Name extends ViewName> {
  /** False: the answer is to a question that nobody asks any more. */
  readonly wanted?: (query: QueryOf<Name>, loaded: Loaded<ViewOf<Name>>) => boolean;
  /** The run or layer asked for is not there. */
  readonly missing?: () => void;
}

/**
 * A view that is asked for again whenever the store has something new, and at once when the question
 * changes; the last answer stays until the next one is there, so that nothing jumps.
 * @param question - null while nobody looks at the view
 */
export function liveView<Name extends ViewName>(
  view: Name,
  question: () => QueryOf<Name> | null,
  { wanted = () => true, missing }: LiveViewOptions<Name> = {},
): ReadonlySignal<Loaded<ViewOf<Name>> | null> {
  const last = signal<Loaded<ViewOf<Name>> | null>(null);
  live.set(view, {
    ask: question,
    take: (query, loaded) => {
      const fits = isView<ViewName>(loaded, view);
      if (!fits) missing?.();
      else if (wanted(query as QueryOf<Name>, loaded as Loaded<ViewOf<Name>>)) {
        last.value = loaded as Loaded<ViewOf<Name>>;
      }
    },
  });
  return last;
}

/** Takes note of why an answer could not be used; null: it could. */
function noteOutcome(query: ViewQuery, reason: string | null): void {
  const known = failures.peek().get(query.view);
  if (reason === null && !known) return;
  const next = new Map(failures.peek());
  if (reason === null) next.delete(query.view);
  else next.set(query.view, { query, reason });
  failures.value = next;
}

/** Takes the answer to a query. */
export function answered(requestId: number, blob: ArrayBuffer): void {
  const query = pump.settle(requestId);
  if (!query) return;
  try {
    live.get(query.view)?.take(query, decodeView(blob));
    noteOutcome(query, null);
  } catch (error) {
    noteOutcome(query, error instanceof Error ? error.message : String(error));
  }
}

/** A query that the host could not answer. */
export function notAnswered(requestId: number, reason: string): void {
  const query = pump.settle(requestId);
  if (query) noteOutcome(query, reason);
}

/** The store has something new. */
export const askAgain = (views: readonly ViewName[] = [...live.keys()]): void =>
  pump.invalidate(views);

/** Asks every view from now on whenever its question changes. */
export function startAsking(): void {
  for (const [view, { ask }] of live) {
    let asked = '';
    effect(() => {
      const question = JSON.stringify(ask());
      if (question === asked) return;
      asked = question;
      pump.invalidate([view], true);
    });
  }
}
