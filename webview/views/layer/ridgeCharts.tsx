import type { LayerView } from '../../../extension/protocol/views';
import { Figure, Readings, tapOf, type Side } from '../../charts/figure';
import { drawRidges, Ridgeline, type Ridges } from '../../charts/ridgeline';
import { ridgeTable } from '../../charts/ridgeTable';
import { formatCount, formatNumber } from '../../format';
import { numbers, type Loaded } from '../../state/viewData';
import { text } from '../../strings';
import { figuresOf, SIDE_TITLES, SIDES } from './sides';

interface SideChartProps {
  readonly view: Loaded<LayerView>;
  readonly side: Side;
}

function RidgeChart({ view, side }: SideChartProps) {
  const tap = tapOf(side);
  const { body } = view;
  const steps = numbers(view, 'ridgeSteps');
  const shown = body.step ?? 0;
  const { mean, std, min, max } = figuresOf(body, tap) ?? {};
  const values = [mean, std, min, max].map(formatNumber);
  const caption =
    text('distributionCaption', ...values) +
    (body.histogramStride > 1
      ? ` · ${text('distributionStride', formatCount(body.histogramStride))}`
      : '');
  const ridges: Ridges = {
    side,
    range: body.valueRanges[tap],
    steps,
    densities: numbers(view, `${tap}Ridges`),
    selected: numbers(view, `${tap}Histogram`),
    selectedStep: shown,
    axis: text('axisValue'),
  };
  return (
    <Figure
      id={`distribution.${side}`}
      size="tall"
      side={side}
      title={text(SIDE_TITLES[side])}
      caption={<Readings>{caption}</Readings>}
      sentence={text(
        'distributionSentence',
        formatCount(steps[0] ?? shown),
        formatCount(shown),
        ...values,
      )}
      table={() => ridgeTable(ridges)}
      draw={drawRidges(ridges)}
      definition="distribution"
    >
      <Ridgeline {...ridges} />
    </Figure>
  );
}

/** Distribution over steps up to the selected one, on both sides of the norm. */
export function RidgeCharts({ view }: { readonly view: Loaded<LayerView> }) {
  return (
    <>
      {SIDES.map((side) => (
        <RidgeChart key={side} view={view} side={side} />
      ))}
    </>
  );
}
