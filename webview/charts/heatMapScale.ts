import { quantileSorted } from 'd3-array';
import type { Numbers } from '../state/viewData';

/** How a value becomes a colour: its place between two limits. */
export interface HeatScale {
  readonly log: boolean;
  readonly low: number;
  readonly high: number;
  /** The largest value that is there; above `high` where a few lie far out. */
  readonly largest: number;
}

/** Share of values that may lie beyond each limit: a single spike must not flatten the rest. */
const OUTLYING = 0.005;
/** How far beyond the usual the largest may lie without being cut off. */
const TOLERATED = 2.5;
/** Most decades of a logarithmic scale. */
const DECADES = 6;
/** Values that limits are taken from at most. */
const SAMPLE = 20_000;

function sampled(values: Numbers, log: boolean): number[] {
  const stride = Math.max(1, Math.floor(values.length / SAMPLE));
  const chosen = new Float64Array(Math.ceil(values.length / stride));
  let count = 0;
  for (let i = 0; i < values.length; i += stride) {
    const value = values[i] as number;
    if (Number.isFinite(value) && (!log || value > 0)) chosen[count++] = value;
  }
  // Numbers in an array of their own are sorted as numbers, and fast.
  return Array.from(chosen.subarray(0, count).sort());
}

function largestOf(values: Numbers): number {
  let largest = -Infinity;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (value > largest && value < Infinity) largest = value;
  }
  return largest;
}

/** The floor of most layers; 0 where there is none. */
const usualFloor = (floors: Numbers): number => {
  const known = Array.from(floors).filter((floor) => floor > 0);
  return (
    quantileSorted(
      known.sort((a, b) => a - b),
      0.5,
    ) ?? 0
  );
};

/** How far a scale reaches above the floor at least, as a factor: little above it is no alarm. */
const ABOVE_FLOOR = 4;

/**
 * Limits of a colour scale; undefined where there is no value to show.
 * @param fromZero - whether a linear scale begins at 0
 * @param floors - what sampling alone makes: the scale begins there
 */
export function heatScale(
  values: Numbers,
  log: boolean,
  fromZero: boolean,
  floors: Numbers = new Float32Array(0),
): HeatScale | undefined {
  const largest = largestOf(values);
  const sorted = sampled(values, log);
  const usual = quantileSorted(sorted, 1 - OUTLYING);
  // A figure that is 0 everywhere has nothing to show on a logarithmic scale.
  if (usual === undefined) return largest > -Infinity ? heatScale(values, false, true) : undefined;
  const floor = usualFloor(floors);
  const high = Math.max(largest <= usual * TOLERATED ? largest : usual, floor * ABOVE_FLOOR);
  const lowest = quantileSorted(sorted, OUTLYING) ?? 0;
  const limits = { log, high, largest };
  if (floor > 0) return { ...limits, low: floor };
  if (log) return { ...limits, low: Math.max(lowest, high / 10 ** DECADES) };
  return { ...limits, low: fromZero ? Math.min(0, lowest) : lowest };
}

/** Place of a value from 0 (low) to 1 (high); outside that where it lies beyond a limit. */
export type Placing = (value: number) => number;

/** For many values of one scale. */
export function placing({ log, low, high }: HeatScale): Placing {
  if (high <= low) return (value) => (value > high ? 2 : high > 0 ? 0.5 : 0);
  if (!log) return (value) => (value - low) / (high - low);
  const decades = Math.log(high / low);
  return (value) => (value <= 0 ? -1 : Math.log(value / low) / decades);
}

export const placeOf = (value: number, scale: HeatScale): number => placing(scale)(value);

/** Index of a colour: what is not measured, what sampling alone makes, the ramp, what lies beyond. */
export const NOT_MEASURED = 0;
export const NEUTRAL = 1;
export const RAMP_START = 2;
export const RAMP_END = 254;
export const BEYOND = 255;

/** Index of a value's colour; a larger value never has a smaller one. */
export function colourIndex(value: number, floor: number, place: Placing): number {
  if (Number.isNaN(value)) return NOT_MEASURED;
  if (value <= floor) return NEUTRAL;
  const at = place(value);
  if (at > 1 + 1e-6) return BEYOND;
  return Math.round(RAMP_START + Math.min(1, Math.max(0, at)) * (RAMP_END - RAMP_START));
}
