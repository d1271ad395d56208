import { computed, signal } from '@preact/signals';
import { MODEL_FIGURES } from '../../extension/protocol/modelFigures';
import { liveView } from './liveViews';
import { option } from './options';
import { rows, section } from './panel';
import { chosenRun, stepChoice, stepRange } from './runs';

/** Cells of all layers together, so that an answer stays small. */
const HEAT_CELLS = 300_000;
const MAX_COLUMNS = 1_000;
const MIN_COLUMNS = 100;

/** The figure that the heat map shows. */
export const heatFigure = option('heatFigure', MODEL_FIGURES);

/** Width of the heat map in CSS pixels: more columns than that are not seen. */
export const heatWidth = signal(MAX_COLUMNS);

const lastHeat = liveView('heat', () => {
  const run = chosenRun.value;
  if (run === null || section.value !== 'overview') return null;
  const share = Math.floor(HEAT_CELLS / Math.max(1, rows.value.length));
  const most = Math.min(MAX_COLUMNS, Math.ceil(heatWidth.value / 100) * 100);
  return {
    view: 'heat',
    run,
    figure: heatFigure.current.value,
    points: Math.max(MIN_COLUMNS, Math.min(most, share)),
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
