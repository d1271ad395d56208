import { ALERT_UNITS, type Alert, type RuleId } from './alerts';

/** What a sentence may name of an alert; `tap` and `other` by their names. */
export type AlertValue = keyof Pick<
  Alert,
  'since' | 'last' | 'value' | 'limit' | 'feature' | 'features' | 'row' | 'layers' | 'other' | 'tap'
>;

/**
 * The sentences that say what was found, each with what its `{0}`, `{1}` … stand for. A rule whose
 * sentence depends on the tap has one for each, as `rule:tap`.
 */
export const ALERT_SENTENCES = {
  'nonfinite:pre': ['value', 'since', 'layers'],
  'nonfinite:post': ['value', 'since', 'layers'],
  'nonfinite:gradPost': ['value', 'since', 'layers'],
  'nonfinite:gradPre': ['value', 'since', 'layers'],
  exploding: ['tap', 'value', 'since', 'limit'],
  'vanishing-gradient': ['value', 'since', 'limit', 'layers'],
  'gradient-imbalance': ['value', 'since', 'limit', 'other'],
  'dead-feature:pre': ['features', 'value', 'since', 'feature'],
  'dead-feature:post': ['features', 'value', 'since', 'feature'],
  'eps-dominated': ['value', 'since', 'limit'],
  saturated: ['value', 'since', 'limit'],
  drift: ['value', 'since', 'limit', 'last'],
  'bn-train-eval-gap': ['value', 'since', 'limit'],
  'bn-small-batch': ['value', 'since', 'limit'],
  'bn-batch-of-one': ['since'],
  'bn-eval-while-training': ['since'],
  'bn-axis-mistake': ['value', 'limit'],
  'padding-in-statistics': ['value', 'since', 'limit'],
  'gain-collapse': ['features', 'value', 'since', 'feature'],
  headroom: ['tap', 'value', 'since'],
  'fast-variance-cancellation': ['value', 'since', 'limit'],
  'rank-spread': ['value', 'since', 'limit'],
} as const satisfies Readonly<Record<string, readonly AlertValue[]>>;
export type AlertSentence = keyof typeof ALERT_SENTENCES;

/** Which sentence tells of an alert. */
export function sentenceOf({ rule, tap }: Pick<Alert, 'rule' | 'tap'>): AlertSentence {
  if (rule === 'nonfinite') return `nonfinite:${tap ?? 'pre'}`;
  if (rule === 'dead-feature') return tap === 'post' ? 'dead-feature:post' : 'dead-feature:pre';
  return rule;
}

/** How the values of an alert are written; null where one is not known. */
export interface ValueWriting {
  readonly figure: (value: number | null) => string;
  readonly count: (value: number | null) => string;
  /** A share from 0 to 1 as a number of percent, without the sign. */
  readonly percent: (share: number | null) => string;
  readonly tap: (tap: NonNullable<Alert['tap']>) => string;
  readonly layer: (id: NonNullable<Alert['other']> | null) => string;
}

/** What the places of an alert's sentence stand for, in their order. */
export function alertValues(alert: Alert, writing: ValueWriting): readonly string[] {
  const names: readonly AlertValue[] = ALERT_SENTENCES[sentenceOf(alert)];
  return names.map((name) => {
    switch (name) {
      case 'tap':
        return alert.tap === null ? '' : writing.tap(alert.tap);
      case 'other':
        return writing.layer(alert.other);
      case 'value':
      case 'limit':
        return measured(alert, alert[name], writing);
      default:
        return writing.count(alert[name]);
    }
  });
}

function measured({ rule }: Alert, value: number | null, writing: ValueWriting): string {
  const unit = ALERT_UNITS[rule];
  if (unit === 'count') return writing.count(value);
  return unit === 'percent' ? writing.percent(value) : writing.figure(value);
}

/** An alert's texts in the language of VS Code. */
export interface AlertStrings {
  /** A few words. */
  readonly titles: Readonly<Record<RuleId, string>>;
  /** What was found, and what to do; only the former has places for values. */
  readonly sentences: Readonly<
    Record<AlertSentence, { readonly found: string; readonly advice: string }>
  >;
  readonly taps: Readonly<Record<NonNullable<Alert['tap']>, string>>;
}
