import type { AlertSentence } from '../alertSentences';
import type { RuleId, Severity } from '../alerts';
import type { Tap } from '../layers';

/** Texts of alerts: those of the rules, and those of the list. */
export type AlertStringKey =
  | `alert.title.${RuleId}`
  | `alert.tap.${Tap}`
  | `alert.found.${AlertSentence}`
  | `alert.advice.${AlertSentence}`
  | `alert.severity.${Severity}`
  | 'alerts'
  | 'alertsNone'
  | 'alertsEnded'
  | 'alertSince'
  | 'alertSpell'
  | 'alertsMore';
