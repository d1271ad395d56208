import { scaleLinear, type ScaleLinear } from 'd3-scale';
import { formatTick } from '../format';
import { toCss } from '../theme/colour';
import type { Palette } from '../theme/palette';
import type { Surface } from './canvas';

export type Range = readonly [low: number, high: number];

/** Room for tick labels left of and below the plot, in CSS pixels; the same in every chart. */
export const GUTTER = { left: 46, bottom: 20, top: 8, right: 10 } as const;

/** Room above the plot where the value axis has a title. */
export const TITLE_ROOM = 20;

export interface Frame {
  readonly x: ScaleLinear<number, number>;
  readonly y: ScaleLinear<number, number>;
}

/** Scales that map two ranges of values onto the plot area of a surface. */
export function frameOf(
  { width, height }: Pick<Surface, 'width' | 'height'>,
  xRange: Range,
  yRange: Range,
  top: number = GUTTER.top,
): Frame {
  return {
    x: scaleLinear(widened(xRange), [GUTTER.left, width - GUTTER.right]),
    y: scaleLinear(widened(yRange), [height - GUTTER.bottom, top]),
  };
}

/** A range that is not empty, whatever came in. */
export function widened([low, high]: Range): [number, number] {
  if (!Number.isFinite(low) || !Number.isFinite(high)) return [-1, 1];
  if (high > low) return [low, high];
  const half = Math.abs(low) * 0.05 || 1;
  return [low - half, low + half];
}

/** Values to mark on a horizontal axis of this width. */
export const bottomTicks = (width: number, x: ScaleLinear<number, number>): number[] =>
  x.ticks(Math.max(2, Math.min(8, Math.floor((width - GUTTER.left) / 56))));

/** Tick labels under the plot, and at the right end what the axis counts. */
export function drawBottomTicks(
  { context, width, height }: Surface,
  palette: Palette,
  x: ScaleLinear<number, number>,
  title: string,
): void {
  context.fillStyle = toCss(palette.dim);
  context.textBaseline = 'top';
  const top = height - GUTTER.bottom + 5;
  context.textAlign = 'right';
  context.fillText(title, width - GUTTER.right, top);
  const end = width - GUTTER.right - context.measureText(title).width - 8;
  context.textAlign = 'center';
  for (const tick of bottomTicks(width, x)) {
    const label = formatTick(tick);
    if (x(tick) + context.measureText(label).width / 2 <= end) {
      context.fillText(label, x(tick), top);
    }
  }
}

/** Quiet horizontal lines with their values at the left. */
export function drawLeftTicks(
  { context, width, height }: Surface,
  palette: Palette,
  y: ScaleLinear<number, number>,
): void {
  context.strokeStyle = toCss(palette.line);
  context.fillStyle = toCss(palette.dim);
  context.lineWidth = 1;
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  for (const tick of y.ticks(Math.max(2, Math.floor(height / 26)))) {
    const at = Math.round(y(tick)) + 0.5;
    context.beginPath();
    context.moveTo(GUTTER.left, at);
    context.lineTo(width - GUTTER.right, at);
    context.stroke();
    context.fillText(formatTick(tick), GUTTER.left - 6, at);
  }
}
