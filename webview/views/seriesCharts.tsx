import { max } from 'd3-array';
import type { PanelStringKey } from '../../extension/protocol/panelStrings';
import type { LayerView } from '../../extension/protocol/views';
import { Figure, SideMark } from '../charts/figure';
import { nearestIndex } from '../charts/nearest';
import { bandLimit } from '../charts/ranges';
import { hoveredStep, SeriesChart, type Line } from '../charts/seriesChart';
import { formatCount, formatNumber } from '../format';
import { chooseStep } from '../state/panel';
import { finite, numbers, type Loaded } from '../state/viewData';
import { text } from '../strings';

interface Chart {
  readonly title: PanelStringKey;
  /** What the value axis counts. */
  readonly unit?: PanelStringKey;
  readonly size: 'medium' | 'small';
  readonly lines: readonly (Omit<Line, 'values' | 'label'> & {
    readonly label: PanelStringKey;
    readonly tensor: string;
  })[];
  readonly band?: string;
  readonly log?: boolean;
  readonly zero?: boolean;
}

const sides = (before: string, after: string): Chart['lines'] => [
  { tone: 'before', label: 'before', tensor: before },
  { tone: 'after', label: 'after', tensor: after },
];
const gradients = (statistic: string): Chart['lines'] => [
  { tone: 'after', label: 'gradAfter', tensor: `gradPost${statistic}` },
  { tone: 'before', label: 'gradBefore', tensor: `gradPre${statistic}` },
];

const LARGE: readonly Chart[] = [
  {
    title: 'drift',
    unit: 'unitStd',
    size: 'medium',
    lines: sides('preDrift', 'postDrift'),
    band: 'preDriftFloor',
    zero: true,
  },
  {
    title: 'gradientNorm',
    unit: 'unitNorm',
    size: 'medium',
    lines: gradients('Norm'),
    log: true,
  },
];

const SMALL: readonly Chart[] = [
  { title: 'activationMean', size: 'small', lines: sides('preMean', 'postMean') },
  { title: 'activationStd', size: 'small', lines: sides('preStd', 'postStd'), zero: true },
  {
    title: 'varianceDrift',
    size: 'small',
    lines: sides('preVarianceDrift', 'postVarianceDrift'),
    zero: true,
  },
  { title: 'gradientMean', size: 'small', lines: gradients('Mean') },
  { title: 'gradientStd', size: 'small', lines: gradients('Std'), zero: true },
  {
    title: 'lossCaption',
    size: 'small',
    lines: [{ tone: 'foreground', label: 'lossCaption', tensor: 'loss' }],
  },
];

interface StepChartProps {
  readonly view: Loaded<LayerView>;
  readonly chart: Chart;
}

/** What sampling alone makes, and that it is cut off where the chart has no room for it. */
function floorReading(floor: number | undefined, lines: readonly Line[]): string {
  const limit = bandLimit(Math.max(...lines.map(({ values }) => max(finite(values)) ?? 0)));
  const above = floor !== undefined && floor > limit;
  return text(above ? 'driftFloorAbove' : 'driftFloor', formatNumber(floor));
}

function StepChart({ view, chart }: StepChartProps) {
  const steps = numbers(view, 'steps');
  const shown = hoveredStep.value ?? view.body.step;
  const at = shown === null ? -1 : nearestIndex(steps, shown);
  const lines = chart.lines.map(({ tone, label, tensor }) => ({
    tone,
    label: text(label),
    values: numbers(view, tensor),
  }));
  const band = chart.band === undefined ? undefined : numbers(view, chart.band);
  const readings = lines.map(({ label, values }) =>
    lines.length === 1
      ? formatNumber(values[at])
      : text('seriesValue', label, formatNumber(values[at])),
  );
  const floor = band && floorReading(band[at], lines);
  return (
    <Figure
      size={chart.size}
      title={text(chart.title)}
      caption={
        <>
          {lines.map(({ tone }, i) => (
            <span key={tone} class="reading">
              {tone !== 'foreground' && <SideMark side={tone} />}
              {readings[i]}
            </span>
          ))}
          {floor && <span class="reading">{floor}</span>}
        </>
      }
      sentence={text(
        'seriesSentence',
        formatCount(shown),
        [...readings, ...(floor ? [floor] : [])].join(', '),
      )}
    >
      <SeriesChart
        steps={steps}
        lines={lines}
        {...(band ? { band } : {})}
        log={chart.log ?? false}
        zero={chart.zero ?? false}
        unit={chart.unit === undefined ? '' : text(chart.unit)}
        selectedStep={view.body.step}
        onChoose={chooseStep}
      />
    </Figure>
  );
}

/** How the layer went over the steps of the run. */
export function SeriesCharts({ view }: { readonly view: Loaded<LayerView> }) {
  return (
    <>
      <div class="charts pair">
        {LARGE.map((chart) => (
          <StepChart key={chart.title} view={view} chart={chart} />
        ))}
      </div>
      <div class="charts triple">
        {SMALL.map((chart) => (
          <StepChart key={chart.title} view={view} chart={chart} />
        ))}
      </div>
    </>
  );
}
