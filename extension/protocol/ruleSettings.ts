import { RULES, type RuleId } from './alerts';

/** A rule's threshold: its name among the settings, and what it is there unless it is set. */
interface Threshold {
  readonly setting: string;
  /** As the person writes it: in percent where the rule compares shares. */
  readonly preset: number;
  /** A setting of this many is 1 of the rule's own unit. */
  readonly per: number;
}

const plain = (setting: string, preset: number): Threshold => ({ setting, preset, per: 1 });
const percent = (setting: string, preset: number): Threshold => ({ setting, preset, per: 100 });

/** Of all rules that compare something. Where each number comes from stands at the rule. */
export const THRESHOLDS = {
  exploding: plain('explodingFactor', 100),
  'vanishing-gradient': plain('vanishingGradientSize', 1e-7),
  'gradient-imbalance': plain('gradientImbalanceFactor', 1000),
  'dead-feature': percent('deadFeaturePercent', 1),
  'eps-dominated': percent('epsDominatedPercent', 10),
  saturated: percent('saturatedPercent', 50),
  drift: plain('driftDeviations', 0.5),
  'bn-train-eval-gap': plain('trainEvalGapDeviations', 1),
  'bn-small-batch': plain('smallBatchSamples', 8),
  'padding-in-statistics': percent('paddingPercent', 5),
  'gain-collapse': percent('gainCollapsePercent', 10),
  headroom: percent('headroomPercent', 50),
  'fast-variance-cancellation': plain('cancellationFactor', 1000),
  'rank-spread': plain('rankSpreadDeviations', 0.5),
} as const satisfies Partial<Record<RuleId, Threshold>>;

export type LimitedRule = keyof typeof THRESHOLDS;
const LIMITED = Object.keys(THRESHOLDS) as LimitedRule[];

/** In each rule's own unit (see `ALERT_UNITS`). */
export type RuleLimits = Readonly<Record<LimitedRule, number>>;

export interface RuleSettings {
  /** Rules that are not to speak. */
  readonly off: readonly RuleId[];
  readonly limits: RuleLimits;
}

/** Name of the setting that turns rules off. */
export const RULES_OFF = 'off';

/**
 * Settings as a person writes them. What is no rule is left out, and what is no number above 0
 * leaves the threshold as it is.
 *
 * @param read - the value of a setting by its name, which may be anything
 */
export function parseRuleSettings(read: (setting: string) => unknown): RuleSettings {
  const off = read(RULES_OFF);
  const named: readonly unknown[] = Array.isArray(off) ? off : [];
  const limitOf = ({ setting, preset, per }: Threshold): number => {
    const value = read(setting);
    return (
      (typeof value === 'number' && value > 0 && Number.isFinite(value) ? value : preset) / per
    );
  };
  return {
    off: RULES.filter((rule) => named.includes(rule)),
    limits: Object.fromEntries(
      LIMITED.map((rule) => [rule, limitOf(THRESHOLDS[rule])]),
    ) as unknown as RuleLimits,
  };
}

export const DEFAULT_RULES: RuleSettings = parseRuleSettings(() => undefined);
