import { toCss } from '../theme/colour';
import type { Palette } from '../theme/palette';
import { GUTTER } from './axes';
import type { Surface } from './canvas';
import type { Side } from './figure';

/** Values of one kind: NaN, infinite, zero, subnormal. */
export interface ValueClass {
  /** Written under the bar. */
  readonly label: string;
  readonly count: number;
  /** Any at all wants attention. */
  readonly alarming: boolean;
}

const PITCH = 27;
const BAR = 13;
/** A bar of few values among many is still seen. */
const LEAST = 3;
const HATCH = 4;

/** Width that the bars take at the right of a histogram. */
export const roomForClasses = (classes: readonly ValueClass[]): number =>
  classes.length === 0 ? 0 : classes.length * PITCH + 8;

interface BarFrame {
  readonly left: number;
  readonly bottom: number;
  readonly y: (count: number) => number;
}

/** Bars of their own on the histogram's count axis; those that want attention hatched, with a mark. */
export function drawClassBars(
  { context }: Surface,
  palette: Palette,
  classes: readonly ValueClass[],
  side: Side,
  { left, bottom, y }: BarFrame,
): void {
  if (classes.length === 0) return;
  context.fillStyle = toCss(palette.line);
  context.fillRect(left + 1, GUTTER.top, 1, bottom - GUTTER.top + 14);
  context.textAlign = 'center';
  classes.forEach(({ label, count, alarming }, i) => {
    const middle = left + 8 + (i + 0.5) * PITCH;
    context.textBaseline = 'top';
    context.fillStyle = toCss(count > 0 ? palette.foreground : palette.dim);
    context.fillText(label, middle, bottom + 5);
    if (!(count > 0)) return;
    const top = Math.min(bottom - LEAST, y(count));
    const x = middle - BAR / 2;
    context.fillStyle = toCss(palette[side], alarming ? 0.25 : 0.6);
    context.fillRect(x, top, BAR, bottom - top);
    if (!alarming) return;
    context.save();
    context.beginPath();
    context.rect(x, top, BAR, bottom - top);
    context.clip();
    context.strokeStyle = toCss(palette.foreground);
    context.lineWidth = 1;
    context.beginPath();
    for (let at = top - BAR; at < bottom; at += HATCH) {
      context.moveTo(x, at + BAR);
      context.lineTo(x + BAR, at);
    }
    context.stroke();
    context.restore();
    context.strokeStyle = toCss(palette.foreground);
    context.strokeRect(x + 0.5, top + 0.5, BAR - 1, Math.max(1, bottom - top - 1));
    context.fillStyle = toCss(palette.foreground);
    context.textBaseline = 'bottom';
    context.fillText('!', middle, top - 1);
  });
}
