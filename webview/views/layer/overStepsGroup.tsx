import type { LayerView } from '../../../extension/protocol/views';
import type { Loaded } from '../../state/viewData';
import { text } from '../../strings';
import { Group, groupState } from './group';
import { sides, single, type StepFigures } from './stepChart';
import { StepCharts } from './stepCharts';

const state = groupState('overSteps');

const CHARTS: readonly StepFigures[] = [
  {
    id: 'mean',
    title: 'activationMean',
    size: 'small',
    lines: sides('preMean', 'postMean'),
    definition: 'distribution',
  },
  {
    id: 'std',
    title: 'activationStd',
    size: 'small',
    lines: sides('preStd', 'postStd'),
    zero: true,
    scale: 'linear',
    definition: 'distribution',
  },
  {
    id: 'kurtosis',
    title: 'activationKurtosis',
    size: 'small',
    lines: sides('preKurtosis', 'postKurtosis'),
    definition: 'distribution',
  },
  {
    id: 'skewness',
    title: 'activationSkewness',
    size: 'small',
    lines: sides('preSkewness', 'postSkewness'),
    definition: 'distribution',
  },
  {
    id: 'headroom',
    title: 'activationHeadroom',
    size: 'small',
    lines: sides('preHeadroom', 'postHeadroom'),
    scale: 'log',
    definition: 'value-classes',
  },
  {
    id: 'loss',
    title: 'lossCaption',
    size: 'small',
    lines: single('lossCaption', 'loss'),
    scale: 'linear',
  },
];

/** The layer's figures as a whole over the steps of the run. */
export function OverStepsGroup({ view }: { readonly view: Loaded<LayerView> }) {
  return (
    <Group id="overSteps" title={text('groupOverSteps')} state={state}>
      <StepCharts view={view} charts={CHARTS} columns="triple" />
    </Group>
  );
}
