import uPlot from 'uplot';
import { formatCount, formatTick } from '../format';
import { toCss, type Rgb } from '../theme/colour';
import type { Palette } from '../theme/palette';
import { GUTTER, TITLE_ROOM } from './axes';
import { bandLimit } from './ranges';

export type Tone = 'before' | 'after' | 'foreground';

export interface LineStyle {
  readonly tone: Tone;
  /** Written at the line's end. */
  readonly label: string;
}

export interface SeriesOptions {
  readonly lines: readonly LineStyle[];
  /** The last series is the upper edge of a band that begins at 0. */
  readonly band: boolean;
  readonly log: boolean;
  /** The value axis includes 0. */
  readonly zero: boolean;
  /** What the value axis counts; empty for a plain number. */
  readonly unit: string;
  readonly palette: Palette;
  readonly selectedStep: () => number | null;
  readonly onHover: (index: number | null) => void;
  readonly onChoose: (index: number) => void;
}

const LABEL_HEIGHT = 13;

const highest = (values: uPlot.AlignedData[number] = []) =>
  Array.from(values).reduce<number>((most, value) => Math.max(most, value ?? -Infinity), -Infinity);

function valueRange({ log, zero, band }: SeriesOptions): uPlot.Range.Function {
  return (chart, low, curves) => {
    const limit = bandLimit(curves);
    const top = band ? highest(chart.data.at(-1)) : -Infinity;
    if (top > limit) return [Math.min(0, low), limit];
    const high = Math.max(curves, top);
    if (!Number.isFinite(low ?? NaN) || !Number.isFinite(high ?? NaN))
      return log ? [0.1, 1] : [0, 1];
    if (log) return [10 ** Math.floor(Math.log10(low)), 10 ** Math.ceil(Math.log10(high) + 1e-9)];
    const from = zero ? Math.min(0, low) : low;
    const to = zero ? Math.max(0, high) : high;
    const margin = (to - from || Math.abs(to) * 0.1 || 1) * 0.08;
    return [zero && from === 0 ? 0 : from - margin, zero && to === 0 ? 0 : to + margin];
  };
}

const tone = (palette: Palette, name: Tone): Rgb => palette[name];
const textTone = (palette: Palette, name: Tone): Rgb =>
  name === 'foreground' ? palette.foreground : palette[`${name}Text`];

/** Marks the selected step and names the lines at their ends, apart from one another. */
function annotate(chart: uPlot, options: SeriesOptions): void {
  const { ctx: context, bbox } = chart;
  const ratio = uPlot.pxRatio;
  const step = options.selectedStep();
  if (step !== null) {
    const x = Math.round(chart.valToPos(step, 'x', true));
    context.fillStyle = toCss(options.palette.foreground, 0.55);
    context.fillRect(x, bbox.top, Math.max(1, ratio), bbox.height);
  }
  context.font = `${11 * ratio}px ${options.palette.font}`;
  context.textAlign = 'left';
  context.textBaseline = 'top';
  context.fillStyle = toCss(options.palette.dim);
  context.fillText(options.unit, 0, 0);
  const labels = options.lines.flatMap((line, i) => {
    const values = chart.data[i + 1] ?? [];
    const value = [...values].reverse().find((candidate) => Number.isFinite(candidate ?? NaN));
    return value === undefined || value === null
      ? []
      : [{ line, y: chart.valToPos(value, 'y', true) }];
  });
  labels.sort((a, b) => a.y - b.y);
  const half = (LABEL_HEIGHT / 2) * ratio;
  let floor = bbox.top + half / 2;
  context.textBaseline = 'middle';
  labels.forEach(({ line, y }, i) => {
    const below = (labels.length - 1 - i) * LABEL_HEIGHT * ratio;
    const at = Math.min(Math.max(y, floor), bbox.top + bbox.height - below);
    floor = at + LABEL_HEIGHT * ratio;
    context.fillStyle = toCss(textTone(options.palette, line.tone));
    context.fillText(line.label, bbox.left + bbox.width + 6 * ratio, at);
  });
}

function axis(palette: Palette, side: 'x' | 'y', log: boolean): uPlot.Axis {
  const shared = {
    stroke: toCss(palette.dim),
    font: `11px ${palette.font}`,
    ticks: { show: false },
  };
  if (side === 'x') {
    return {
      ...shared,
      size: GUTTER.bottom,
      gap: 4,
      space: 64,
      grid: { show: false },
      incrs: [1, 2, 5, 10, 20, 50]
        .flatMap((n) => [1, 100, 1e4, 1e6].map((k) => n * k))
        .sort((a, b) => a - b),
      values: (_chart, ticks) => ticks.map((tick) => formatCount(tick)),
    };
  }
  return {
    ...shared,
    size: GUTTER.left,
    gap: 6,
    space: 26,
    grid: { stroke: toCss(palette.line), width: 1, ...(log ? { filter: decades } : {}) },
    ...(log ? { filter: decades } : {}),
    values: (_chart, ticks) =>
      ticks.map((tick: number | null) => (tick === null ? '' : formatTick(tick))),
  };
}

const isPowerOfTen = (value: number): boolean => {
  const power = Math.log10(value);
  return Math.abs(power - Math.round(power)) < 1e-9;
};

/** Of a logarithmic axis only the powers of ten are drawn. */
const decades: uPlot.Axis.Filter = (_chart, ticks) =>
  ticks.map((tick) => (isPowerOfTen(tick) ? tick : null));

/** Width of the longest label in CSS pixels: letters differ, and those of other scripts are wider. */
function widest(lines: readonly LineStyle[], { font }: Palette): number {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return 0;
  context.font = `11px ${font}`;
  return Math.max(0, ...lines.map(({ label }) => context.measureText(label).width));
}

/** uPlot's options for lines over steps; without size and data. */
export function seriesOptions(options: SeriesOptions): Omit<uPlot.Options, 'width' | 'height'> {
  const { palette, lines, band, log, unit } = options;
  const labelRoom = widest(lines, palette) + 10;
  const series: uPlot.Series[] = [
    {},
    ...lines.map((line) => ({
      stroke: toCss(tone(palette, line.tone)),
      width: 1.4,
      points: { show: false },
    })),
  ];
  if (band) {
    series.push({
      stroke: 'transparent',
      width: 0,
      fill: toCss(palette.foreground, 0.14),
      fillTo: 0,
      // The curves alone make the axis; valueRange looks at the band.
      auto: false,
      points: { show: false },
    });
  }
  return {
    series,
    padding: [unit === '' ? GUTTER.top : TITLE_ROOM, labelRoom, 0, 0],
    legend: { show: false },
    scales: {
      x: {
        time: false,
        range: (_chart, low, high) => (high > low ? [low, high] : [low - 1, low + 1]),
      },
      y: { distr: log ? 3 : 1, log: 10, range: valueRange(options) },
    },
    axes: [axis(palette, 'x', false), axis(palette, 'y', log)],
    cursor: {
      y: false,
      drag: { setScale: false, x: false, y: false },
      sync: { key: 'steps', setSeries: false },
      points: { size: 6 },
    },
    hooks: {
      ready: [
        (chart) =>
          chart.over.addEventListener('click', () => {
            if (typeof chart.cursor.idx === 'number') options.onChoose(chart.cursor.idx);
          }),
      ],
      draw: [(chart) => annotate(chart, options)],
      setCursor: [
        (chart) => {
          if (chart.cursor.event) options.onHover(chart.cursor.idx ?? null);
        },
      ],
    },
  };
}
