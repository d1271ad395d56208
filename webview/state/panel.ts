import { computed, effect, signal } from '@preact/signals';
import type { LayerId, RunId } from '../../extension/protocol/ids';
import type { PanelState, ToPanel } from '../../extension/protocol/panelMessages';
import type {
  LayerRow,
  LayerView,
  OverviewView,
  RunSummary,
  StepChoice,
  View,
  ViewQuery,
} from '../../extension/protocol/views';
import { strings } from '../strings';
import { QueryPump, type ViewName } from './queryPump';
import { decodeView, isView, type Loaded } from './viewData';
import { post, recall, remember } from './vscodeApi';

const SERIES_POINTS = 400;
const RIDGES = 24;
const RIDGE_POINTS = 96;
/** Sparkline and loss points over all layers together, so that an overview stays small. */
const OVERVIEW_POINTS = 200_000;

const recalled = recall();

/** Null until the host has answered for the first time. */
export const runs = signal<readonly RunSummary[] | null>(null);
export const chosenRun = signal<RunId | null>(recalled.run);
export const stepChoice = signal<StepChoice>(recalled.step);

/** The layer chosen by the person, the editor or the command palette; ids hold within their run. */
const chosenLayer = signal<{ readonly run: RunId; readonly layer: LayerId } | null>(null);
/** Finds the chosen layer where its id is not known: after a reload, and in another run. */
const layerName = signal<string | null>(recalled.layerName);

/** Queries whose last answer could not be used, with the reason. */
const failures = signal<ReadonlyMap<ViewName, { query: ViewQuery; reason: string }>>(new Map());

const lastOverview = signal<Loaded<OverviewView> | null>(null);
const lastLayer = signal<Loaded<LayerView> | null>(null);

/** The person chose a run that is not the newest: stay with it. */
let pinned = false;
let firstRuns = true;

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

export const rows = computed<readonly LayerRow[]>(() => overview.value?.body.rows ?? []);

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

/** Why something that is shown is not up to date; null where all is well. */
export const failure = computed(() => {
  for (const { query, reason } of failures.value.values()) {
    const otherRun = query.view !== 'runs' && query.run !== chosenRun.value;
    const otherLayer = query.view === 'layer' && query.layer !== selectedRow.value?.info.id;
    if (!otherRun && !otherLayer) return reason;
  }
  return null;
});

/** The last drawn layer stays until the next one is there, so that nothing jumps. */
export const layer = computed(() => {
  const view = lastLayer.value;
  return view && view.body.run.id === chosenRun.value ? view : null;
});

export function chooseRun(id: RunId): void {
  pinned = id !== newestRun()?.id;
  if (id === chosenRun.value) return;
  chosenRun.value = id;
  stepChoice.value = 'live';
}

export function chooseLayer(id: LayerId): void {
  if (chosenRun.value !== null) chosenLayer.value = { run: chosenRun.value, layer: id };
}

export function chooseStep(step: StepChoice): void {
  stepChoice.value = step;
}

/** Of a process group the first rank stands for all: they start at nearly the same time. */
function newestRun(): RunSummary | undefined {
  const all = runs.value ?? [];
  const leading = all.filter(({ rank }) => rank === 0);
  return (leading.length > 0 ? leading : all).reduce<RunSummary | undefined>(
    (newest, candidate) => (newest && newest.startedAt > candidate.startedAt ? newest : candidate),
    undefined,
  );
}

/** Keeps a remembered or pinned run while it is there; follows the newest otherwise. */
function settleRun(): void {
  const newest = newestRun();
  const known = runs.value?.some((candidate) => candidate.id === chosenRun.value) ?? false;
  if (firstRuns && known) pinned = chosenRun.value !== newest?.id;
  firstRuns = firstRuns && !newest;
  if (known && (pinned || chosenRun.value === newest?.id)) return;
  pinned = false;
  if (chosenRun.value === (newest?.id ?? null)) return;
  if (newest) stepChoice.value = 'live';
  if (newest) chosenRun.value = newest.id;
}

