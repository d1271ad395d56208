import { l10n } from 'vscode';
import { markdownText } from '../../core/editor/markdown';
import { countText, percentText } from '../../core/editor/numbers';
import type { Run } from '../../core/runStore/run';
import { phaseWord, runState } from '../../editor/runWords';
import { SEVERITY_ICONS } from '../../editor/severityIcons';
import type { Severity } from '../../protocol/alerts';
import type { RunPhase } from '../../protocol/runSummary';

/** How capture stands. */
export interface CaptureState {
  readonly enabled: boolean;
  readonly run: Run | undefined;
  readonly alerts: number;
  /** Severity of the worst one. */
  readonly worst?: Severity;
}

const ICONS: Readonly<Record<RunPhase, string>> = {
  starting: 'loading~spin',
  running: 'pulse',
  paused: 'debug-pause',
  ended: 'check',
  disconnected: 'debug-disconnect',
};

/** To two digits, as in the panel. */
const percent = (value: number) => l10n.t('{0} %', percentText(value / 100));

/** A few words with icons, none of them the process's. */
export function statusText({ enabled, run, alerts, worst = 'warning' }: CaptureState): string {
  const spoken = alerts > 0 ? ` $(${SEVERITY_ICONS[worst]}) ${countText(alerts)}` : '';
  if (!enabled && (!run || run.over)) return `$(circle-slash) ${l10n.t('Norms: off')}${spoken}`;
  if (!run) return `$(pulse) ${l10n.t('Norms: on')}`;
  const { overheadPercent } = run.summary();
  const icon = enabled || run.over ? ICONS[run.phase] : 'circle-slash';
  const state = enabled || run.over ? phaseWord(run.phase) : l10n.t('off');
  const cost =
    overheadPercent === null || run.over || !enabled ? '' : ` · ${percent(overheadPercent)}`;
  return `$(${icon}) ${l10n.t('Norms: {0}', state)}${cost}${spoken}`;
}

/** The same in sentences, without icons. */
export function statusLines({ enabled, run, alerts }: CaptureState): readonly string[] {
  const lines = [
    enabled
      ? l10n.t('Norm capture is on for sessions that ask for it.')
      : l10n.t('Norm capture is off.'),
  ];
  if (!run) return [...lines, l10n.t('No run yet.')];
  const { layers, overheadPercent, interval, framesDropped } = run.summary();
  lines.push(runState(run), l10n.t('Norm layers: {0}', countText(layers)));
  if (overheadPercent !== null) {
    lines.push(l10n.t('Capture takes {0} of step time.', percent(overheadPercent)));
  }
  if (interval > 1) {
    lines.push(
      l10n.t(
        'One of {0} steps is captured, to keep within the budget: the setting {1} changes it, 0 captures every step.',
        countText(interval),
        'normscope.capture.budgetPercent',
      ),
    );
  }
  if (framesDropped > 0) lines.push(l10n.t('Dropped steps: {0}', countText(framesDropped)));
  lines.push(l10n.t('Active alerts: {0}', countText(alerts)));
  return lines;
}

export const statusMarkdown = (state: CaptureState): string =>
  statusLines(state).map(markdownText).join('  \n');
