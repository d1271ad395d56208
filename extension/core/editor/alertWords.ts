import {
  ALERT_SENTENCES,
  sentenceOf,
  type AlertStrings,
  type AlertValue,
} from '../../protocol/alertSentences';
import { ALERT_UNITS, type Alert } from '../../protocol/alerts';
import { countText, figureText, percentText, UNKNOWN } from './numbers';

export interface AlertWords {
  /** A few words. */
  readonly title: string;
  /** What was found. */
  readonly found: string;
  /** What to do. */
  readonly advice: string;
}

function measured({ rule }: Alert, value: number | null): string {
  switch (ALERT_UNITS[rule]) {
    case 'count':
      return countText(value);
    case 'percent':
      return percentText(value);
    default:
      return figureText(value);
  }
}

/**
 * An alert in words.
 * @param nameOf - the name of a layer of its run
 */
export function alertWords(
  alert: Alert,
  strings: AlertStrings,
  nameOf: (layer: Alert['layer']) => string | undefined,
): AlertWords {
  const sentence = sentenceOf(alert);
  const places: readonly AlertValue[] = ALERT_SENTENCES[sentence];
  const written = (name: AlertValue): string => {
    switch (name) {
      case 'tap':
        return alert.tap === null ? '' : strings.taps[alert.tap];
      case 'other':
        return (alert.other === null ? undefined : nameOf(alert.other)) ?? UNKNOWN;
      case 'value':
      case 'limit':
        return measured(alert, alert[name]);
      default:
        return countText(alert[name]);
    }
  };
  const values = places.map(written);
  const { found, advice } = strings.sentences[sentence];
  return {
    title: strings.titles[alert.rule],
    found: found.replace(/\{(\d+)\}/g, (place, at) => values[Number(at)] ?? place),
    advice,
  };
}
