import { extent, max } from 'd3-array';
import uPlot from 'uplot';
import { stepRange } from '../state/runs';
import { toCss } from '../theme/colour';
import type { Palette } from '../theme/palette';
import { GUTTER } from './axes';
import {
  BAND_ALPHA,
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
  type LineStyle,
} from './seriesGeometry';
import { listenForZoom, ZOOM_CURSOR, zoomToSelection } from './seriesZoom';

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

const drawn = (values: uPlot.AlignedData[number] = []): number[] =>
  Array.from(values).flatMap((value) => (Number.isFinite(value ?? NaN) ? [Number(value)] : []));

/** The axis is that of all values, those next to the shown steps too: lines lead to them. */
function valueRange(options: SeriesOptions): uPlot.Range.Function {
  return ({ data }) => {
    const curves = data.slice(1, 1 + options.lines.length);
    const [low = NaN, high = NaN] = extent(curves.flatMap((values) => drawn(values)));
    const band = options.band ? (max(drawn(data.at(-1))) ?? -Infinity) : -Infinity;
    return valueEnds(options, low, high, band);
  };
}

/** Marks the selected step and names the lines at their ends, apart from one another. */
function annotate(chart: uPlot, options: SeriesOptions): void {
  const { ctx: context, bbox } = chart;
  const ratio = uPlot.pxRatio;
  const step = options.selectedStep();
  if (step !== null) {
    const x = Math.round(chart.valToPos(step, 'x', true));
    context.fillStyle = toCss(options.palette.foreground, SELECTED_ALPHA);
    context.fillRect(x, bbox.top, Math.max(1, ratio), bbox.height);
  }
  context.font = `${11 * ratio}px ${options.palette.font}`;
  context.textAlign = 'left';
  context.textBaseline = 'top';
  context.fillStyle = toCss(options.palette.dim);
  context.fillText(options.unit, 0, 0);
  const labels = options.lines.flatMap((line, i) => {
    const value = valueAtEnd(chart.data[0], chart.data[i + 1] ?? [], chart.scales.x?.max ?? NaN);
    return Number.isNaN(value) ? [] : [{ line, y: chart.valToPos(value, 'y', true) }];
  });
  labels.sort((a, b) => a.y - b.y);
  const heights = spread(
    labels.map(({ y }) => y),
    bbox.top,
    bbox.top + bbox.height,
    LABEL_HEIGHT * ratio,
  );
  context.textBaseline = 'middle';
  labels.forEach(({ line }, i) => {
    context.fillStyle = toCss(textToneOf(options.palette, line.tone));
    context.fillText(line.label, bbox.left + bbox.width + LABEL_GAP * ratio, heights[i] ?? 0);
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
      space: TICK_SPACE.x,
      grid: { show: false },
      incrs: [1, 2, 5, 10, 20, 50]
        .flatMap((n) => [1, 100, 1e4, 1e6].map((k) => n * k))
        .sort((a, b) => a - b),
      values: (_chart, ticks) => ticks.map((tick) => stepLabel(tick)),
    };
  }
  return {
    ...shared,
    size: GUTTER.left,
    gap: 6,
    space: TICK_SPACE.y,
    grid: { stroke: toCss(palette.line), width: 1, ...(log ? { filter: decades } : {}) },
    ...(log ? { filter: decades } : {}),
    values: (_chart, ticks) =>
      ticks.map((tick: number | null) => (tick === null ? '' : valueLabel(tick))),
  };
}

/** Of a logarithmic axis only the powers of ten are drawn. */
const decades: uPlot.Axis.Filter = (_chart, ticks) =>
  ticks.map((tick) => (isPowerOfTen(tick) ? tick : null));

function measureIn({ font }: Palette): (label: string) => number {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return () => 0;
  context.font = `11px ${font}`;
  return (label) => context.measureText(label).width;
}

/** uPlot's options for lines over steps; without size and data. */
export function seriesOptions(options: SeriesOptions): Omit<uPlot.Options, 'width' | 'height'> {
  const { palette, lines, band, log, unit } = options;
  const labelRoom = roomForLabels(lines, measureIn(palette));
  const series: uPlot.Series[] = [
    {},
    ...lines.map((line) => ({
      stroke: toCss(toneOf(palette, line.tone)),
      width: LINE_WIDTH,
      points: { show: false },
    })),
  ];
  if (band) {
    series.push({
      stroke: 'transparent',
      width: 0,
      fill: toCss(palette.foreground, BAND_ALPHA),
      fillTo: 0,
      // The curves alone make the axis; valueRange looks at the band.
      auto: false,
      points: { show: false },
    });
  }
  return {
    series,
    padding: [roomAbove(unit), labelRoom, 0, 0],
    legend: { show: false },
    scales: {
      x: {
        time: false,
        range: (_chart, first, last) => [...shownSteps(stepRange.peek(), first, last)],
      },
      y: { distr: log ? 3 : 1, log: 10, range: valueRange(options) },
    },
    axes: [axis(palette, 'x', false), axis(palette, 'y', log)],
    cursor: ZOOM_CURSOR,
    hooks: {
      ready: [
        (chart) => {
          listenForZoom(chart);
          chart.over.addEventListener('click', () => {
            if (typeof chart.cursor.idx === 'number') options.onChoose(chart.cursor.idx);
          });
        },
      ],
      setSelect: [zoomToSelection],
      draw: [(chart) => annotate(chart, options)],
      setCursor: [
        (chart) => {
          if (chart.cursor.event) options.onHover(chart.cursor.idx ?? null);
        },
      ],
    },
  };
}
