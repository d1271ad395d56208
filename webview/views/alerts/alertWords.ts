import {
  alertValues,
  sentenceOf,
  type ValueWriting,
} from '../../../extension/protocol/alertSentences';
import type { Alert } from '../../../extension/protocol/alerts';
import { formatCount, formatNumber, formatPercent, UNKNOWN } from '../../format';
import { rows } from '../../state/panel';
import { text } from '../../strings';

/** The name of a layer of the run that is shown. */
export const layerName = (id: Alert['layer'] | null): string =>
  rows.value.find(({ info }) => info.id === id)?.info.name ?? UNKNOWN;

/** Numbers as the panel writes them, names as it shows them. */
const WRITING: ValueWriting = {
  figure: formatNumber,
  count: formatCount,
  percent: (share) => formatPercent(share === null ? null : 100 * share),
  tap: (tap) => text(`alert.tap.${tap}`),
  layer: layerName,
};

export interface AlertWords {
  readonly title: string;
  readonly severity: string;
  readonly layer: string;
  readonly when: string;
  /** What was found. */
  readonly found: string;
  /** What to do. */
  readonly advice: string;
}

/** An alert in words. */
export function alertWords(alert: Alert): AlertWords {
  const { rule, severity, since, last, active } = alert;
  const sentence = sentenceOf(alert);
  return {
    title: text(`alert.title.${rule}`),
    severity: text(`alert.severity.${severity}`),
    layer: layerName(alert.layer),
    when: active
      ? text('alertSince', formatCount(since))
      : text('alertSpell', formatCount(since), formatCount(last)),
    found: text(`alert.found.${sentence}`, ...alertValues(alert, WRITING)),
    advice: text(`alert.advice.${sentence}`),
  };
}
