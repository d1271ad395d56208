import type { LayerView, TapFigures } from '../../extension/protocol/views';
import { Figure, Readings, tapOf, type Side } from '../charts/figure';
import { Ridgeline } from '../charts/ridgeline';
import { formatCount, formatNumber } from '../format';
import { numbers, type Loaded } from '../state/viewData';
import { text } from '../strings';

interface SideChartProps {
  readonly view: Loaded<LayerView>;
  readonly side: Side;
}

function DistributionChart({ view, side }: SideChartProps) {
  const tap = tapOf(side);
  const { body } = view;
  const figures: TapFigures | undefined = body.figures.find((each) => each.tap === tap);
  const steps = numbers(view, 'ridgeSteps');
  const shown = body.step ?? 0;
  const { mean, std, min, max } = figures ?? {};
  const values = [mean, std, min, max].map(formatNumber);
  const caption =
    text('distributionCaption', ...values) +
    (body.histogramStride > 1
      ? ` · ${text('distributionStride', formatCount(body.histogramStride))}`
      : '');
  return (
    <Figure
      size="tall"
      side={side}
      title={text(side === 'before' ? 'titleBefore' : 'titleAfter')}
      caption={<Readings>{caption}</Readings>}
      sentence={text(
        'distributionSentence',
        formatCount(steps[0] ?? shown),
        formatCount(shown),
        ...values,
      )}
    >
      <Ridgeline
        side={side}
        range={body.valueRange}
        steps={steps}
        densities={numbers(view, `${tap}Ridges`)}
        selected={numbers(view, `${tap}Histogram`)}
        selectedStep={shown}
        axis={text('axisValue')}
      />
    </Figure>
  );
}

/** Distribution now and over steps, on both sides of the norm. */
export function DistributionCharts({ view }: { readonly view: Loaded<LayerView> }) {
  return (
    <>
      <DistributionChart view={view} side="before" />
      <DistributionChart view={view} side="after" />
    </>
  );
}
