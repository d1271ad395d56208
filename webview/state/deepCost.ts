import { computed, signal } from '@preact/signals';
import type { RunId } from '../../extension/protocol/ids';
import type { RunSummary } from '../../extension/protocol/views';
import { run, section, selectedRow } from './panel';

/** What capture costs a run: its share of the time, and every how manyeth step is captured. */
interface Cost {
  readonly run: RunId;
  readonly overheadPercent: number | null;
  readonly interval: number;
}

const costOf = ({ id, overheadPercent, interval }: RunSummary): Cost => ({
  run: id,
  overheadPercent,
  interval,
});

const lastUnfocused = signal<Cost | null>(null);

/** The layer that is captured in depth while the process runs, and the cost now and before that. */
export const deepCapture = computed(() => {
  const shown = run.value;
  const over = shown?.phase === 'ended' || shown?.phase === 'disconnected';
  const layer = selectedRow.value?.info.name;
  if (!shown || over || section.value !== 'layer' || layer === undefined) return null;
  const before = lastUnfocused.value;
  return { layer, now: costOf(shown), before: before?.run === shown.id ? before : null };
});

/** Takes note of what capture costs while no layer is looked at. */
export function noteCost(): void {
  if (section.value !== 'layer' && run.value) lastUnfocused.value = costOf(run.value);
}
