import type { RuleId } from '../../protocol/alerts';
import type { DefinitionId } from '../../protocol/definitions';

/** The section of `media/definitions.md` that says how the figure of a rule is computed. */
export const RULE_DEFINITIONS: Readonly<Record<RuleId, DefinitionId>> = {
  nonfinite: 'value-classes',
  exploding: 'distribution',
  'vanishing-gradient': 'gradients',
  'gradient-imbalance': 'gradients',
  'dead-feature': 'dead-features',
  'eps-dominated': 'rows',
  saturated: 'saturation',
  drift: 'drift',
  'bn-train-eval-gap': 'eval-shift',
  'bn-small-batch': 'running-statistics',
  'bn-batch-of-one': 'running-statistics',
  'bn-eval-while-training': 'running-statistics',
  'bn-axis-mistake': 'features',
  'padding-in-statistics': 'rows',
  'gain-collapse': 'parameters',
  headroom: 'value-classes',
  'fast-variance-cancellation': 'distribution',
  'rank-spread': 'features',
};
