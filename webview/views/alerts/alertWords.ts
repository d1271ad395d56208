import {
  ALERT_SENTENCES,
  sentenceOf,
  type AlertValue,
} from '../../../extension/protocol/alertSentences';
import { ALERT_UNITS, type Alert } from '../../../extension/protocol/alerts';
import { formatCount, formatNumber, formatPercent, UNKNOWN } from '../../format';
import { rows } from '../../state/panel';
import { text } from '../../strings';

/** The name of a layer of the run that is shown. */
export const layerName = (id: Alert['layer'] | null): string =>
  rows.value.find(({ info }) => info.id === id)?.info.name ?? UNKNOWN;

/** An alert's value as it is to be read, without the unit. */
function written(alert: Alert, name: AlertValue): string {
  switch (name) {
    case 'tap':
      return alert.tap === null ? '' : text(`alert.tap.${alert.tap}`);
    case 'other':
      return layerName(alert.other);
    case 'value':
    case 'limit':
      return measured(alert, alert[name]);
    default:
      return formatCount(alert[name]);
  }
}

function measured({ rule }: Alert, value: number | null): string {
  switch (ALERT_UNITS[rule]) {
    case 'count':
      return formatCount(value);
    case 'percent':
      return formatPercent(value === null ? null : 100 * value);
    default:
      return formatNumber(value);
  }
}

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
  const values: readonly AlertValue[] = ALERT_SENTENCES[sentence];
  return {
    title: text(`alert.title.${rule}`),
    severity: text(`alert.severity.${severity}`),
    layer: layerName(alert.layer),
    when: active
      ? text('alertSince', formatCount(since))
      : text('alertSpell', formatCount(since), formatCount(last)),
    found: text(`alert.found.${sentence}`, ...values.map((name) => written(alert, name))),
    advice: text(`alert.advice.${sentence}`),
  };
}
