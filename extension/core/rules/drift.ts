import { found, type Finding } from './finding';

/** A drift that is not this many times what sampling alone gives says nothing. */
const ABOVE_FLOOR = 2;

/**
 * Rule `drift`: from one captured step to the next the feature means of x move by more than half a
 * standard deviation (root mean square; Santurkar et al. 2018, Fig. 8, see `momentDrift.ts`), and
 * by more than twice of what samples alone make of it (`nullFloors.ts`), in several captured steps
 * in a row. Half a deviation in every step is far from what a learning network does: the examples
 * are below 0.55 in their first steps, with a floor of 0.35, and below 0.2 later.
 */
export function drift(value: number, floor: number, limit: number): Finding | undefined {
  if (!(value >= limit) || !(value >= ABOVE_FLOOR * floor)) return undefined;
  return found('warning', { tap: 'pre', value, limit: Math.max(limit, ABOVE_FLOOR * floor) });
}
