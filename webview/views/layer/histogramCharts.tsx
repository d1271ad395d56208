import type { Pass } from '../../../extension/protocol/layerDetailViews';
import type { LayerView, TapFigures } from '../../../extension/protocol/views';
import type { ValueClass } from '../../charts/classBars';
import { Figure, Readings, tapOf, type Side } from '../../charts/figure';
import { cellCounts, drawHistogram, Histogram, type HistogramProps } from '../../charts/histogram';
import { cellMiddles } from '../../charts/ridgeTable';
import { scaleOf, ScaleSwitch } from '../../charts/scaleSwitch';
import { formatCount, formatNumber, formatPercent } from '../../format';
import { numbers, type Loaded } from '../../state/viewData';
import { text } from '../../strings';
import { figuresOf, GRADIENT_TITLES, gradientTapOf, SIDE_TITLES, SIDES } from './sides';

/** Share of the dtype's largest number from which it is worth a figure. */
const NEAR_OVERFLOW = 1e-5;

/** Kinds of values that have no place on the axis, or too small a one. */
function classesOf(figures: TapFigures): readonly ValueClass[] {
  const { nan, positiveInfinity, negativeInfinity, zero, subnormal } = figures;
  return [
    { label: text('figureNan'), count: nan, alarming: true },
    { label: text('figurePositiveInfinity'), count: positiveInfinity, alarming: true },
    { label: text('figureNegativeInfinity'), count: negativeInfinity, alarming: true },
    { label: text('classZero'), count: zero, alarming: false },
    { label: text('classSubnormal'), count: subnormal, alarming: false },
  ];
}

/** Counts and shares in words, those of kinds that are there; and how near the largest is to overflow. */
function classWords(figures: TapFigures | undefined, dtype: string): string {
  if (!figures) return text('noValues');
  const there = classesOf(figures).filter(({ count }) => count > 0);
  const words = there.map(({ label, count }) =>
    text('classCount', label, formatCount(count), formatPercent((100 * count) / figures.elements)),
  );
  if (there.length === 0) words.push(text('classNone'));
  const { headroom } = figures;
  if (headroom !== null) {
    words.push(
      headroom < NEAR_OVERFLOW
        ? text('classFar', dtype)
        : text('classHeadroom', formatNumber(100 * headroom), dtype),
    );
  }
  return words.join(' · ');
}

interface HistogramChartProps {
  readonly view: Loaded<LayerView>;
  readonly side: Side;
  readonly pass: Pass;
}

function HistogramChart({ view, side, pass }: HistogramChartProps) {
  const { body } = view;
  const forward = pass === 'forward';
  const tap = forward ? tapOf(side) : gradientTapOf(side);
  const figures = figuresOf(body, tap);
  const id = `histogram.${tap}`;
  const scale = scaleOf(`histogram.${pass}`, 'linear');
  const finite = figures
    ? figures.elements - figures.nan - figures.positiveInfinity - figures.negativeInfinity
    : 0;
  const props: HistogramProps = {
    side,
    range: body.valueRanges[tap],
    density: numbers(view, `${tap}Histogram`),
    total: finite,
    classes: figures ? classesOf(figures) : [],
    log: scale.current.value === 'log',
    titles: [text(forward ? 'axisValue' : 'axisGradient'), text('axisCount')],
  };
  const caption = classWords(figures, body.info.dtype);
  const title = forward
    ? text('histogramTitle', text(SIDE_TITLES[side]), formatCount(body.step))
    : text('histogramTitle', text(GRADIENT_TITLES[side]), formatCount(body.step));
  return (
    <Figure
      id={id}
      size="medium"
      side={side}
      title={title}
      caption={<Readings>{caption}</Readings>}
      sentence={text('histogramSentence', formatCount(finite), caption)}
      table={() => ({
        columns: [
          { title: props.titles[0], values: cellMiddles(props.range, props.density.length) },
          { title: props.titles[1], values: cellCounts(props) },
        ],
      })}
      draw={drawHistogram(props)}
      definition="value-classes"
      controls={<ScaleSwitch title={title} scale={scale} />}
    >
      <Histogram {...props} />
    </Figure>
  );
}

/** The selected step: how many values are where, and how many are NaN, infinite, zero or subnormal. */
export function HistogramCharts({ view, pass }: Omit<HistogramChartProps, 'side'>) {
  return (
    <>
      {SIDES.map((side) => (
        <HistogramChart key={side} view={view} side={side} pass={pass} />
      ))}
    </>
  );
}
