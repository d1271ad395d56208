import { RULES } from '../../protocol/alerts';
import type { TensorBreakpoint } from '../../protocol/tensorBreakpoints';
import { NO_CONDITION } from './condition';

/** A breakpoint as a process is judged by it: of a filter, or of one layer that the person chose. */
export interface JudgedBreakpoint extends TensorBreakpoint {
  /** The exact name of the layer that it is about; without it the condition alone says which. */
  readonly layer?: string;
}

/** NaN and infinite values stop as they come; their rule would do so once more at the step's end. */
const STEP_RULES = RULES.filter((rule) => rule !== 'nonfinite');

/**
 * What stops at the layers of these names: values that are not finite at any of their taps, at once,
 * and every rule that speaks of them, after the step.
 */
export function layerBreakpoints(names: Iterable<string>): readonly JudgedBreakpoint[] {
  return [...names].flatMap((layer): readonly JudgedBreakpoint[] => [
    { filter: 'nonfinite', condition: NO_CONDITION, layer },
    { filter: 'rule', condition: { ...NO_CONDITION, rules: STEP_RULES }, layer },
  ]);
}

/**
 * The breakpoints that can stop a process with these layers: those of layers which it has not are
 * none, so that nothing is looked at for them.
 *
 * @param known - names of the process's layers; empty while it has not told them, when any may come
 */
export function breakpointsFor(
  breakpoints: readonly JudgedBreakpoint[],
  known: ReadonlySet<string>,
): readonly JudgedBreakpoint[] {
  if (known.size === 0) return breakpoints;
  return breakpoints.filter(({ layer }) => layer === undefined || known.has(layer));
}
