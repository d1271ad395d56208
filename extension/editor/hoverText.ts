import { l10n } from 'vscode';
import type { EditorModel } from '../core/editor/editorModel';
import { readFigure, readLayer, readTrend, type LayerReading } from '../core/editor/layerReading';
import { markdownText } from '../core/editor/markdown';
import { countText, figureText, meanText, shortFigure } from '../core/editor/numbers';
import { RULE_DEFINITIONS } from '../core/editor/ruleDefinitions';
import { trendOf } from '../core/editor/sparkline';
import type { LayerTrack } from '../core/runStore/layerTrack';
import type { Run } from '../core/runStore/run';
import type { Alert } from '../protocol/alerts';
import { driftName, driftText } from './driftWords';
import { commandLink, targetOf } from './layerTarget';
import { runState } from './runWords';
import { SEVERITY_ICONS } from './severityIcons';

const GAP = '&nbsp;&nbsp;&nbsp;';
const MAX_ROWS = 8;
const MAX_ALERTS = 4;

export interface HoverSubject {
  readonly run: Run;
  readonly layers: readonly LayerTrack[];
  /** Whether the file is not what the process ran. */
  readonly changed: boolean;
}

const showLink = (run: Run, layers: readonly LayerTrack[]) =>
  commandLink('normscope.showInPanel', targetOf(run, layers));

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  // Columns of a hover's table stand close.
  const line = (cells: readonly string[]) => `| ${cells.join(` | ${GAP}`)} |`;
  const ruler = head.map((_, column) => (column === 0 ? ':--' : '--:'));
  return [line(head), `| ${ruler.join(' | ')} |`, ...rows.map(line)].join('\n');
}

function singleTable(reading: LayerReading): string {
  const { preMean, preStd, postMean, postStd, gradPreNorm, gradPostNorm } = reading;
  return table(
    ['', l10n.t('before'), l10n.t('after')],
    [
      [l10n.t('mean'), meanText(preMean, preStd), meanText(postMean, postStd)],
      ['σ', figureText(preStd), figureText(postStd)],
      [l10n.t('‖gradient‖'), figureText(gradPreNorm), figureText(gradPostNorm)],
    ],
  );
}

function trendLine(
  name: string,
  run: Run,
  track: LayerTrack,
  figure: 'drift' | 'preStd',
): string | undefined {
  const series = readTrend(run, track, figure);
  const trend = series && trendOf(series.values);
  if (!series || !trend) return undefined;
  const words = l10n.t(
    '{0}: {1} to {2} over steps {3} to {4}, between {5} and {6}',
    name,
    shortFigure(trend.first),
    shortFigure(trend.last),
    countText(series.firstStep),
    countText(series.lastStep),
    shortFigure(trend.smallest),
    shortFigure(trend.largest),
  );
  return `\`${trend.drawing}\` ${words}`;
}

function ofOne(run: Run, track: LayerTrack): string[] {
  const { info } = track;
  const reading = readLayer(run, track);
  const lines = [
    trendLine(driftName(run), run, track, 'drift'),
    trendLine(l10n.t('σ before'), run, track, 'preStd'),
  ].filter((line) => line !== undefined);
  const kind = l10n.t('{0}, features: {1}', markdownText(info.className), countText(info.features));
  const parts = [`**${markdownText(info.name)}** · ${kind}`, singleTable(reading)];
  parts.push(l10n.t('Drift of the input: {0}', driftText(run, reading.drift, reading.driftFloor)));
  if (lines.length > 0) parts.push(lines.join('  \n'));
  if (reading.nonFinite > 0)
    parts.push(l10n.t('NaN and infinite values: {0}', countText(reading.nonFinite)));
  for (const { reason } of info.status.slice(0, 3)) parts.push(`$(note) ${markdownText(reason)}`);
  return parts;
}

/** Those that a rule speaks of first, then those that drift most. */
function worstFirst(model: EditorModel, { run, layers }: HoverSubject): readonly LayerTrack[] {
  const spoken = model.activeAlerts(run).map(({ layer }) => layer);
  const ranked = layers.map((track) => {
    const at = spoken.indexOf(track.info.id);
    const drift = readFigure(run, track, 'drift') || 0;
    return { track, drift, rank: at < 0 ? spoken.length : at };
  });
  ranked.sort((a, b) => a.rank - b.rank || b.drift - a.drift);
  return ranked.map(({ track }) => track);
}

function ofSeveral(model: EditorModel, subject: HoverSubject): string[] {
  const { run, layers } = subject;
  const shown = worstFirst(model, subject).slice(0, MAX_ROWS);
  const rows = shown.map((track) => {
    const reading = readLayer(run, track);
    const { preMean, preStd, postMean, postStd } = reading;
    return [
      `[${markdownText(track.info.name)}](${showLink(run, [track])})`,
      `${meanText(preMean, preStd)} → ${meanText(postMean, postStd)}`,
      `${shortFigure(preStd)} → ${shortFigure(postStd)}`,
      driftText(run, reading.drift, reading.driftFloor),
    ];
  });
  const head = [l10n.t('layer'), l10n.t('mean'), 'σ', l10n.t('drift')];
  const parts = [`**${l10n.t('{0} norm layers', countText(layers.length))}**`, table(head, rows)];
  const [first] = shown;
  const trend = first && trendLine(driftName(run), run, first, 'drift');
  if (first && trend) parts.push(`${markdownText(first.info.name)}: ${trend}`);
  const more = layers.length - shown.length;
  if (more > 0) parts.push(l10n.t('{0} more, which drift less', countText(more)));
  return parts;
}

/** What the rules say, each rule once, of the layer where it is worst. */
function alertLines(model: EditorModel, run: Run, alerts: readonly Alert[]): string[] {
  const byRule = new Map<Alert['rule'], [Alert, ...Alert[]]>();
  for (const alert of alerts) {
    const known = byRule.get(alert.rule);
    if (known) known.push(alert);
    else byRule.set(alert.rule, [alert]);
  }
  const lines = [...byRule.values()].slice(0, MAX_ALERTS).map(([alert, ...others]) => {
    const { title, found, advice } = model.inWords(run, alert);
    const name = markdownText(run.layer(alert.layer)?.info.name ?? '');
    const more = new Set(others.map(({ layer }) => layer));
    more.delete(alert.layer);
    const place = more.size > 0 ? l10n.t('{0} and {1} more', name, countText(more.size)) : name;
    const link = commandLink('normscope.showDefinition', RULE_DEFINITIONS[alert.rule]);
    return (
      `$(${SEVERITY_ICONS[alert.severity]}) **${markdownText(title)}** · ${place}  \n` +
      `${markdownText(found)}  \n${markdownText(advice)} [${l10n.t('Definition')}](${link})`
    );
  });
  const more = byRule.size - lines.length;
  if (more > 0) lines.push(l10n.t('{0} more alerts', countText(more)));
  return lines;
}

/** What a hover says of the layers at a place, as Markdown with links to our own commands only. */
export function hoverText(model: EditorModel, subject: HoverSubject): string {
  const { run, layers, changed } = subject;
  const [only, ...others] = layers;
  const parts = only && others.length === 0 ? ofOne(run, only) : ofSeveral(model, subject);
  const ids = layers.map(({ info }) => info.id);
  parts.push(...alertLines(model, run, model.alertsOf(run, ids)));
  if (changed) parts.push(`$(note) ${l10n.t('The file has changed since this run.')}`);
  const link = `[$(graph) ${l10n.t('Show in Panel')}](${showLink(run, layers)})`;
  parts.push(`${link} · ${markdownText(runState(run))}`);
  return parts.join('\n\n');
}
