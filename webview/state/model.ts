import { computed, signal } from '@preact/signals';
import { MODEL_FIGURES } from '../../extension/protocol/modelFigures';
import { liveView } from './liveViews';
import { option } from './options';
import { section } from './panel';
import { chosenRun, stepChoice, stepRange } from './runs';

const MAX_COLUMNS = 1_000;
/** What stands beside the heat map in a wide window, in CSS pixels. */
const BESIDE = 320;

/** The figure that the heat map shows. */
export const heatFigure = option('heatFigure', MODEL_FIGURES);

/**
 * Width of the heat map in CSS pixels: more columns than that are not seen. Guessed until there is
 * one, so that it need not be asked for a second time.
 */
export const heatWidth = signal(Math.max(BESIDE, window.innerWidth - BESIDE));

const lastHeat = liveView('heat', () => {
  const run = chosenRun.value;
  if (run === null || section.value !== 'overview') return null;
  return {
    view: 'heat',
    run,
    figure: heatFigure.current.value,
    points: Math.min(MAX_COLUMNS, Math.ceil(heatWidth.value / 100) * 100),
    ...(stepRange.value && { range: stepRange.value }),
  };
});

/** One figure over layers and steps; for a moment that of the figure chosen before. */
export const heat = computed(() => {
  const view = lastHeat.value;
  return view && view.body.run.id === chosenRun.value ? view : null;
});

const lastDepth = liveView('depth', () => {
  const run = chosenRun.value;
  if (run === null || section.value !== 'model') return null;
  return { view: 'depth', run, step: stepChoice.value };
});

/** Every figure over layers at the chosen step. */
export const depth = computed(() => {
  const view = lastDepth.value;
  return view && view.body.run.id === chosenRun.value ? view : null;
});
