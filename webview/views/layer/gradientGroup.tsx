import type { LayerView } from '../../../extension/protocol/views';
import { formatNumber } from '../../format';
import type { Loaded } from '../../state/viewData';
import { text } from '../../strings';
import { Group, groupState } from './group';
import { HistogramCharts } from './histogramCharts';
import { gradients, single, type StepFigures } from './stepChart';
import { StepCharts } from './stepCharts';

const state = groupState('gradients');

const LARGE: readonly StepFigures[] = [
  {
    id: 'gradientNorm',
    title: 'gradientNorm',
    unit: 'unitNorm',
    size: 'medium',
    lines: gradients('Norm'),
    scale: 'log',
    definition: 'gradients',
  },
  {
    id: 'gradientRatio',
    title: 'gradientRatio',
    unit: 'unitRelative',
    size: 'medium',
    lines: single('gradientRatioLine', 'gradientRatio'),
    scale: 'log',
    definition: 'gradients',
  },
];

const MEANS: readonly StepFigures[] = [
  {
    id: 'gradientMean',
    title: 'gradientMean',
    size: 'small',
    lines: gradients('Mean'),
    definition: 'gradients',
  },
  {
    id: 'gradientStd',
    title: 'gradientStd',
    size: 'small',
    lines: gradients('Std'),
    zero: true,
    scale: 'linear',
    definition: 'gradients',
  },
];

/** Xu et al. 2019: LayerNorm centres dL/dx, and its variance stays below a bound. */
const THEOREM: readonly StepFigures[] = [
  {
    id: 'theoremMean',
    title: 'theoremMean',
    size: 'small',
    lines: [
      { tone: 'after', label: 'theoremMeanAfter', tensor: 'theoremMeanAfter' },
      { tone: 'before', label: 'gradBefore', tensor: 'theoremMeanBefore' },
    ],
    definition: 'layer-norm-theorem',
  },
  {
    id: 'theoremVariance',
    title: 'theoremVariance',
    size: 'small',
    lines: [
      { tone: 'foreground', label: 'theoremBound', tensor: 'theoremBound' },
      { tone: 'before', label: 'gradBefore', tensor: 'theoremVariance' },
    ],
    scale: 'log',
    definition: 'layer-norm-theorem',
  },
];

/** What the layer does to the gradient that flows back through it. */
export function GradientGroup({ view }: { readonly view: Loaded<LayerView> }) {
  const { lossScale, layerFigures } = view.body;
  const { theoremVariance, theoremBound } = layerFigures;
  return (
    <Group
      id="gradients"
      title={text('groupGradients')}
      note={lossScale === null ? undefined : text('lossScaled', formatNumber(lossScale))}
      state={state}
    >
      <StepCharts view={view} charts={LARGE} columns="pair" />
      <div class="charts pair">
        <HistogramCharts view={view} pass="backward" />
      </div>
      <StepCharts view={view} charts={[...MEANS, ...THEOREM]} columns="pair" />
      {theoremVariance !== null && theoremBound !== null && (
        <p class="hint">
          {text(
            'theoremHint',
            formatNumber(theoremVariance),
            formatNumber((100 * theoremVariance) / theoremBound),
          )}
        </p>
      )}
    </Group>
  );
}
