import { signal, type ReadonlySignal } from '@preact/signals';
import { nearestIndex } from '../charts/nearest';
import { overview } from './panel';
import { chooseStep, stepChoice, stepRange } from './runs';
import { numbers } from './viewData';

/** Time that a step is shown, in milliseconds. */
const PACE = 90;
/** The whole run takes at most so many pictures. */
const MOST_PICTURES = 150;

const running = signal(false);
let timer = 0;
let shown: number | null = null;

/** Whether the steps of the run are being gone through. */
export const playing: ReadonlySignal<boolean> = running;

export function stopPlaying(): void {
  clearInterval(timer);
  running.value = false;
}

function stepsToPlay(): readonly number[] {
  const view = overview.peek();
  const range = stepRange.peek();
  const steps = view ? Array.from(numbers(view, 'steps')) : [];
  return range ? steps.filter((step) => step >= range[0] && step <= range[1]) : steps;
}

function advance(): void {
  // The person chose another step meanwhile: that is what they want to see.
  if (stepChoice.peek() !== shown) return stopPlaying();
  const steps = stepsToPlay();
  const stride = Math.max(1, Math.round(steps.length / MOST_PICTURES));
  const at = nearestIndex(Float64Array.from(steps), shown ?? 0);
  const next = steps[Math.min(steps.length - 1, at + stride)];
  if (next === undefined || next === shown) return stopPlaying();
  shown = next;
  chooseStep(next);
}

/** Goes through the steps of the run, from the one looked at, or from the first at its end. */
export function play(): void {
  const steps = stepsToPlay();
  const [first] = steps;
  const choice = stepChoice.peek();
  if (first === undefined) return;
  const last = steps[steps.length - 1] ?? first;
  shown = choice === 'live' || choice >= last || choice < first ? first : choice;
  chooseStep(shown);
  clearInterval(timer);
  running.value = true;
  timer = window.setInterval(advance, PACE);
}
