import { extent } from 'd3-array';
import type { DefinitionId } from '../../../extension/protocol/definitions';
import type { LayerView } from '../../../extension/protocol/views';
import { hoveredFeature } from '../../charts/featureAxis';
import { drawStems, FeatureStems, type FeatureStemsProps } from '../../charts/featureStems';
import { Figure, Readings, type Side } from '../../charts/figure';
import { formatCount, formatNumber } from '../../format';
import { chosenFeature } from '../../state/layerDetail';
import { finite, type Loaded, type Numbers } from '../../state/viewData';
import { text } from '../../strings';
import { featureAxis, featuresOf, inAxisOrder } from './featureOrder';

interface StemChartProps {
  readonly id: string;
  readonly title: string;
  readonly side?: Side;
  readonly view: Loaded<LayerView>;
  readonly values: Numbers;
  /** What the values are seen against: a number, or a vector with its name. */
  readonly from: number | Numbers;
  readonly fromTitle?: string;
  readonly tone: FeatureStemsProps['tone'];
  readonly definition: DefinitionId;
}

/** A vector over the features of a layer at the selected step. */
export function StemChart(chart: StemChartProps) {
  const { id, title, side, view, values, from, fromTitle = '', tone, definition } = chart;
  const axis = featureAxis(view);
  const props: FeatureStemsProps = { values, from, tone, axis };
  const feature = hoveredFeature.value ?? chosenFeature.index.value;
  const at = Math.floor(feature / axis.stride);
  const [low, high] = extent(finite(values));
  const against =
    typeof from === 'number' ? '' : ` · ${text('stemFrom', fromTitle, formatNumber(from[at]))}`;
  const caption =
    text('stemCaption', formatCount(at * axis.stride), formatNumber(values[at])) +
    against +
    ` · ${text('stemRange', formatNumber(low), formatNumber(high))}`;
  return (
    <Figure
      id={id}
      size="medium"
      {...(side && { side })}
      title={title}
      caption={<Readings>{caption}</Readings>}
      sentence={text('perFeatureSentence', formatCount(view.body.info.features), caption)}
      table={() => ({
        columns: [
          { title: text('axisFeature'), values: featuresOf(axis) },
          { title, values: inAxisOrder(values, axis) },
          ...(typeof from === 'number'
            ? []
            : [{ title: fromTitle, values: inAxisOrder(from, axis) }]),
        ],
      })}
      draw={drawStems(props)}
      definition={definition}
    >
      <FeatureStems {...props} chosen={chosenFeature.index.value} onChoose={chosenFeature.choose} />
    </Figure>
  );
}
