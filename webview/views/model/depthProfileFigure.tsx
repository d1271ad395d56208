import { depthProfile } from '../../../extension/core/analysis/gradientFlow';
import type { ModelFigure } from '../../../extension/protocol/modelFigures';
import type { DepthView } from '../../../extension/protocol/modelViews';
import type { Range } from '../../charts/axes';
import { DepthChart, hoveredRow } from '../../charts/depthChart';
import { drawDepthProfile, rowValue } from '../../charts/depthProfile';
import { Figure, SideMark } from '../../charts/figure';
import type { ModelRow, RowLayout } from '../../charts/modelRows';
import { ScaleSwitch, scaleOf } from '../../charts/scaleSwitch';
import type { Tone } from '../../charts/seriesGeometry';
import { formatCount, formatNumber, UNKNOWN } from '../../format';
import { chooseLayer, chooseSection } from '../../state/panel';
import { numbers, type Loaded, type Numbers } from '../../state/viewData';
import { text } from '../../strings';
import type { DepthFigure } from './depthFigures';
import { FIGURE_INFO, formatFigure } from './figureInfo';
import { toggleGroup } from './modelGroups';

const UNITS = { plain: '', count: '', percent: ' %', deviations: ' σ' } as const;

/** Shares are drawn in percent. */
const factorOf = (chart: DepthFigure) =>
  chart.lines.some(({ figure }) => FIGURE_INFO[figure].unit === 'percent') ? 100 : 1;

function extentOf({ body }: Loaded<DepthView>, chart: DepthFigure, factor: number) {
  const known = chart.lines.flatMap(({ figure }) => body.extents[figure] ?? []);
  const range: Range = [Math.min(...known) * factor, Math.max(...known) * factor];
  return known.length === 0 ? undefined : range;
}

/** Where a figure is largest. */
function largestIn(values: Numbers): number {
  let best = -1;
  values.forEach((value: number, i: number) => {
    if (value > (values[best] ?? -Infinity)) best = i;
  });
  return best;
}

interface DepthLineOf {
  readonly label: string;
  readonly figure: ModelFigure;
  readonly tone: Tone;
  /** By layer, in the figure's own unit. */
  readonly raw: Numbers;
}

const readingsOf = (lines: readonly DepthLineOf[], row: ModelRow | undefined) =>
  lines.map(({ label, figure, raw, tone }) => {
    const value = formatFigure(figure, row && rowValue(raw, row));
    return { tone, label, value, words: text('seriesValue', label, value) };
  });

interface ReadingsProps {
  readonly lines: readonly DepthLineOf[];
  readonly rows: readonly ModelRow[];
  readonly selectedRow: number;
  readonly trend: readonly string[];
}

/** The figures of the layer under the pointer, else of the chosen one. */
function DepthReadings({ lines, rows, selectedRow, trend }: ReadingsProps) {
  const row = rows[hoveredRow.value] ?? rows[selectedRow];
  return (
    <>
      {readingsOf(lines, row).map(({ tone, label, value, words }) => (
        <span key={label} class="reading">
          {tone !== 'foreground' && <SideMark side={tone} />}
          {lines.length > 1 ? words : value}
        </span>
      ))}
      {trend.map((words) => (
        <span key={words} class="reading">
          {words}
        </span>
      ))}
    </>
  );
}

export interface DepthFigureProps {
  readonly view: Loaded<DepthView>;
  readonly chart: DepthFigure;
  readonly names: readonly string[];
  readonly rows: readonly ModelRow[];
  readonly layout: RowLayout;
  /** 0: the chart to the left has the names. */
  readonly gutter: number;
  /** Index in model order. */
  readonly selected: number;
}

/** One figure, before and after where it has two sides, over the layers of the model. */
export function DepthProfileFigure(props: DepthFigureProps) {
  const { view, chart, names, rows, layout, gutter, selected } = props;
  const scale = scaleOf(chart.id, chart.scale);
  const factor = factorOf(chart);
  const lines = chart.lines.map((line) => ({
    ...line,
    label: text(line.label),
    raw: numbers(view, line.figure),
    values: numbers(view, line.figure).map((value: number) => value * factor) as Numbers,
  }));
  const title = text(chart.title);
  const selectedRow = rows.findIndex(({ layers }) => layers.includes(selected));
  const row = rows[selectedRow];
  const rowName = row && (row.leaf === '' ? row.group.path : names[row.layers[0] ?? -1]);
  const peaks = lines.map(({ label, figure, raw }) => {
    const at = largestIn(raw);
    const value = formatFigure(figure, raw[at]);
    return text('depthPeak', label, value, names[at] ?? UNKNOWN);
  });
  const slope =
    chart.scale === 'log' ? depthProfile(Array.from(lines[0]?.raw ?? [])).perLayer : NaN;
  const trend = Number.isNaN(slope) ? [] : [text('depthPerLayer', formatNumber(slope))];
  const band = chart.band === undefined ? undefined : numbers(view, chart.band);
  const [{ figure: first } = { figure: undefined }] = lines;
  const profile = {
    rows,
    layout,
    gutter,
    lines,
    ...(band && { band }),
    log: scale.current.value === 'log',
    extent: extentOf(view, chart, factor),
    ...(chart.reference !== undefined && { reference: chart.reference }),
    unit: first ? UNITS[FIGURE_INFO[first].unit] : '',
    selectedRow,
  };
  const layerOf = (row: number) => view.body.layers[rows[row]?.layers[0] ?? -1];
  const choose = (row: number) => {
    const id = layerOf(row);
    if (id !== undefined) chooseLayer(id);
  };
  return (
    <Figure
      id={chart.id}
      size="tall"
      title={title}
      caption={<DepthReadings lines={lines} rows={rows} selectedRow={selectedRow} trend={trend} />}
      sentence={text(
        'depthSentence',
        formatCount(view.body.step),
        formatCount(names.length),
        rowName ?? UNKNOWN,
        readingsOf(lines, row)
          .map(({ words }) => words)
          .join(', '),
        [...peaks, ...trend].join(', '),
      )}
      table={() => ({
        columns: [
          { title: text('columnLayer'), values: names },
          ...lines.map(({ label, raw }) => ({ title: label, values: raw })),
          ...(band ? [{ title: text('columnFloor'), values: band }] : []),
        ],
      })}
      draw={drawDepthProfile(profile)}
      definition={chart.definition}
      controls={<ScaleSwitch title={title} scale={scale} />}
    >
      <DepthChart
        {...profile}
        keys={text('depthKeys')}
        onChoose={choose}
        onOpen={(row) => {
          choose(row);
          chooseSection('layer');
        }}
        onToggle={(row) => {
          const group = rows[row]?.group;
          if (group) toggleGroup(group);
        }}
      />
    </Figure>
  );
}
