import { toCss } from '../theme/colour';
import type { Palette } from '../theme/palette';
import type { Surface } from './canvas';
import { plotOf, stepsOf, type HeatMapData } from './heatMapDrawing';
import { hoveredCell, markedSteps } from './heatMapPointer';
import { rowSpan } from './modelRows';
import { hoveredStep } from './hoveredStep';

/** What is chosen. */
export interface HeatChoice {
  readonly data: HeatMapData;
  readonly selectedRow: number;
  readonly selectedStep: number | null;
}

/** The chosen step, the one under the pointer, and those being marked. */
export function drawLines(
  surface: Surface,
  palette: Palette,
  data: HeatMapData,
  selected: number | null,
) {
  const { context, width, height } = surface;
  const x = stepsOf(width, data);
  const [left, right] = plotOf(width, data.gutter);
  const line = (step: number | null, alpha: number) => {
    const at = step === null ? -1 : Math.round(x(step));
    if (at < left || at > right) return;
    context.fillStyle = toCss(palette.background, alpha);
    context.fillRect(at - 1, 0, 3, height);
    context.fillStyle = toCss(palette.foreground, alpha);
    context.fillRect(at, 0, 1, height);
  };
  line(selected, 0.9);
  line(hoveredStep.value, 0.5);
  const marked = markedSteps.value;
  if (!marked) return;
  const [from, to] = [Math.min(...marked), Math.max(...marked)].map((step) =>
    Math.max(left, Math.min(right, x(step))),
  ) as [number, number];
  context.fillStyle = toCss(palette.foreground, 0.16);
  context.fillRect(from, 0, to - from, height);
  context.fillStyle = toCss(palette.foreground, 0.8);
  context.fillRect(from, 0, 1, height);
  context.fillRect(to - 1, 0, 1, height);
}

/** Marks the chosen row, the chosen step and the cell under the pointer. */
export function drawOverlay(surface: Surface, palette: Palette, props: HeatChoice): void {
  const { context, width } = surface;
  const { data, selectedRow, selectedStep } = props;
  const [left, right] = plotOf(width, data.gutter);
  drawLines(surface, palette, data, selectedStep);
  if (selectedRow >= 0) {
    const [top, bottom] = rowSpan(data.layout, selectedRow);
    const height = Math.max(3, bottom - top);
    context.lineWidth = 1;
    context.strokeStyle = toCss(palette.foreground, 0.9);
    context.strokeRect(left - 0.5, top - 0.5, right - left + 1, height);
    context.fillStyle = toCss(palette.foreground);
    context.beginPath();
    const middle = top + height / 2 - 0.5;
    context.moveTo(left - 1, middle);
    context.lineTo(left - 6, middle - 4);
    context.lineTo(left - 6, middle + 4);
    context.fill();
  }
  const cell = hoveredCell.value;
  if (!cell) return;
  const [top, bottom] = rowSpan(data.layout, cell.row);
  const x = stepsOf(width, data);
  const [from, to] = [x(data.edges[cell.column] ?? 0), x(data.edges[cell.column + 1] ?? 0)];
  const [x0, y0] = [Math.max(left, Math.round(from)), top];
  const [w, h] = [Math.max(3, Math.round(to - from)), Math.max(3, bottom - top)];
  context.lineWidth = 1;
  context.strokeStyle = toCss(palette.background);
  context.strokeRect(x0 - 1.5, y0 - 1.5, w + 3, h + 2);
  context.strokeStyle = toCss(palette.foreground);
  context.strokeRect(x0 - 0.5, y0 - 0.5, w + 1, h);
}
