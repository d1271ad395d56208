import { l10n } from 'vscode';
import type { AlertSentence } from '../../../protocol/alertSentences';
import type { AlertStringKey } from '../../../protocol/panelStrings/alert';
import { alertStrings } from '../../alertStrings';

const prefixed = (prefix: string, texts: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [`${prefix}.${name}`, text]));

export function panelAlertStrings(): Readonly<Record<AlertStringKey, string>> {
  const { titles, taps, sentences } = alertStrings();
  const part = (which: 'found' | 'advice') =>
    Object.fromEntries(
      Object.entries(sentences).map(([name, sentence]) => [name, sentence[which]]),
    ) as Record<AlertSentence, string>;
  return {
    ...prefixed('alert.title', titles),
    ...prefixed('alert.tap', taps),
    ...prefixed('alert.found', part('found')),
    ...prefixed('alert.advice', part('advice')),
    'alert.severity.error': l10n.t('Error'),
    'alert.severity.warning': l10n.t('Warning'),
    'alert.severity.info': l10n.t('Note'),
    alerts: l10n.t('Alerts'),
    alertsNone: l10n.t('Nothing out of the ordinary was found so far.'),
    alertsEnded: l10n.t('Over'),
    alertSince: l10n.t('since step {0}'),
    alertSpell: l10n.t('steps {0} – {1}'),
    alertsMore: l10n.t('{0} more'),
  } as Record<AlertStringKey, string>;
}
