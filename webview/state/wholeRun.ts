import { computed } from '@preact/signals';
import type { StepRange } from '../../extension/protocol/stepChoice';
import { overview } from './panel';
import { numbers } from './viewData';

const NO_STEPS: StepRange = [0, 0];

/** First and last captured step of the chosen run. */
export const wholeRun = computed<StepRange>(() => {
  const steps = overview.value && numbers(overview.value, 'steps');
  return steps && steps.length > 0 ? [steps[0] ?? 0, steps[steps.length - 1] ?? 0] : NO_STEPS;
});
