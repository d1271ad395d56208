import type { FeaturesView } from '../../../extension/protocol/layerDetailViews';
import type { LayerView } from '../../../extension/protocol/views';
import { hoveredFeature, type FeatureAxis } from '../../charts/featureAxis';
import { drawFeatureHeat, FeatureHeat, type FeatureHeatProps } from '../../charts/featureHeat';
import type { ChartTable } from '../../charts/chartTable';
import { Figure, Readings, type Side } from '../../charts/figure';
import { nearestIndex } from '../../charts/nearest';
import { hoveredStep } from '../../charts/hoveredStep';
import { formatCount, formatNumber } from '../../format';
import { chosenFeature, featurePass, features, featureStatistic } from '../../state/layerDetail';
import { chooseStep } from '../../state/runs';
import { numbers, type Loaded } from '../../state/viewData';
import { text } from '../../strings';
import { Choice } from './choice';
import { coarserAxis, featureAxis } from './featureOrder';
import { GRADIENT_TITLES, SIDE_TITLES, SIDES } from './sides';

/** A row a step and feature, in the order in which they are drawn. */
function tableOf({ steps, values, axis }: FeatureHeatProps, figure: string): ChartTable {
  const { order, stride } = axis;
  const length = steps.length * order.length;
  const width = steps.length === 0 ? 0 : values.length / steps.length;
  const column = (of: (row: number, position: number) => number) =>
    Float64Array.from({ length }, (_, i) =>
      of(Math.floor(i / order.length), order[i % order.length] ?? NaN),
    );
  return {
    columns: [
      { title: text('axisStep'), values: column((row) => steps[row] ?? NaN) },
      { title: text('axisFeature'), values: column((_, position) => position * stride) },
      { title: figure, values: column((row, position) => values[row * width + position] ?? NaN) },
    ],
  };
}

function readingOf(props: FeatureHeatProps, figure: string): string {
  const { steps, values, axis, selectedStep } = props;
  const row = nearestIndex(steps, hoveredStep.value ?? selectedStep ?? Infinity);
  const feature = hoveredFeature.value ?? chosenFeature.index.value;
  const position = Math.floor(feature / axis.stride);
  const value = values[(row * values.length) / Math.max(1, steps.length) + position];
  return text(
    'featureHeatAt',
    formatCount(position * axis.stride),
    formatCount(steps[row]),
    figure,
    formatNumber(value),
  );
}

interface HeatProps {
  readonly loaded: Loaded<FeaturesView>;
  readonly side: Side;
  readonly axis: FeatureAxis;
  readonly selectedStep: number | null;
}

function Heat({ loaded, side, axis, selectedStep }: HeatProps) {
  const { statistic, pass } = loaded.body;
  const figure = text(statistic === 'mean' ? 'axisMean' : 'axisStd');
  const props: FeatureHeatProps = {
    side,
    steps: numbers(loaded, 'steps'),
    values: numbers(loaded, side),
    signed: statistic === 'mean',
    axis,
    selectedStep,
  };
  const caption = readingOf(props, figure);
  const name = text((pass === 'forward' ? SIDE_TITLES : GRADIENT_TITLES)[side]);
  return (
    <Figure
      id={`featureHeat.${side}`}
      size="tall"
      side={side}
      title={text('featureHeatTitle', name, figure)}
      caption={<Readings>{caption}</Readings>}
      sentence={text(
        'featureHeatSentence',
        figure,
        formatCount(props.steps[0]),
        formatCount(props.steps.at(-1)),
        caption,
      )}
      table={() => tableOf(props, figure)}
      draw={drawFeatureHeat(props)}
      definition="features"
    >
      <FeatureHeat
        {...props}
        chosen={chosenFeature.index.value}
        onChoose={(feature, step) => {
          chosenFeature.choose(feature);
          if (step !== null) chooseStep(step);
        }}
      />
    </Figure>
  );
}

/** A statistic of every feature over steps, on both sides of the norm. */
export function FeatureHeats({ view }: { readonly view: Loaded<LayerView> }) {
  const loaded = features.value;
  if (!loaded) return null;
  const axis = coarserAxis(featureAxis(view), loaded.body.featureStride);
  return (
    <>
      <div class="charts-head">
        <h4>{text('overSteps')}</h4>
        <Choice
          label="heatStatistic"
          option={featureStatistic}
          names={{ std: 'axisStd', mean: 'axisMean' }}
        />
        <Choice
          label="heatPass"
          option={featurePass}
          names={{ forward: 'figuresForward', backward: 'figuresBackward' }}
        />
      </div>
      {SIDES.map((side) => (
        <Heat key={side} loaded={loaded} side={side} axis={axis} selectedStep={view.body.step} />
      ))}
    </>
  );
}