function question(view: ViewName): ViewQuery | null {
  const id = chosenRun.value;
  if (view === 'runs') return { view };
  if (id === null) return null;
  if (view === 'overview') {
    const share = Math.floor(OVERVIEW_POINTS / Math.max(1, rows.value.length));
    return { view, run: id, points: Math.min(600, Math.max(60, share)) };
  }
  const row = selectedRow.value;
  if (!row) return null;
  return {
    view,
    run: id,
    layer: row.info.id,
    step: stepChoice.value,
    points: SERIES_POINTS,
    ridges: RIDGES,
    ridgePoints: RIDGE_POINTS,
  };
}

const pump = new QueryPump(question);

/** Takes note of why an answer could not be used; null: it could. */
function noteOutcome(query: ViewQuery, reason: string | null): void {
  const known = failures.peek().get(query.view);
  if (reason === null && !known) return;
  const next = new Map(failures.peek());
  if (reason === null) next.delete(query.view);
  else next.set(query.view, { query, reason });
  failures.value = next;
}

function answered(query: ViewQuery, blob: ArrayBuffer): void {
  try {
    accept(query, decodeView(blob));
    noteOutcome(query, null);
  } catch (error) {
    noteOutcome(query, error instanceof Error ? error.message : String(error));
  }
}

function accept(query: ViewQuery, view: Loaded<View>): void {
  if (isView(view, 'runs')) {
    runs.value = view.body.runs;
    settleRun();
  } else if (isView(view, 'overview')) {
    lastOverview.value = view;
  } else if (isView(view, 'layer')) {
    if (query.view !== 'layer' || query.layer !== selectedRow.value?.info.id) return;
    lastLayer.value = view;
    // The store keeps fewer steps than it counts: the step shown is the nearest one it still has.
    const { step } = view.body;
    if (typeof query.step === 'number' && query.step === stepChoice.value && step !== null) {
      stepChoice.value = step;
    }
  } else if (query.view === 'overview') {
    pump.invalidate(['runs']);
  }
}

/** A panel that was opened anew goes on where the closed one was. */
function takeOver(state: PanelState): void {
  if (recalled.run !== null || recalled.layerName !== null) return;
  layerName.value = state.layerName;
  chosenRun.value = state.run;
  stepChoice.value = state.step;
}

function receive(message: ToPanel): void {
  switch (message.type) {
    case 'welcome':
      strings.value = message.strings;
      if (message.state) takeOver(message.state);
      pump.invalidate(['runs', 'overview', 'layer']);
      break;
    case 'changed':
      pump.invalidate(['runs', 'overview', 'layer']);
      break;
    case 'view': {
      const query = pump.settle(message.requestId);
      if (query) answered(query, message.blob);
      break;
    }
    case 'failed': {
      const query = pump.settle(message.requestId);
      if (query) noteOutcome(query, message.message);
      break;
    }
    case 'select':
      chosenLayer.value = { run: message.run, layer: message.layer };
      chooseRun(message.run);
      break;
  }
}

/** Connects the panel to its host and keeps the two in step. */
export function start(): void {
  window.addEventListener('message', (event: MessageEvent<ToPanel>) => receive(event.data));
  effect(() => {
    if (chosenRun.value !== null) pump.invalidate(['overview'], true);
  });
  effect(() => {
    const row = selectedRow.value?.info.id;
    if (row !== undefined && stepChoice.value !== null) pump.invalidate(['layer'], true);
  });
  const focused = computed(() => {
    const id = selectedRow.value?.info.id;
    return chosenRun.value === null || id === undefined ? null : `${id} ${chosenRun.value}`;
  });
  effect(() => {
    if (focused.value === null) return;
    const [id, target] = [selectedRow.peek()?.info.id, chosenRun.peek()];
    if (id !== undefined && target) post({ type: 'focus', run: target, layers: [id] });
  });
  effect(() => {
    const row = selectedRow.value;
    if (row && row.info.id === chosenId.value) layerName.value = row.info.name;
  });
  effect(() => {
    // Until a layer list has come, the remembered name is better than none.
    const name = selectedRow.value?.info.name ?? layerName.value;
    remember({ version: 1, run: chosenRun.value, layerName: name, step: stepChoice.value });
  });
  post({ type: 'ready' });
}
