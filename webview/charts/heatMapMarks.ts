import type { ScaleLinear } from 'd3-scale';
import type { Severity } from '../../extension/protocol/alerts';
import { contrast, toCss, type Rgb } from '../theme/colour';
import type { Palette } from '../theme/palette';
import type { Range } from './axes';
import type { Context2d, Surface } from './canvas';
import { rowSpan, type ModelRow, type RowLayout } from './modelRows';

/** A spell in which a rule spoke of a layer. */
export interface HeatMark {
  /** Index in model order. */
  readonly layer: number;
  readonly severity: Severity;
  readonly since: number;
  readonly last: number;
  /** False once the rule has fallen silent. */
  readonly active: boolean;
  /** What it is called in the list beside the map. */
  readonly label: string;
}

const RADIUS = 7;
const SMALL_RADIUS = 4;
/** From the lower edge of a row to the line of a spell, in CSS pixels. */
const SPELL_INSET = 2.5;
const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];

/** A diamond for an error, a triangle for a warning, a disc for what is good to know. */
export function traceMark(
  context: Pick<Context2d, 'beginPath' | 'moveTo' | 'lineTo' | 'closePath' | 'arc'>,
  severity: Severity,
  x: number,
  y: number,
  radius: number,
): void {
  context.beginPath();
  switch (severity) {
    case 'error':
      context.moveTo(x, y - radius * 1.25);
      context.lineTo(x + radius * 1.25, y);
      context.lineTo(x, y + radius * 1.25);
      context.lineTo(x - radius * 1.25, y);
      break;
    case 'warning':
      context.moveTo(x, y - radius * 1.15);
      context.lineTo(x + radius * 1.2, y + radius);
      context.lineTo(x - radius * 1.2, y + radius);
      break;
    case 'info':
      context.arc(x, y, radius, 0, 2 * Math.PI);
      break;
  }
  context.closePath();
}

/** The mark of a severity, with a rim that keeps it apart from any ground; hollow once it is over. */
export function drawMark(
  context: Context2d,
  palette: Palette,
  { severity, active, label }: Pick<HeatMark, 'severity' | 'active' | 'label'>,
  x: number,
  y: number,
): void {
  const colour = palette[severity];
  traceMark(context, severity, x, y, active ? RADIUS : SMALL_RADIUS);
  context.strokeStyle = toCss(active ? palette.background : colour);
  context.fillStyle = toCss(active ? colour : palette.background);
  context.lineWidth = 1.5;
  context.fill();
  context.stroke();
  if (!active) return;
  context.fillStyle = toCss(contrast(colour, BLACK) > contrast(colour, WHITE) ? BLACK : WHITE);
  context.font = `700 9px ${palette.font}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(label, x, y + (severity === 'warning' ? 2 : 0.5));
  context.font = `11px ${palette.font}`;
}

/** A line from where a spell began to where its rule last spoke. */
function drawSpell(
  context: Context2d,
  palette: Palette,
  mark: HeatMark,
  [from, to]: Range,
  y: number,
): void {
  const line = (width: number, colour: string) => {
    context.lineWidth = width;
    context.strokeStyle = colour;
    context.stroke();
  };
  context.beginPath();
  context.moveTo(from, y);
  context.lineTo(to, y);
  line(3, toCss(palette.background, 0.8));
  line(mark.active ? 1.5 : 1, toCss(palette[mark.severity], mark.active ? 1 : 0.7));
}

/** Each mark where its spell began, with its label, and a line to where the rule last spoke. */
export function drawMarks(
  surface: Surface,
  palette: Palette,
  marks: readonly HeatMark[],
  rows: readonly ModelRow[],
  layout: RowLayout,
  x: ScaleLinear<number, number>,
  [left, right]: Range,
): void {
  const { context } = surface;
  const rowOf = new Map(rows.flatMap(({ layers }, row) => layers.map((layer) => [layer, row])));
  const inside = (at: number) => Math.min(right, Math.max(left, at));
  const taken: { x: number; y: number }[] = [];
  for (const mark of marks) {
    const { layer, since, last } = mark;
    const row = rowOf.get(layer);
    if (row === undefined || x(last) < left || x(since) > right) continue;
    const [top, bottom] = rowSpan(layout, row);
    const y = (top + bottom) / 2;
    const [from, to] = [inside(x(since)), inside(x(last))];
    // Along the edge: the row itself stays to be seen.
    drawSpell(context, palette, mark, [from, to], Math.max(y, bottom - SPELL_INSET));
    // A mark that another already covers would only hide its label.
    if (taken.some((other) => Math.hypot(other.x - from, other.y - y) < RADIUS * 1.6)) continue;
    taken.push({ x: from, y });
    drawMark(context, palette, mark, Math.max(from, left + RADIUS), y);
  }
}
