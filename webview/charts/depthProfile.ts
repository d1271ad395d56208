import { scaleLinear, scaleLog } from 'd3-scale';
import { formatTick } from '../format';
import type { Numbers } from '../state/viewData';
import { toCss } from '../theme/colour';
import type { Palette } from '../theme/palette';
import { widened, type Range } from './axes';
import type { Context2d, Draw, Surface } from './canvas';
import { rowSpan, type ModelRow, type RowLayout } from './modelRows';
import { drawGutter } from './rowGutter';
import { isDrawable, isPowerOfTen, toneOf, type Tone } from './seriesGeometry';

/** One figure of every layer. */
export interface DepthLine {
  readonly tone: Tone;
  /** By layer, in model order. */
  readonly values: Numbers;
}

export interface DepthProfileProps {
  readonly rows: readonly ModelRow[];
  readonly layout: RowLayout;
  /** Width of the labels at the left; 0 where another chart has them. */
  readonly gutter: number;
  readonly lines: readonly DepthLine[];
  /** What sampling alone makes of the figures, by layer. */
  readonly band?: Numbers;
  readonly log: boolean;
  /** Ends of the value axis, but for what lies beyond them at this step. */
  readonly extent: Range | undefined;
  /** A value to compare with. */
  readonly reference?: number;
  /** What the value axis counts; empty for a plain number. */
  readonly unit: string;
  readonly selectedRow: number;
}

/** Room for the value axis above the rows, and beside the plot, in CSS pixels. */
export const AXIS_ROOM = 22;
const INSET = 8;
const RIGHT = 14;
/** Rows at least this tall have a mark at each value. */
const MARKED_FROM = 8;
const TICK_ROOM = 58;
const MARK = 3;

/** The value that stands for a row: of a collapsed group the largest. */
export function rowValue(values: Numbers, { layers }: ModelRow): number {
  return layers.reduce((largest, layer) => {
    const value = values[layer] ?? NaN;
    return Number.isNaN(largest) || value > largest ? value : largest;
  }, NaN);
}

const smallestOf = (values: Numbers, { layers }: ModelRow): number =>
  layers.reduce((smallest, layer) => {
    const value = values[layer] ?? NaN;
    return Number.isNaN(smallest) || value < smallest ? value : smallest;
  }, NaN);

/** Ends of the value axis: of the whole run, and of what is drawn. */
export function depthRange(
  props: Pick<DepthProfileProps, 'lines' | 'extent' | 'log' | 'reference'>,
): [number, number] {
  const { lines, extent, log, reference } = props;
  let [low, high] = [Infinity, -Infinity];
  const include = (value: number) => {
    if (!isDrawable(value, log)) return;
    low = Math.min(low, value);
    high = Math.max(high, value);
  };
  for (const { values } of lines) values.forEach(include);
  extent?.forEach(include);
  if (reference !== undefined) include(reference);
  if (!(low <= high)) return log ? [0.1, 1] : [0, 1];
  if (log) {
    const ends = [10 ** Math.floor(Math.log10(low)), 10 ** Math.ceil(Math.log10(high) + 1e-9)];
    return ends as [number, number];
  }
  const [from, to] = widened([Math.min(0, low), Math.max(0, high)]);
  return [from, to + (to - from) * 0.04];
}

/** Values across the plot, in either scale. */
interface ValueScale {
  (value: number): number;
  range(): number[];
  ticks(count?: number): number[];
}

function depthScale(props: DepthProfileProps, width: number): ValueScale {
  const across = [props.gutter + INSET, Math.max(props.gutter + INSET + 1, width - RIGHT)];
  const ends = depthRange(props);
  return props.log ? scaleLog(ends, across) : scaleLinear(ends, across);
}

