import { signal } from '@preact/signals';
import type { RunId } from '../../extension/protocol/ids';
import type { RunSummary, StepChoice, StepRange } from '../../extension/protocol/views';
import { recall } from './vscodeApi';

const recalled = recall();

/** Null until the host has answered for the first time. */
export const runs = signal<readonly RunSummary[] | null>(null);
export const chosenRun = signal<RunId | null>(recalled.run);
export const stepChoice = signal<StepChoice>(recalled.step);
/** The part of the run that charts over steps show; null for all of it. */
export const stepRange = signal<StepRange | null>(recalled.range);

/** The person chose a run that is not the newest: stay with it. */
let pinned = false;
let firstRuns = true;

/** Of a process group the first rank stands for all: they start at nearly the same time. */
function newestRun(): RunSummary | undefined {
  const all = runs.value ?? [];
  const leading = all.filter(({ rank }) => rank === 0);
  return (leading.length > 0 ? leading : all).reduce<RunSummary | undefined>(
    (newest, candidate) => (newest && newest.startedAt > candidate.startedAt ? newest : candidate),
    undefined,
  );
}

function show(id: RunId): void {
  chosenRun.value = id;
  stepChoice.value = 'live';
  stepRange.value = null;
}

export function chooseRun(id: RunId): void {
  pinned = id !== newestRun()?.id;
  if (id !== chosenRun.value) show(id);
}

export function chooseStep(step: StepChoice): void {
  stepChoice.value = step;
}

/** Shows a part of the run in all charts over steps; null for all of it. */
export function zoomTo(range: StepRange | null): void {
  stepRange.value = range;
}

/** Takes the list of runs: keeps a remembered or pinned run while it is there, else the newest. */
export function settleRuns(all: readonly RunSummary[]): void {
  runs.value = all;
  const newest = newestRun();
  const known = all.some((candidate) => candidate.id === chosenRun.value);
  if (firstRuns && known) pinned = chosenRun.value !== newest?.id;
  firstRuns = firstRuns && !newest;
  if (known && (pinned || chosenRun.value === newest?.id)) return;
  pinned = false;
  if (newest && chosenRun.value !== newest.id) show(newest.id);
}
