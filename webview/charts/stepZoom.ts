import type { StepRange } from '../../extension/protocol/stepChoice';

/** Fewest steps that a zoom shows. */
const FEWEST = 2;
/** A range that leaves out no more than this share of the run shows all of it. */
const NEARLY_ALL = 0.005;

/** Steps within the run, in order and whole; null when they are all of it. */
function within(first: number, last: number, [start, end]: StepRange): StepRange | null {
  const range: StepRange = [
    Math.max(start, Math.round(Math.min(first, end))),
    Math.min(end, Math.round(Math.max(last, start))),
  ];
  return end - start - (range[1] - range[0]) <= NEARLY_ALL * (end - start) ? null : range;
}

/**
 * The range in which `around` stays where it is and everything is `factor` times as wide; below 1
 * shows fewer steps. Null: the whole run.
 */
export function zoomed(
  range: StepRange,
  factor: number,
  around: number,
  whole: StepRange,
): StepRange | null {
  const [first, last] = range;
  const length = Math.max(FEWEST, (last - first) * factor);
  const share = last > first ? (around - first) / (last - first) : 0.5;
  return within(around - share * length, around + (1 - share) * length, whole);
}

/** The range moved by so many steps, as far as the run reaches; as long as it was. */
export function panned(range: StepRange, by: number, whole: StepRange): StepRange | null {
  const shift = Math.min(whole[1] - range[1], Math.max(whole[0] - range[0], Math.round(by)));
  return within(range[0] + shift, range[1] + shift, whole);
}

/** From one step to another, in either order. Null: the whole run. */
export const between = (a: number, b: number, whole: StepRange): StepRange | null =>
  within(Math.min(a, b), Math.max(a, b), whole);
