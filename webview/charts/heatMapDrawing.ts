import { extent } from 'd3-array';
import { scaleLinear, type ScaleLinear } from 'd3-scale';
import { formatCount, formatNumber } from '../format';
import { finite, type Numbers } from '../state/viewData';
import { toCss } from '../theme/colour';
import type { Palette } from '../theme/palette';
import { widened, type Range } from './axes';
import type { Surface } from './canvas';
import { stepScale } from './heatMapGeometry';
import { heatColours, heatImage } from './heatMapImage';
import { drawLegend, type LegendWords } from './heatMapLegend';
import { drawMarks, type HeatMark } from './heatMapMarks';
import type { HeatScale } from './heatMapScale';
import { APART_FROM, ROW_GAP, type ModelRow, type RowLayout } from './modelRows';
import { drawGutter } from './rowGutter';

/** What a heat map shows. */
export interface HeatMapData {
  readonly rows: readonly ModelRow[];
  readonly layout: RowLayout;
  /** Width of the labels at the left. */
  readonly gutter: number;
  readonly steps: Numbers;
  /** Where columns meet. */
  readonly edges: Float64Array;
  /** By column. */
  readonly loss: Numbers;
  /** [layers · columns], by `cellColours`. */
  readonly cells: Uint8Array;
  /** Undefined where there is nothing to show. */
  readonly scale: HeatScale | undefined;
  readonly marks: readonly HeatMark[];
  readonly words: LegendWords & { readonly loss: string; readonly step: string };
}

export const RIGHT = 14;
export const LOSS_HEIGHT = 64;
export const AXIS_HEIGHT = 20;
export const FOOT_HEIGHT = AXIS_HEIGHT + 26;
const LOSS_TOP = 8;
const LOSS_BOTTOM = 8;
const HATCH = 6;

export const plotOf = (width: number, gutter: number): Range => [
  gutter,
  Math.max(gutter + 1, width - RIGHT),
];

export const stepsOf = (
  width: number,
  { edges, gutter }: HeatMapData,
): ScaleLinear<number, number> => stepScale(edges, plotOf(width, gutter));

/** The mean loss of each column, on the same steps as the map below it. */
export function drawLoss(surface: Surface, palette: Palette, data: HeatMapData): void {
  const { context, width, height } = surface;
  const { edges, loss, gutter, words } = data;
  const x = stepsOf(width, data);
  const [low, high] = extent(finite(loss));
  context.textBaseline = 'middle';
  context.textAlign = 'left';
  context.fillStyle = toCss(palette.foreground);
  context.fillText(words.loss, 0, height / 2);
  if (low === undefined || high === undefined) return;
  const y = scaleLinear(widened([low, high]), [height - LOSS_BOTTOM, LOSS_TOP]);
  context.fillStyle = toCss(palette.dim);
  context.textAlign = 'right';
  context.fillText(formatNumber(high), gutter - 8, LOSS_TOP + 1);
  if (high > low) context.fillText(formatNumber(low), gutter - 8, height - LOSS_BOTTOM);
  context.strokeStyle = toCss(palette.foreground, 0.8);
  context.lineWidth = 1.3;
  context.beginPath();
  let open = false;
  loss.forEach((value: number, i: number) => {
    const isKnown = Number.isFinite(value);
    const middle = x(((edges[i] as number) + (edges[i + 1] as number)) / 2);
    if (isKnown && open) context.lineTo(middle, y(value));
    else if (isKnown) context.moveTo(middle, y(value));
    open = isKnown;
  });
  context.stroke();
}

/** Fine slanted lines: the ground on which nothing is measured. */
export function drawHatch({ context }: Surface, palette: Palette, box: DOMRectReadOnly): void {
  context.save();
  context.beginPath();
  context.rect(box.x, box.y, box.width, box.height);
  context.clip();
  context.strokeStyle = toCss(palette.dim, 0.35);
  context.lineWidth = 1;
  context.beginPath();
  for (let at = -box.height; at < box.width; at += HATCH) {
    context.moveTo(box.x + at, box.y + box.height);
    context.lineTo(box.x + at + box.height, box.y);
  }
  context.stroke();
  context.restore();
}

function drawImage({ context, width }: Surface, palette: Palette, data: HeatMapData): void {
  const { rows, layout, edges, cells, gutter } = data;
  const [left, right] = plotOf(width, gutter);
  const across = Math.round(right - left);
  const image = heatImage(cells, rows, layout, edges, across, heatColours(palette));
  const canvas = document.createElement('canvas');
  canvas.width = image.width;
  canvas.height = image.height;
  canvas.getContext('2d')?.putImageData(image, 0, 0);
  context.imageSmoothingEnabled = false;
  context.drawImage(canvas, left, 0, right - left, layout.height);
}

/** Between rows there is nothing that could be measured. */
function clearGaps(
  { context }: Surface,
  palette: Palette,
  { tops, rowHeight }: RowLayout,
  [left, right]: Range,
): void {
  context.fillStyle = toCss(palette.background);
  for (let row = 0; row < tops.length - 1; row++) {
    const end = (tops[row] ?? 0) + rowHeight - ROW_GAP;
    context.fillRect(left, end, right - left, (tops[row + 1] ?? 0) - end);
  }
}

/** The map with the names of its rows, and marks where alerts began. */
export function drawMap(surface: Surface, palette: Palette, data: HeatMapData): void {
  const { width } = surface;
  const { rows, layout, gutter, scale, edges, marks } = data;
  const [left, right] = plotOf(width, gutter);
  drawHatch(surface, palette, new DOMRect(left, 0, right - left, layout.height));
  if (layout.rowHeight >= APART_FROM) clearGaps(surface, palette, layout, [left, right]);
  if (scale && edges.length > 1) drawImage(surface, palette, data);
  drawGutter(surface, palette, rows, layout, gutter);
  drawMarks(surface, palette, marks, rows, layout, stepsOf(width, data), [left, right]);
}

/** The step axis, and what the colours mean. */
export function drawFoot(surface: Surface, palette: Palette, data: HeatMapData): void {
  const { context, width } = surface;
  const x = stepsOf(width, data);
  const [left, right] = plotOf(width, data.gutter);
  context.fillStyle = toCss(palette.dim);
  context.textBaseline = 'top';
  context.textAlign = 'right';
  context.fillText(data.words.step, left - 8, 5);
  context.textAlign = 'center';
  for (const tick of x.ticks(Math.max(2, Math.floor((right - left) / 90)))) {
    if (!Number.isInteger(tick)) continue;
    const label = formatCount(tick);
    const half = context.measureText(label).width / 2;
    context.fillRect(Math.round(x(tick)), 0, 1, 3);
    context.fillText(label, Math.min(x(tick), width - half), 5);
  }
  drawLegend(surface, palette, data.scale, data.words, plotOf(width, data.gutter), AXIS_HEIGHT + 6);
}

/** Loss, map, axis and legend below one another. */
export function drawHeatMap(surface: Surface, palette: Palette, data: HeatMapData): void {
  const { context, width } = surface;
  const { height } = data.layout;
  context.save();
  drawLoss({ context, width, height: LOSS_HEIGHT }, palette, data);
  context.translate(0, LOSS_HEIGHT);
  drawMap({ context, width, height }, palette, data);
  context.translate(0, height);
  drawFoot({ context, width, height: FOOT_HEIGHT }, palette, data);
  context.restore();
}
