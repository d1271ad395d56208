import { computed, effect, signal, untracked } from '@preact/signals';
import type { LayerId, RunId } from '../../extension/protocol/ids';
import type { ToPanel } from '../../extension/protocol/panelMessages';
import type { PanelState, SectionId } from '../../extension/protocol/panelState';
import { DISTRIBUTIONS, USUAL_REFERENCES, type LayerRow } from '../../extension/protocol/views';
import { answered, askAgain, failures, liveView, notAnswered, startAsking } from './liveViews';
import { option, options } from './options';
import { chooseRun, chosenRun, runs, settleRuns, stepChoice, stepRange } from './runs';
import { sameAxes } from './sameAxes';
import { post, recall, remember } from './vscodeApi';

const SERIES_POINTS = 400;
const RIDGES = 24;
/** Steps of percentile bands: a curve has room for more than ridges have. */
const BANDS = 64;
const RIDGE_POINTS = 96;
/** Points of the loss over the whole run, and of a layer's sparkline: as wide as it is drawn. */
const LOSS_POINTS = 600;
const SPARK_POINTS = 56;

const recalled = recall();

export const section = signal<SectionId>(recalled.section);

/** The layer chosen by the person, the editor or the command palette; ids hold within their run. */
const chosenLayer = signal<{ readonly run: RunId; readonly layer: LayerId } | null>(null);
/** Finds the chosen layer where its id is not known: after a reload, and in another run. */
const layerName = signal<string | null>(recalled.layerName);

const lastRuns = liveView('runs', () => ({ view: 'runs' }));

const lastOverview = liveView(
  'overview',
  () => {
    const run = chosenRun.value;
    if (run === null) return null;
    return { view: 'overview', run, points: LOSS_POINTS, sparkPoints: SPARK_POINTS };
  },
  { missing: () => askAgain(['runs']) },
);

export const overview = computed(() => {
  const view = lastOverview.value;
  return view && view.body.run.id === chosenRun.value ? view : null;
});

/** The chosen run, as fresh as the last answer that spoke of it. */
export const run = computed(
  () =>
    overview.value?.body.run ??
    runs.value?.find((candidate) => candidate.id === chosenRun.value) ??
    null,
);

const NO_ROWS: readonly LayerRow[] = [];
export const rows = computed<readonly LayerRow[]>(() => overview.value?.body.rows ?? NO_ROWS);

const chosenId = computed(() => {
  const chosen = chosenLayer.value;
  return chosen?.run === chosenRun.value ? chosen?.layer : undefined;
});

/** The chosen layer: by its id in this run, else by its name, else the first in model order. */
export const selectedRow = computed(
  () =>
    rows.value.find((row) => row.info.id === chosenId.value) ??
    rows.value.find((row) => row.info.name === layerName.value) ??
    rows.value[0] ??
    null,
);

const selectedLayer = computed(() => selectedRow.value?.info.id);

/** Against which steps drift is measured where no single one is chosen. */
export const usualReference = option('reference', USUAL_REFERENCES);
/** The step that was chosen for the run; null where none is. */
export const referenceStep = computed(() => run.value?.referenceStep ?? null);
const reference = computed(() =>
  referenceStep.value === null ? usualReference.current.value : 'chosen',
);

/** Measures drift against one step; null: as before. The host keeps it, for the editor too. */
export function chooseReferenceStep(step: number | null): void {
  const id = chosenRun.value;
  if (id !== null) post({ type: 'reference', run: id, step });
}

/** What shows the distribution over steps. */
export const distribution = option('distribution', DISTRIBUTIONS);

const lastLayer = liveView(
  'layer',
  () => {
    const [run, layer] = [chosenRun.value, selectedLayer.value];
    if (run === null || layer === undefined || section.value !== 'layer') return null;
    return {
      view: 'layer',
      run,
      layer,
      step: stepChoice.value,
      points: SERIES_POINTS,
      ridges: distribution.current.value === 'bands' ? BANDS : RIDGES,
      ridgePoints: RIDGE_POINTS,
      distribution: distribution.current.value,
      axes: sameAxes.current.value,
      reference: reference.value,
      ...(stepRange.value && { range: stepRange.value }),
    };
  },
  {
    wanted: (query, { body }) => {
      if (query.layer !== selectedLayer.value) return false;
      // The store keeps fewer steps than it counts: the step shown is the nearest one it still has.
      const { step } = body;
      if (typeof query.step === 'number' && query.step === stepChoice.value && step !== null) {
        stepChoice.value = step;
      }
      return true;
    },
  },
);

/** The chosen layer at the chosen step; of this run, but for a moment of the layer before. */
export const layer = computed(() => {
  const view = lastLayer.value;
  return view && view.body.run.id === chosenRun.value ? view : null;
});

/** Why something that is shown is not up to date; null where all is well. */
export const failure = computed(() => {
  for (const { query, reason } of failures.value.values()) {
    const otherRun = query.view !== 'runs' && query.run !== chosenRun.value;
    const otherLayer = 'layer' in query && query.layer !== selectedLayer.value;
    if (!otherRun && !otherLayer) return reason;
  }
  return null;
});

export function chooseLayer(id: LayerId): void {
  if (chosenRun.value !== null) chosenLayer.value = { run: chosenRun.value, layer: id };
}

export function chooseSection(id: SectionId): void {
  section.value = id;
}

/** A panel that was opened anew goes on where the closed one was. */
function takeOver(state: PanelState): void {
  if (recalled.run !== null || recalled.layerName !== null) return;
  layerName.value = state.layerName;
  chosenRun.value = state.run;
  stepChoice.value = state.step;
  stepRange.value = state.range;
  section.value = state.section;
  options.value = state.options;
}

function receive(message: ToPanel): void {
  switch (message.type) {
    case 'welcome':
      if (message.state) takeOver(message.state);
      break;
    case 'changed':
      askAgain();
      break;
    case 'view':
      answered(message.requestId, message.blob);
      break;
    case 'failed':
      notAnswered(message.requestId, message.message);
      break;
    case 'select':
      chosenLayer.value = { run: message.run, layer: message.layer };
      section.value = 'layer';
      chooseRun(message.run);
      break;
  }
}

/** The agent captures in depth what the person looks at: one layer, while its section is shown. */
function followFocus(): void {
  const focused = computed(() => {
    const [run, layer] = [chosenRun.value, selectedLayer.value];
    if (run === null || layer === undefined) return null;
    return JSON.stringify({ run, layers: section.value === 'layer' ? [layer] : [] });
  });
  effect(() => {
    if (focused.value !== null) post({ type: 'focus', ...JSON.parse(focused.value) });
  });
}

/** Connects the panel to its host and keeps the two in step. */
export function start(): void {
  window.addEventListener('message', (event: MessageEvent<ToPanel>) => receive(event.data));
  effect(() => {
    const known = lastRuns.value;
    if (known) untracked(() => settleRuns(known.body.runs));
  });
  startAsking();
  followFocus();
  effect(() => {
    const row = selectedRow.value;
    if (row && row.info.id === chosenId.value) layerName.value = row.info.name;
  });
  effect(() => {
    remember({
      version: 2,
      run: chosenRun.value,
      // Until a layer list has come, the remembered name is better than none.
      layerName: selectedRow.value?.info.name ?? layerName.value,
      step: stepChoice.value,
      section: section.value,
      range: stepRange.value,
      options: options.value,
    });
  });
  post({ type: 'ready' });
}