function drawAxis(
  { context, width, height }: Surface,
  palette: Palette,
  props: DepthProfileProps,
  x: ValueScale,
): void {
  const [from = 0, to = 0] = x.range();
  const most = Math.max(2, Math.floor((to - from) / TICK_ROOM));
  const decades = props.log ? x.ticks().filter(isPowerOfTen) : [];
  const every = Math.max(1, Math.ceil(decades.length / most));
  const ticks = props.log ? decades.filter((_, i) => i % every === 0) : x.ticks(most);
  context.textBaseline = 'middle';
  context.textAlign = 'center';
  context.lineWidth = 1;
  for (const tick of ticks) {
    const at = Math.round(x(tick)) + 0.5;
    context.strokeStyle = toCss(palette.line);
    context.beginPath();
    context.moveTo(at, AXIS_ROOM - 4);
    context.lineTo(at, height);
    context.stroke();
    const label = formatTick(tick) + (tick === ticks.at(-1) ? props.unit : '');
    const half = context.measureText(label).width / 2;
    context.fillStyle = toCss(palette.dim);
    context.fillText(label, Math.max(props.gutter + half, Math.min(at, width - half)), 8);
  }
  if (props.reference === undefined) return;
  context.strokeStyle = toCss(palette.dim);
  context.setLineDash([3, 3]);
  context.beginPath();
  context.moveTo(Math.round(x(props.reference)) + 0.5, AXIS_ROOM - 4);
  context.lineTo(Math.round(x(props.reference)) + 0.5, height);
  context.stroke();
  context.setLineDash([]);
}

/** Square before, circle after, diamond for what is of both. */
function drawMark(context: Context2d, tone: Tone, x: number, y: number): void {
  context.beginPath();
  if (tone === 'before') context.rect(x - MARK, y - MARK, 2 * MARK, 2 * MARK);
  else if (tone === 'after') context.arc(x, y, MARK + 0.3, 0, 2 * Math.PI);
  else {
    context.moveTo(x, y - MARK - 1);
    context.lineTo(x + MARK + 1, y);
    context.lineTo(x, y + MARK + 1);
    context.lineTo(x - MARK - 1, y);
    context.closePath();
  }
  context.fill();
}

function drawLine(
  { context }: Surface,
  palette: Palette,
  { rows, layout, log }: DepthProfileProps,
  { tone, values }: DepthLine,
  x: ValueScale,
): void {
  const middle = (row: number) => {
    const [top, bottom] = rowSpan(layout, row);
    return AXIS_ROOM + (top + bottom) / 2;
  };
  const points = rows.map((row, i) => ({ value: rowValue(values, row), y: middle(i), row }));
  context.strokeStyle = toCss(toneOf(palette, tone), 0.75);
  context.lineWidth = 1.3;
  context.beginPath();
  let open = false;
  for (const { value, y } of points) {
    const isKnown = isDrawable(value, log);
    if (isKnown && open) context.lineTo(x(value), y);
    else if (isKnown) context.moveTo(x(value), y);
    open = isKnown;
  }
  context.stroke();
  context.fillStyle = toCss(toneOf(palette, tone));
  context.strokeStyle = toCss(toneOf(palette, tone), 0.5);
  for (const { value, y, row } of points) {
    if (!isDrawable(value, log)) continue;
    const smallest = smallestOf(values, row);
    if (row.layers.length > 1 && isDrawable(smallest, log)) {
      context.lineWidth = 3;
      context.beginPath();
      context.moveTo(x(smallest), y);
      context.lineTo(x(value), y);
      context.stroke();
    }
    if (layout.rowHeight >= MARKED_FROM) drawMark(context, tone, x(value), y);
  }
}

/** What sampling alone makes, from 0 on. */
function drawBand(
  { context }: Surface,
  palette: Palette,
  { rows, layout, band }: DepthProfileProps,
  x: ValueScale,
): void {
  if (!band) return;
  const [from = 0, to = 0] = x.range();
  context.fillStyle = toCss(palette.foreground, 0.12);
  rows.forEach((row, i) => {
    const floor = rowValue(band, row);
    if (!(floor > 0)) return;
    const [top, bottom] = rowSpan(layout, i);
    const next = layout.tops[i + 1] ?? bottom;
    context.fillRect(from, AXIS_ROOM + top, Math.min(to, x(floor)) - from, next - top);
  });
}

/** A figure of every layer at one step, the first layer at the top. */
export const drawDepthProfile =
  (props: DepthProfileProps): Draw =>
  (surface, palette) => {
    const { context, width } = surface;
    const { rows, layout, gutter, selectedRow } = props;
    const x = depthScale(props, width);
    if (selectedRow >= 0) {
      const [top, bottom] = rowSpan(layout, selectedRow);
      context.fillStyle = toCss(palette.foreground, 0.16);
      context.fillRect(gutter, AXIS_ROOM + top, width - gutter, Math.max(2, bottom - top));
    }
    drawBand(surface, palette, props, x);
    drawAxis(surface, palette, props, x);
    for (const line of props.lines) drawLine(surface, palette, props, line, x);
    if (gutter === 0) return;
    context.save();
    context.translate(0, AXIS_ROOM);
    drawGutter(surface, palette, rows, layout, gutter);
    context.restore();
  };
