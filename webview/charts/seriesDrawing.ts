import { extent } from 'd3-array';
import { scaleLinear, scaleLog, type ScaleLinear } from 'd3-scale';
import { stepRange } from '../state/runs';
import type { Numbers } from '../state/viewData';
import { toCss } from '../theme/colour';
import type { Palette } from '../theme/palette';
import { GUTTER } from './axes';
import type { Draw, Surface } from './canvas';
import type { SeriesChartProps } from './seriesChart';
import {
  BAND_ALPHA,
  isDrawable,
  isPowerOfTen,
  LABEL_GAP,
  LABEL_HEIGHT,
  LINE_WIDTH,
  roomAbove,
  roomForLabels,
  SELECTED_ALPHA,
  spread,
  shownSteps,
  stepLabel,
  textToneOf,
  TICK_SPACE,
  toneOf,
  valueAtEnd,
  valueEnds,
  valueLabel,
} from './seriesGeometry';

interface Plot {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly x: ScaleLinear<number, number>;
  /** NaN for what the axis has no place for. */
  readonly y: (value: number) => number;
  readonly valueTicks: readonly number[];
}

function plotOf({ context, width, height }: Surface, props: SeriesChartProps): Plot {
  const { steps, lines, band, log = false, zero = false, unit = '' } = props;
  const labels = roomForLabels(lines, (label) => context.measureText(label).width);
  const left = GUTTER.left;
  const right = Math.max(left + 1, width - labels);
  const top = roomAbove(unit);
  const bottom = height - GUTTER.bottom;
  const drawable = (values: Numbers) =>
    Array.from(values).filter((value) => isDrawable(value, log));
  const [low = Infinity, high = -Infinity] = extent(
    lines.flatMap(({ values }) => drawable(values)),
  );
  const [, bandTop = -Infinity] = extent(band ? drawable(band) : []);
  const ends = valueEnds({ log, zero }, low, high, bandTop);
  const most = Math.max(2, Math.floor((bottom - top) / TICK_SPACE.y));
  const scale = log ? scaleLog(ends, [bottom, top]) : scaleLinear(ends, [bottom, top]);
  return {
    left,
    right,
    top,
    bottom,
    x: scaleLinear(shownSteps(stepRange.peek(), steps[0] ?? 0, steps[steps.length - 1] ?? 0), [
      left,
      right,
    ]),
    y: (value) => (isDrawable(value, log) ? scale(value) : NaN),
    valueTicks: log ? scale.ticks().filter(isPowerOfTen) : scale.ticks(most),
  };
}

function drawAxes(
  { context }: Surface,
  palette: Palette,
  { left, right, bottom, x, y, valueTicks }: Plot,
  unit: string,
): void {
  context.lineWidth = 1;
  context.strokeStyle = toCss(palette.line);
  context.fillStyle = toCss(palette.dim);
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  for (const tick of valueTicks) {
    const at = Math.round(y(tick)) + 0.5;
    context.beginPath();
    context.moveTo(left, at);
    context.lineTo(right, at);
    context.stroke();
    context.fillText(valueLabel(tick), left - LABEL_GAP, at);
  }
  context.textAlign = 'center';
  context.textBaseline = 'top';
  for (const tick of x.ticks(Math.max(2, Math.floor((right - left) / TICK_SPACE.x)))) {
    if (Number.isInteger(tick)) context.fillText(stepLabel(tick), x(tick), bottom + 4);
  }
  context.textAlign = 'left';
  context.fillText(unit, 0, 0);
}

function drawBand(
  { context }: Surface,
  palette: Palette,
  plot: Plot,
  steps: Numbers,
  band: Numbers,
) {
  const floor = plot.y(0);
  context.fillStyle = toCss(palette.foreground, BAND_ALPHA);
  context.beginPath();
  let last: number | undefined;
  const close = () => {
    if (last !== undefined) context.lineTo(last, floor);
    last = undefined;
  };
  band.forEach((value: number, i: number) => {
    const [x, y] = [plot.x(steps[i] ?? NaN), Math.max(plot.top, plot.y(value))];
    if (!Number.isFinite(y)) return close();
    if (last === undefined) context.moveTo(x, floor);
    context.lineTo(x, y);
    last = x;
  });
  close();
  context.fill();
}

function drawLine({ context }: Surface, plot: Plot, steps: Numbers, values: Numbers): void {
  context.beginPath();
  let open = false;
  values.forEach((value: number, i: number) => {
    const [x, y] = [plot.x(steps[i] ?? NaN), plot.y(value)];
    if (Number.isFinite(y)) {
      if (open) context.lineTo(x, y);
      else context.moveTo(x, y);
    }
    open = Number.isFinite(y);
  });
  context.stroke();
}

function nameLines(
  { context }: Surface,
  palette: Palette,
  plot: Plot,
  { steps, lines }: SeriesChartProps,
) {
  const [, end = NaN] = plot.x.domain();
  const named = lines
    .flatMap((line) => {
      const y = plot.y(valueAtEnd(steps, line.values, end));
      return Number.isFinite(y) ? [{ line, y }] : [];
    })
    .sort((a, b) => a.y - b.y);
  const heights = spread(
    named.map(({ y }) => y),
    plot.top,
    plot.bottom,
    LABEL_HEIGHT,
  );
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  named.forEach(({ line }, i) => {
    context.fillStyle = toCss(textToneOf(palette, line.tone));
    context.fillText(line.label, plot.right + LABEL_GAP, heights[i] ?? plot.top);
  });
}

/** The chart as a drawing, for PNG and SVG: what {@link SeriesChart} shows, without the pointer's marks. */
export function drawSeries(props: SeriesChartProps): Draw {
  return (surface, palette) => {
    const { steps, lines, band, unit = '', selectedStep } = props;
    const { context } = surface;
    const plot = plotOf(surface, props);
    drawAxes(surface, palette, plot, unit);
    context.save();
    context.beginPath();
    context.rect(plot.left, plot.top, plot.right - plot.left, plot.bottom - plot.top);
    context.clip();
    if (band) drawBand(surface, palette, plot, steps, band);
    context.lineWidth = LINE_WIDTH;
    for (const { tone, values } of lines) {
      context.strokeStyle = toCss(toneOf(palette, tone));
      drawLine(surface, plot, steps, values);
    }
    context.restore();
    const [first = Infinity, last = -Infinity] = plot.x.domain();
    if (selectedStep !== null && selectedStep >= first && selectedStep <= last) {
      context.fillStyle = toCss(palette.foreground, SELECTED_ALPHA);
      context.fillRect(Math.round(plot.x(selectedStep)), plot.top, 1, plot.bottom - plot.top);
    }
    nameLines(surface, palette, plot, props);
  };
}
