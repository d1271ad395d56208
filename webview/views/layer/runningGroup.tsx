import type { LayerView } from '../../../extension/protocol/views';
import { formatNumber } from '../../format';
import { numbers, type Loaded } from '../../state/viewData';
import { text } from '../../strings';
import { Group, groupState } from './group';
import { StemChart } from './stemChart';
import { single, type StepFigures } from './stepChart';
import { StepCharts } from './stepCharts';

/** Statistics that a layer has of its own are looked at first, those it would have later. */
const OWN = groupState('running');
const AS_IF = groupState('runningAsIf', 'closed');

const OVER_STEPS: readonly StepFigures[] = [
  {
    id: 'shenMean',
    title: 'shenMean',
    size: 'small',
    lines: single('shenMeanLine', 'shenMean'),
    zero: true,
    scale: 'linear',
    definition: 'running-statistics',
  },
  {
    id: 'shenVariance',
    title: 'shenVariance',
    size: 'small',
    lines: single('shenVarianceLine', 'shenVariance'),
    zero: true,
    scale: 'linear',
    definition: 'running-statistics',
  },
  {
    id: 'tidMean',
    title: 'tidMean',
    unit: 'unitStd',
    size: 'small',
    lines: single('tidMeanLine', 'tidMean'),
    zero: true,
    scale: 'linear',
    definition: 'running-statistics',
  },
  {
    id: 'evalShift',
    title: 'evalShift',
    unit: 'unitStd',
    size: 'small',
    lines: single('evalShiftLine', 'relativeEvalShift'),
    zero: true,
    scale: 'linear',
    definition: 'eval-shift',
  },
];

function Profiles({ view }: { readonly view: Loaded<LayerView> }) {
  const [mean, std] = [numbers(view, 'preFeatureMean'), numbers(view, 'preFeatureStd')];
  const [runningMean, runningVariance] = [
    numbers(view, 'runningMean'),
    numbers(view, 'runningVariance'),
  ];
  if (!runningMean.some(Number.isFinite)) return null;
  return (
    <div class="charts pair">
      <StemChart
        id="running.mean"
        title={text('runningMeans')}
        side="before"
        view={view}
        values={mean}
        from={runningMean}
        fromTitle={text('running')}
        tone="before"
        definition="running-statistics"
      />
      <StemChart
        id="running.std"
        title={text('runningStds')}
        side="before"
        view={view}
        values={std}
        from={runningVariance.map((value) => Math.sqrt(Math.max(0, value))) as typeof std}
        fromTitle={text('running')}
        tone="before"
        definition="running-statistics"
      />
    </div>
  );
}

/** The batch against running statistics: the layer's own, or those of a BatchNorm in its place. */
export function RunningGroup({ view }: { readonly view: Loaded<LayerView> }) {
  const own = view.body.runningStatistics === 'own';
  const { relativeEvalShift } = view.body.layerFigures;
  return (
    <Group
      id="running"
      title={text(own ? 'groupRunning' : 'groupRunningAsIf')}
      note={
        relativeEvalShift === null
          ? undefined
          : text(own ? 'runningNote' : 'runningNoteAsIf', formatNumber(relativeEvalShift))
      }
      state={own ? OWN : AS_IF}
    >
      {!own && <p class="hint">{text('asIfHint')}</p>}
      <Profiles view={view} />
      <StepCharts view={view} charts={OVER_STEPS} columns="pair" />
    </Group>
  );
}
