import { extent } from 'd3-array';
import { scaleLinear, type ScaleLinear } from 'd3-scale';
import type { StepRange } from '../../../extension/protocol/stepChoice';
import { widened } from '../../charts/axes';
import type { Draw, Surface } from '../../charts/canvas';
import { traceMark, type HeatMark } from '../../charts/heatMapMarks';
import { lastFinite } from '../../charts/nearest';
import { formatCount, formatNumber } from '../../format';
import { finite, type Numbers } from '../../state/viewData';
import { toCss } from '../../theme/colour';
import type { Palette } from '../../theme/palette';

/** Room around the loss, in CSS pixels. */
export const LEFT = 58;
export const RIGHT = 14;
const TOP = 13;
const BOTTOM = 19;
const MARK_RADIUS = 4;

export interface TimelineData {
  readonly steps: Numbers;
  readonly loss: Numbers;
  readonly selected: number | null;
  readonly hovered: number | null;
  /** Steps that charts show; null for all. */
  readonly range: StepRange | null;
  readonly marks: readonly Pick<HeatMark, 'severity' | 'since' | 'active'>[];
}

/** Steps on the timeline. */
export const timelineScale = (steps: Numbers, width: number): ScaleLinear<number, number> =>
  scaleLinear(widened([steps[0] ?? 0, steps[steps.length - 1] ?? 1]), [LEFT, width - RIGHT]);

type Steps = ScaleLinear<number, number>;

/** The loss, its two ends, and the steps below it. */
function drawLoss(surface: Surface, palette: Palette, { steps, loss }: TimelineData, x: Steps) {
  const { context, width, height } = surface;
  const [low = 0, high = 1] = extent(finite(loss));
  const y = scaleLinear(widened([low, high]), [height - BOTTOM, TOP]);
  context.fillStyle = toCss(palette.dim);
  context.textBaseline = 'middle';
  context.textAlign = 'right';
  if (lastFinite(loss)) {
    context.fillText(formatNumber(high), LEFT - 8, TOP + 1);
    context.fillText(formatNumber(low), LEFT - 8, height - BOTTOM);
  }
  context.textBaseline = 'alphabetic';
  for (const tick of x.ticks(Math.max(2, Math.floor(width / 120)))) {
    if (!Number.isInteger(tick)) continue;
    const label = formatCount(tick);
    const half = context.measureText(label).width / 2;
    context.textAlign = 'center';
    context.fillText(label, Math.min(x(tick), width - half - 2), height - 4);
  }
  context.beginPath();
  let open = false;
  loss.forEach((value: number, i: number) => {
    const isKnown = Number.isFinite(value);
    if (isKnown && open) context.lineTo(x(steps[i] ?? 0), y(value));
    else if (isKnown) context.moveTo(x(steps[i] ?? 0), y(value));
    open = isKnown;
  });
  context.strokeStyle = toCss(palette.foreground, 0.75);
  context.lineWidth = 1.3;
  context.stroke();
}

/** Greys out the steps that charts do not show. */
function drawRange({ context, height }: Surface, palette: Palette, range: StepRange, x: Steps) {
  const [from, to] = [x(range[0]), x(range[1])];
  const [left = 0, right = 0] = x.range();
  const bottom = height - BOTTOM + 3;
  context.fillStyle = toCss(palette.background, 0.6);
  context.fillRect(left, 0, Math.max(0, from - left), bottom);
  context.fillRect(to, 0, Math.max(0, right - to), bottom);
  context.fillStyle = toCss(palette.foreground, 0.07);
  context.fillRect(from, 0, to - from, bottom);
}

/** Where alerts began, worst on top. */
function drawAlerts(
  { context, height }: Surface,
  palette: Palette,
  marks: TimelineData['marks'],
  x: Steps,
) {
  for (const { severity, since, active } of [...marks].reverse()) {
    traceMark(context, severity, x(since), height - BOTTOM, MARK_RADIUS);
    context.fillStyle = toCss(active ? palette[severity] : palette.background);
    context.strokeStyle = toCss(active ? palette.background : palette[severity]);
    context.lineWidth = 1.2;
    context.fill();
    context.stroke();
  }
}

function drawSelected(
  { context, width, height }: Surface,
  palette: Palette,
  at: number,
  step: number,
) {
  context.fillStyle = toCss(palette.foreground);
  context.fillRect(at - 1, TOP - 5, 2, height - BOTTOM - TOP + 10);
  context.beginPath();
  context.moveTo(at - 5, TOP - 9);
  context.lineTo(at + 5, TOP - 9);
  context.lineTo(at, TOP - 2);
  context.fill();
  const label = formatCount(step);
  const right = at + 14 + context.measureText(label).width < width;
  context.textAlign = right ? 'left' : 'right';
  context.textBaseline = 'middle';
  context.fillText(label, at + (right ? 8 : -8), TOP);
}

/** The loss over the whole run, with alerts, the steps that charts show, and the step looked at. */
export function drawTimeline(data: TimelineData): Draw {
  return (surface, palette) => {
    const { context, width, height } = surface;
    const x = timelineScale(data.steps, width);
    drawLoss(surface, palette, data, x);
    if (data.range) drawRange(surface, palette, data.range, x);
    drawAlerts(surface, palette, data.marks, x);
    if (data.hovered !== null) {
      context.fillStyle = toCss(palette.foreground, 0.4);
      context.fillRect(Math.round(x(data.hovered)), TOP - 4, 1, height - BOTTOM - TOP + 8);
    }
    if (data.selected !== null) {
      drawSelected(surface, palette, Math.round(x(data.selected)), data.selected);
    }
  };
}
