import { scaleLinear, scaleLog } from 'd3-scale';
import { formatTick } from '../format';
import type { Numbers } from '../state/viewData';
import { toCss } from '../theme/colour';
import type { Palette } from '../theme/palette';
import { drawBottomTicks, GUTTER, TITLE_ROOM, widened, type Range } from './axes';
import { Canvas, type Draw, type Surface } from './canvas';
import { drawClassBars, roomForClasses, type ValueClass } from './classBars';
import type { Side } from './figure';
import { isPowerOfTen, TICK_SPACE } from './seriesGeometry';

export interface HistogramProps {
  readonly side: Side;
  readonly range: Range;
  /** Density per unit of value over the range. */
  readonly density: Numbers;
  /** Values that the density is of. */
  readonly total: number;
  /** Kinds of values with a bar of their own. */
  readonly classes: readonly ValueClass[];
  readonly log: boolean;
  /** What the axes count. */
  readonly titles: readonly [across: string, up: string];
}

/** Counts of the cells: a density is per unit of value and sums to 1. */
export function cellCounts({ density, range, total }: HistogramProps): Float64Array {
  const cell = (range[1] - range[0]) / density.length;
  return Float64Array.from(density, (value) => value * cell * total);
}

/** Counts from below 1 (log) or 0 (linear) to the highest bar, on an axis that all bars share. */
function countScale(most: number, log: boolean, bottom: number, top: number) {
  if (!log) return scaleLinear([0, Math.max(1, most) * 1.04], [bottom, top]);
  return scaleLog([0.5, Math.max(10, most) * 1.3], [bottom, top]).clamp(true);
}

function paintHistogram(surface: Surface, palette: Palette, props: HistogramProps): void {
  const { side, range, density, classes, log, titles } = props;
  const { context, height } = surface;
  const counts = cellCounts(props);
  const known = [...counts, ...classes.map(({ count }) => count)].filter(Number.isFinite);
  const bottom = height - GUTTER.bottom;
  const y = countScale(Math.max(0, ...known), log, bottom, TITLE_ROOM);
  const width = surface.width - roomForClasses(classes);
  const plot: Surface = { ...surface, width };
  const x = scaleLinear(widened(range), [GUTTER.left, width - GUTTER.right]);

  context.lineWidth = 1;
  context.strokeStyle = toCss(palette.line);
  context.fillStyle = toCss(palette.dim);
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  const ticks = log
    ? y.ticks().filter(isPowerOfTen)
    : y.ticks(Math.max(2, Math.floor(height / TICK_SPACE.y)));
  for (const tick of ticks) {
    const at = Math.round(y(tick)) + 0.5;
    context.beginPath();
    context.moveTo(GUTTER.left, at);
    context.lineTo(surface.width - GUTTER.right, at);
    context.stroke();
    context.fillText(formatTick(tick), GUTTER.left - 6, at);
  }
  context.textAlign = 'left';
  context.textBaseline = 'top';
  context.fillText(titles[1], 0, 0);

  const pitch = (width - GUTTER.left - GUTTER.right) / density.length;
  context.fillStyle = toCss(palette[side], 0.75);
  counts.forEach((count, i) => {
    if (!(count > 0)) return;
    const top = Math.min(bottom, y(count));
    context.fillRect(GUTTER.left + i * pitch, top, Math.max(0.5, pitch - 0.5), bottom - top);
  });
  drawBottomTicks(plot, palette, x, titles[0]);
  drawClassBars(surface, palette, classes, side, { left: width, bottom, y });
}

export const drawHistogram =
  (props: HistogramProps): Draw =>
  (surface, palette) =>
    paintHistogram(surface, palette, props);

/** How many values are where, and how many are of a kind that has no place on the axis. */
export function Histogram(props: HistogramProps) {
  return <Canvas draw={drawHistogram(props)} />;
}
