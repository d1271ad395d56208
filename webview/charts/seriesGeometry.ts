import { formatCount, formatTick } from '../format';
import type { Rgb } from '../theme/colour';
import type { Palette } from '../theme/palette';
import { GUTTER, TITLE_ROOM, type Range } from './axes';
import { bandLimit } from './ranges';

/** What the chart on the screen and its drawing for PNG and SVG share. */

export type Tone = 'before' | 'after' | 'foreground';

export interface LineStyle {
  readonly tone: Tone;
  /** Written at the line's end. */
  readonly label: string;
}

export const LINE_WIDTH = 1.4;
export const BAND_ALPHA = 0.14;
export const SELECTED_ALPHA = 0.55;
/** Least distance of two labels at the lines' ends, in CSS pixels. */
export const LABEL_HEIGHT = 13;
/** From the plot to those labels, in CSS pixels. */
export const LABEL_GAP = 6;
/** Room for one tick label of each axis, in CSS pixels. */
export const TICK_SPACE = { x: 64, y: 26 } as const;

export const toneOf = (palette: Palette, name: Tone): Rgb => palette[name];
export const textToneOf = (palette: Palette, name: Tone): Rgb =>
  name === 'foreground' ? palette.foreground : palette[`${name}Text`];

/** Room above the plot: for the unit where there is one. */
export const roomAbove = (unit: string): number => (unit === '' ? GUTTER.top : TITLE_ROOM);

/** Room for the labels at the lines' ends: letters differ, and those of other scripts are wider. */
export const roomForLabels = (
  lines: readonly LineStyle[],
  measure: (label: string) => number,
): number => Math.max(0, ...lines.map(({ label }) => measure(label))) + LABEL_GAP + 4;

interface ValueAxis {
  readonly log: boolean;
  /** The axis includes 0. */
  readonly zero: boolean;
}

/**
 * Ends of the value axis for curves from `low` to `high` and a band up to `band` (−∞ where there
 * is none).
 */
export function valueEnds(
  { log, zero }: ValueAxis,
  low: number,
  high: number,
  band: number,
): [number, number] {
  const limit = bandLimit(high);
  if (band > limit) return [Math.min(0, low), limit];
  const most = Math.max(high, band);
  if (!Number.isFinite(low) || !Number.isFinite(most)) return log ? [0.1, 1] : [0, 1];
  if (log) return [10 ** Math.floor(Math.log10(low)), 10 ** Math.ceil(Math.log10(most) + 1e-9)];
  const from = zero ? Math.min(0, low) : low;
  const to = zero ? Math.max(0, most) : most;
  const margin = (to - from || Math.abs(to) * 0.1 || 1) * 0.08;
  return [zero && from === 0 ? 0 : from - margin, zero && to === 0 ? 0 : to + margin];
}

/** Ends of the step axis: not empty where there is one step only. */
export const stepEnds = (first: number, last: number): Range =>
  last > first ? [first, last] : [first - 1, first + 1];

/** The same where the person has zoomed: the part of the run that is shown. */
export const shownSteps = (range: Range | null, first: number, last: number): Range =>
  range ?? stepEnds(first, last);

/** Whether a value has a place on the axis: a logarithmic one has none for 0 and below. */
export const isDrawable = (value: number, log: boolean): boolean =>
  Number.isFinite(value) && (!log || value > 0);

/** Of a logarithmic axis only the powers of ten are marked. */
export function isPowerOfTen(value: number): boolean {
  const power = Math.log10(value);
  return Math.abs(power - Math.round(power)) < 1e-9;
}

/** Where a line leaves the plot on the right: between two steps where it goes on beyond; NaN for none. */
export function valueAtEnd(
  steps: ArrayLike<number>,
  values: ArrayLike<number | null | undefined>,
  end: number,
): number {
  let behind: readonly [step: number, value: number] | undefined;
  for (let i = values.length - 1; i >= 0; i--) {
    const [step, value] = [steps[i] ?? NaN, values[i] ?? NaN];
    if (!Number.isFinite(value)) continue;
    if (step > end) behind = [step, value];
    else if (!behind) return value;
    else return value + ((behind[1] - value) * (end - step)) / (behind[0] - step);
  }
  return behind ? behind[1] : NaN;
}

export const stepLabel = formatCount;
export const valueLabel = formatTick;

/**
 * Heights of labels that stand as near as they can to where they belong, apart from one another and
 * within the plot; in the order of `wanted`, which ascends.
 */
export function spread(
  wanted: readonly number[],
  top: number,
  bottom: number,
  height: number,
): number[] {
  let floor = top + height / 4;
  return wanted.map((y, i) => {
    const below = (wanted.length - 1 - i) * height;
    const at = Math.min(Math.max(y, floor), bottom - below);
    floor = at + height;
    return at;
  });
}
