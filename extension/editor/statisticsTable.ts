import { l10n } from 'vscode';
import type { EditorModel } from '../core/editor/editorModel';
import { readFigure } from '../core/editor/layerReading';
import { oneLine } from '../core/editor/markdown';
import { countText, UNKNOWN } from '../core/editor/numbers';
import { tapWord } from '../core/editor/tapWord';
import { tapFigures } from '../core/runStore/queries/tapFigures';
import type { LayerTrack } from '../core/runStore/layerTrack';
import type { Run } from '../core/runStore/run';
import type { StepRecord } from '../core/runStore/stepRecord';
import { TAPS, type Tap } from '../protocol/layers';
import { driftName } from './driftWords';

const DIGITS = 5;

/** A figure as other programs read it too. */
const plain = (value: number | null): string =>
  value === null || Number.isNaN(value) ? UNKNOWN : String(Number(value.toPrecision(DIGITS)));

/** What a process wrote, as code, so that nothing in it is markup. */
const code = (text: string): string =>
  `\`${oneLine(text).replaceAll('`', "'").replaceAll('|', '¦')}\``;

/** A sentence that may name what a process wrote: no link, picture, tag or code comes of it. */
const sentence = (text: string): string => oneLine(text).replace(/[\\`*[\]<>|]/g, '\\$&');

function newestStepOf(run: Run, track: LayerTrack): StepRecord | undefined {
  for (const record of run.history.newestFirst()) {
    if (TAPS.some((tap) => record.tap(track.info.id, tap))) return record;
  }
  return undefined;
}

/** Drift as it is shown elsewhere, and its floor; only where the analysis has come to the step. */
function driftOf(run: Run, track: LayerTrack, tap: Tap, step: number): readonly string[] {
  const row = run.table.steps().lastIndexOf(step);
  const at = (name: 'drift' | 'driftFloor') =>
    row < 0 ? null : (track.tap(tap).drift(run.shownReference).column(name)?.[row] ?? null);
  return [plain(at('drift')), plain(at('driftFloor'))];
}

function rowOf(run: Run, track: LayerTrack, record: StepRecord, tap: Tap): readonly string[] {
  const reading = record.tap(track.info.id, tap);
  if (!reading) return [];
  const figures = tapFigures(tap, reading);
  return [
    tapWord(tap, l10n.t),
    String(figures.elements),
    ...[figures.mean, figures.std, figures.min, figures.max, figures.norm].map(plain),
    ...[figures.nan, figures.positiveInfinity, figures.negativeInfinity].map(String),
    String(figures.deadFeatures),
    ...driftOf(run, track, tap, record.step),
  ];
}

/**
 * All taps of a layer at its newest captured step as a Markdown table, to be pasted elsewhere: numbers
 * in plain ASCII to five digits. Undefined before the first step.
 */
export function statisticsTable(
  model: EditorModel,
  run: Run,
  track: LayerTrack,
): string | undefined {
  const record = newestStepOf(run, track);
  if (!record) return undefined;
  const { name, className, id } = track.info;
  const head = [
    '',
    l10n.t('values'),
    l10n.t('mean'),
    'σ',
    l10n.t('min'),
    l10n.t('max'),
    l10n.t('norm'),
    'NaN',
    '+Inf',
    '-Inf',
    l10n.t('constant features'),
    driftName(run),
    l10n.t('drift floor'),
  ];
  const rows = TAPS.map((tap) => rowOf(run, track, record, tap)).filter((row) => row.length > 0);
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const ruler = head.map((_, column) => (column === 0 ? ':--' : '--:'));
  const title = l10n.t(
    '{0} ({1}) at step {2} of {3}',
    code(name),
    code(className),
    countText(record.step),
    code(run.program),
  );
  const ratio = plain(readFigure(run, track, 'gradientRatio'));
  const alerts = model.alertsOf(run, [id]).map((alert) => {
    const words = model.inWords(run, alert);
    return `- ${sentence(`${words.title}: ${words.found}`)}`;
  });
  const parts = [
    title,
    [line(head), line(ruler), ...rows.map(line)].join('\n'),
    `‖dL/dx‖ / ‖dL/dy‖: ${ratio}`,
    ...(alerts.length > 0 ? [alerts.join('\n')] : []),
  ];
  return `${parts.join('\n\n')}\n`;
}
