import type { LayerId } from './ids';
import type { Tap } from './layers';

/** What the person is told of a run without asking. What each rule means stands in `core/rules`. */
export const RULES = [
  'nonfinite',
  'exploding',
  'vanishing-gradient',
  'gradient-imbalance',
  'dead-feature',
  'eps-dominated',
  'saturated',
  'drift',
  'bn-train-eval-gap',
  'bn-small-batch',
  'bn-batch-of-one',
  'bn-eval-while-training',
  'bn-axis-mistake',
  'padding-in-statistics',
  'gain-collapse',
  'headroom',
  'fast-variance-cancellation',
  'rank-spread',
] as const;
export type RuleId = (typeof RULES)[number];

/** Worst first. */
export const SEVERITIES = ['error', 'warning', 'info'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** One spell of one rule at one place: from the step since which it speaks until it falls silent. */
export interface Alert {
  readonly rule: RuleId;
  readonly layer: LayerId;
  /** Null where the rule is about the layer as a whole. */
  readonly tap: Tap | null;
  readonly severity: Severity;
  /** First step of this spell. */
  readonly since: number;
  /**
   * Newest step in which the rule spoke. The figures below are of it; where the alert names one
   * layer for several, they are of the step in which it was opened.
   */
  readonly last: number;
  /** False once the rule was silent for some captured steps. */
  readonly active: boolean;
  /** Captured steps of this spell in which the rule spoke. */
  readonly steps: number;
  /** In the unit of {@link ALERT_UNITS}; null where there is nothing to measure. */
  readonly value: number | null;
  /** What the value is compared with, in the same unit. */
  readonly limit: number | null;
  /** The worst feature. */
  readonly feature: number | null;
  /** How many features (for `eps-dominated`: features, rows or samples) it is about. */
  readonly features: number | null;
  /** The worst row, where rows and not features are normalized. */
  readonly row: number | null;
  /** How many layers it is about, where the alert names the one at which it begins. */
  readonly layers: number | null;
  /** The layer that this one is compared with. */
  readonly other: LayerId | null;
}

/** `percent`: a share from 0 to 1 that is shown times 100; `deviations`: in standard deviations. */
export type AlertUnit = 'count' | 'percent' | 'number' | 'deviations' | 'factor';

/** Unit of an alert's value and limit. */
export const ALERT_UNITS: Readonly<Record<RuleId, AlertUnit>> = {
  nonfinite: 'count',
  exploding: 'factor',
  'vanishing-gradient': 'number',
  'gradient-imbalance': 'factor',
  'dead-feature': 'percent',
  'eps-dominated': 'percent',
  saturated: 'percent',
  drift: 'deviations',
  'bn-train-eval-gap': 'deviations',
  'bn-small-batch': 'count',
  'bn-batch-of-one': 'count',
  'bn-eval-while-training': 'count',
  'bn-axis-mistake': 'count',
  'padding-in-statistics': 'percent',
  'gain-collapse': 'percent',
  headroom: 'percent',
  'fast-variance-cancellation': 'factor',
  'rank-spread': 'deviations',
};
