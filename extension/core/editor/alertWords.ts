import { alertValues, sentenceOf, type AlertStrings } from '../../protocol/alertSentences';
import type { Alert } from '../../protocol/alerts';
import { countText, figureText, percentText, UNKNOWN } from './numbers';

export interface AlertWords {
  /** A few words. */
  readonly title: string;
  /** What was found. */
  readonly found: string;
  /** What to do. */
  readonly advice: string;
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
  const values = alertValues(alert, {
    figure: figureText,
    count: countText,
    percent: percentText,
    tap: (tap) => strings.taps[tap],
    layer: (id) => (id === null ? undefined : nameOf(id)) ?? UNKNOWN,
  });
  const { found, advice } = strings.sentences[sentenceOf(alert)];
  return {
    title: strings.titles[alert.rule],
    found: found.replace(/\{(\d+)\}/g, (place, at) => values[Number(at)] ?? place),
    advice,
  };
}
