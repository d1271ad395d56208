import { BAND_QUANTILES, type LayerView } from '../../../extension/protocol/views';
import { bandRange, Bands, drawBands, type BandsProps } from '../../charts/bands';
import { Figure, Readings, tapOf, type Side } from '../../charts/figure';
import { nearestIndex } from '../../charts/nearest';
import { hoveredStep } from '../../charts/hoveredStep';
import { formatCount, formatNumber } from '../../format';
import { chooseStep } from '../../state/runs';
import { numbers, type Loaded } from '../../state/viewData';
import { sameAxes } from '../../state/sameAxes';
import { text } from '../../strings';
import { SIDE_TITLES, SIDES } from './sides';

const WIDTH = BAND_QUANTILES.length;

interface BandChartProps {
  readonly view: Loaded<LayerView>;
  readonly side: Side;
}

const bandsOf = (view: Loaded<LayerView>, side: Side) => numbers(view, `${tapOf(side)}Bands`);

function BandChart({ view, side }: BandChartProps) {
  const steps = numbers(view, 'bandSteps');
  const bands = bandsOf(view, side);
  const shared = sameAxes.current.value === 'shared';
  const props: BandsProps = {
    side,
    steps,
    bands,
    range: bandRange(shared ? SIDES.map((each) => bandsOf(view, each)) : [bands]),
    selectedStep: view.body.step,
    titles: [text('axisStep'), text('axisValue')],
  };
  const shown = hoveredStep.value ?? view.body.step;
  const row = shown === null ? -1 : nearestIndex(steps, shown);
  const values = Array.from(bands.subarray(row * WIDTH, (row + 1) * WIDTH), formatNumber);
  const [lowest, , lower, median, upper, , highest] = values;
  const caption = text(
    'bandsCaption',
    median ?? formatNumber(null),
    lower ?? formatNumber(null),
    upper ?? formatNumber(null),
    lowest ?? formatNumber(null),
    highest ?? formatNumber(null),
  );
  return (
    <Figure
      id={`bands.${side}`}
      size="tall"
      side={side}
      title={text(SIDE_TITLES[side])}
      caption={<Readings>{caption}</Readings>}
      sentence={text('seriesSentence', formatCount(steps[row] ?? shown), caption)}
      table={() => ({
        columns: [
          { title: text('axisStep'), values: steps },
          ...BAND_QUANTILES.map((quantile, i) => ({
            title: text('columnPercentile', formatCount(100 * quantile)),
            values: Float64Array.from(steps, (_, at) => bands[at * WIDTH + i] ?? NaN),
          })),
        ],
      })}
      draw={drawBands(props)}
      definition="distribution"
    >
      <Bands {...props} onChoose={chooseStep} />
    </Figure>
  );
}

/** Percentiles over steps, on both sides of the norm. */
export function BandCharts({ view }: { readonly view: Loaded<LayerView> }) {
  return (
    <>
      {SIDES.map((side) => (
        <BandChart key={side} view={view} side={side} />
      ))}
    </>
  );
}
