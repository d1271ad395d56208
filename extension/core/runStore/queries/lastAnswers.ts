import type { ViewQuery } from '../../../protocol/views';
import type { LayerTrack } from '../layerTrack';
import type { Run } from '../run';

interface Kept {
  readonly question: string;
  /** The layers that were asked about: another list after a new layout. */
  readonly layers: readonly LayerTrack[];
  readonly blob: Uint8Array;
}

/** Views that show nothing but the table of figures, so that they change only with it. */
type TableView = 'heat' | 'depth';

const kept = new WeakMap<Run, Partial<Record<TableView, Kept>>>();

/**
 * The answer to such a query, made anew only where the last one is of another question or of another
 * table: a large model in quick steps is asked more often than one of its steps is analysed.
 */
export function lastAnswer(
  run: Run,
  query: Extract<ViewQuery, { view: TableView }>,
  make: () => Uint8Array,
): Uint8Array {
  const { table, phase, notice } = run;
  const newest = table.steps().at(-1);
  const question = JSON.stringify([query, table.length, newest, phase, notice]);
  const layers = run.layers();
  const known = kept.get(run)?.[query.view];
  if (known?.question === question && known.layers === layers) return known.blob;
  const blob = make();
  kept.set(run, { ...kept.get(run), [query.view]: { question, layers, blob } });
  return blob;
}
