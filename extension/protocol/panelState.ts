import { runId, type RunId } from './ids';
import { isRecord, isText, parseRange, parseStep } from './untrusted';
import type { StepChoice, StepRange } from './stepChoice';

/** The parts of the panel, in the order of their tabs. */
export const SECTIONS = ['overview', 'layer', 'model'] as const;
export type SectionId = (typeof SECTIONS)[number];

/** Most options of the panel that are remembered, and the longest name or value of one. */
export const MAX_OPTIONS = 64;
export const MAX_OPTION_LENGTH = 200;

/** What the panel remembers over hiding, reload and restart. */
export interface PanelState {
  readonly version: 2;
  readonly run: RunId | null;
  /** Layers are remembered by name: ids are given anew in each run. */
  readonly layerName: string | null;
  readonly step: StepChoice;
  readonly section: SectionId;
  /** The part of the run that charts over steps show; null for all of it. */
  readonly range: StepRange | null;
  /** How charts are drawn, by the option's name: which figure, which order, linear or not. */
  readonly options: Readonly<Record<string, string>>;
}

export const INITIAL_PANEL_STATE: PanelState = {
  version: 2,
  run: null,
  layerName: null,
  step: 'live',
  section: 'overview',
  range: null,
  options: {},
};

const isShort = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= MAX_OPTION_LENGTH;

function parseOptions(value: unknown): PanelState['options'] | undefined {
  if (!isRecord(value)) return undefined;
  const entries = Object.entries(value).slice(0, MAX_OPTIONS);
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => entry.every(isShort)),
  );
}

/** What a panel remembered; undefined for anything else. A former version's is taken as far as it goes. */
export function parsePanelState(value: unknown): PanelState | undefined {
  if (!isRecord(value) || (value.version !== 1 && value.version !== 2)) return undefined;
  const { run, layerName } = value;
  const step = parseStep(value.step);
  if ((run !== null && !isText(run)) || (layerName !== null && !isText(layerName))) {
    return undefined;
  }
  if (step === undefined) return undefined;
  return {
    version: 2,
    run: run === null ? null : runId(run),
    layerName,
    step,
    section: SECTIONS.find((id) => id === value.section) ?? INITIAL_PANEL_STATE.section,
    range: parseRange(value.range) ?? null,
    options: parseOptions(value.options) ?? {},
  };
}
