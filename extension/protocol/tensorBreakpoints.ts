import type { Alert, RuleId } from './alerts';
import type { LayerId } from './ids';
import type { Tap } from './layers';

/** What a program can be stopped for, as a filter of the Breakpoints view. */
export const TENSOR_FILTERS = [
  'nonfinite',
  'dead-feature',
  'drift',
  'saturated',
  'gradient',
  'bn-train-eval-gap',
  'rule',
] as const;
export type TensorFilter = (typeof TENSOR_FILTERS)[number];

/** Kinds of values that are not finite. */
export const NON_FINITE = ['nan', '+inf', '-inf'] as const;
export type NonFinite = (typeof NON_FINITE)[number];

/** What a filter's condition narrows it to; see the README for how it is written. */
export interface TensorCondition {
  /** Patterns of layer names, with `*` for any text and `?` for any character; empty for all. */
  readonly layers: readonly string[];
  /** Empty for all. */
  readonly taps: readonly Tap[];
  /** The figure must be above or below; null: the rule of that name decides. */
  readonly above: number | null;
  readonly below: number | null;
  /** Steps up to this one do not stop. */
  readonly after: number;
  /** Stops at the nth step in which a layer fulfils the rest. */
  readonly hits: number;
  /** Values that are no reason to stop. */
  readonly allow: readonly NonFinite[];
  /** For the filter `rule`; empty for all. */
  readonly rules: readonly RuleId[];
}

/** A filter that is switched on. */
export interface TensorBreakpoint {
  readonly filter: TensorFilter;
  readonly condition: TensorCondition;
}

interface Stop {
  readonly filter: TensorFilter;
  readonly layer: LayerId;
  /** The layer's name. */
  readonly name: string;
  /** Null where it is about the layer as a whole. */
  readonly tap: Tap | null;
  readonly step: number;
}

/** How many values of a tensor are not finite, and where. */
export interface NonFiniteFigures {
  readonly nan: number;
  readonly positiveInfinity: number;
  readonly negativeInfinity: number;
  readonly elements: number;
  /** The first samples and features that have such values; few. */
  readonly samples: readonly number[];
  readonly features: readonly number[];
}

/** NaN or infinite values, found as they arose. */
export interface NonFiniteStop extends Stop {
  readonly why: 'nonfinite';
  readonly tap: Tap;
  readonly found: NonFiniteFigures;
}

/** A rule speaks. */
export interface RuleStop extends Stop {
  readonly why: 'rule';
  readonly alert: Alert;
}

/** A figure is beyond the number that the condition gives. */
export interface ThresholdStop extends Stop {
  readonly why: 'above' | 'below';
  readonly value: number;
  readonly limit: number;
}

/** Why a program was stopped. */
export type TensorStop = NonFiniteStop | RuleStop | ThresholdStop;
