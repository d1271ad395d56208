import { max } from 'd3-array';
import type { DefinitionId } from '../../../extension/protocol/definitions';
import type { PanelStringKey } from '../../../extension/protocol/panelStrings';
import type { LayerView } from '../../../extension/protocol/views';
import { Figure, SideMark } from '../../charts/figure';
import { nearestIndex } from '../../charts/nearest';
import { bandLimit } from '../../charts/ranges';
import { hoveredStep } from '../../charts/hoveredStep';
import { SeriesChart, type Line } from '../../charts/seriesChart';
import { drawSeries } from '../../charts/seriesDrawing';
import { scaleOf, ScaleSwitch, type Scale } from '../../charts/scaleSwitch';
import { formatCount, formatNumber } from '../../format';
import { chooseStep } from '../../state/runs';
import { finite, numbers, type Loaded, type Numbers } from '../../state/viewData';
import { text } from '../../strings';

/** Figures of a layer over steps, by the names of the view's tensors. */
export interface StepFigures {
  readonly id: string;
  readonly title: PanelStringKey;
  /** What the value axis counts. */
  readonly unit?: PanelStringKey;
  readonly size: 'medium' | 'small';
  readonly lines: readonly (Omit<Line, 'values' | 'label'> & {
    readonly label: PanelStringKey;
    readonly tensor: string;
  })[];
  /** What sampling alone makes of the figures. */
  readonly band?: string;
  /** How the values are drawn at first, where they may be drawn either way. */
  readonly scale?: Scale;
  readonly zero?: boolean;
  /** Not every step has the figures: only those that do are drawn. */
  readonly inTurns?: boolean;
  readonly definition?: DefinitionId;
}

export const sides = (before: string, after: string): StepFigures['lines'] => [
  { tone: 'before', label: 'before', tensor: before },
  { tone: 'after', label: 'after', tensor: after },
];

export const gradients = (statistic: string): StepFigures['lines'] => [
  { tone: 'after', label: 'gradAfter', tensor: `gradPost${statistic}` },
  { tone: 'before', label: 'gradBefore', tensor: `gradPre${statistic}` },
];

export const single = (label: PanelStringKey, tensor: string): StepFigures['lines'] => [
  { tone: 'foreground', label, tensor },
];

interface StepChartProps {
  readonly view: Loaded<LayerView>;
  readonly chart: StepFigures;
}

/** What sampling alone makes, and that it is cut off where the chart has no room for it. */
function floorReading(floor: number | undefined, lines: readonly Line[]): string {
  const limit = bandLimit(Math.max(...lines.map(({ values }) => max(finite(values)) ?? 0)));
  const above = floor !== undefined && floor > limit;
  return text(above ? 'driftFloorAbove' : 'driftFloor', formatNumber(floor));
}

interface Curves {
  readonly steps: Numbers;
  readonly lines: readonly Line[];
  readonly band: Numbers | undefined;
}

function curvesOf(view: Loaded<LayerView>, chart: StepFigures): Curves {
  const steps = numbers(view, 'steps');
  const lines = chart.lines.map(({ tone, label, tensor }) => ({
    tone,
    label: text(label),
    values: numbers(view, tensor),
  }));
  const band = chart.band === undefined ? undefined : numbers(view, chart.band);
  if (!chart.inTurns) return { steps, lines, band };
  const known = (_: number, i: number) =>
    lines.some(({ values }) => Number.isFinite(values[i] ?? NaN));
  const kept = (values: Numbers) => values.filter((value, i) => known(value, i));
  return {
    steps: kept(steps),
    lines: lines.map((line) => ({ ...line, values: kept(line.values) })),
    band: band && kept(band),
  };
}

/** Some of a layer's figures over the steps, with their values at the step looked at in words. */
export function StepChart({ view, chart }: StepChartProps) {
  const { steps, lines, band } = curvesOf(view, chart);
  const shown = hoveredStep.value ?? view.body.step;
  const at = shown === null ? -1 : nearestIndex(steps, shown);
  const step = steps[at] ?? shown;
  const readings = lines.map(({ label, values }) =>
    lines.length === 1
      ? formatNumber(values[at])
      : text('seriesValue', label, formatNumber(values[at])),
  );
  const floor = band && floorReading(band[at], lines);
  const scale = chart.scale && scaleOf(chart.id, chart.scale);
  const props = {
    steps,
    lines,
    ...(band ? { band } : {}),
    log: scale?.current.value === 'log',
    zero: chart.zero ?? false,
    unit: chart.unit === undefined ? '' : text(chart.unit),
    selectedStep: view.body.step,
    onChoose: chooseStep,
  };
  return (
    <Figure
      id={chart.id}
      size={chart.size}
      title={text(chart.title)}
      caption={
        <>
          {lines.map(({ tone, label }, i) => (
            <span key={label} class="reading">
              {tone !== 'foreground' && <SideMark side={tone} />}
              {readings[i]}
            </span>
          ))}
          {floor && <span class="reading">{floor}</span>}
          {chart.inTurns && step !== shown && (
            <span class="reading">{text('readAtStep', formatCount(step))}</span>
          )}
        </>
      }
      sentence={text(
        'seriesSentence',
        formatCount(step),
        [...readings, ...(floor ? [floor] : [])].join(', '),
      )}
      table={() => ({
        columns: [
          { title: text('axisStep'), values: steps },
          ...lines.map(({ label, values }) => ({ title: label, values })),
          ...(band ? [{ title: text('columnFloor'), values: band }] : []),
        ],
      })}
      draw={drawSeries(props)}
      {...(chart.definition && { definition: chart.definition })}
      {...(scale && { controls: <ScaleSwitch title={text(chart.title)} scale={scale} /> })}
    >
      <SeriesChart {...props} />
    </Figure>
  );
}
