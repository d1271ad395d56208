import type { LayerView } from '../../../extension/protocol/views';
import { option } from '../../state/options';
import type { Loaded } from '../../state/viewData';
import { text } from '../../strings';
import { Choice } from './choice';
import { DriftReference } from './driftReference';
import { Group, groupState } from './group';
import { sides, type StepFigures } from './stepChart';
import { StepCharts } from './stepCharts';

const MEASURES = ['moments', 'wasserstein', 'psi'] as const;
type Measure = (typeof MEASURES)[number];

const measure = option('drift.measure', MEASURES);
const state = groupState('drift');

const CHARTS: Readonly<Record<Measure, StepFigures>> = {
  moments: {
    id: 'drift.moments',
    title: 'drift',
    unit: 'unitStd',
    size: 'medium',
    lines: sides('preDrift', 'postDrift'),
    band: 'preDriftFloor',
    zero: true,
    inTurns: true,
    scale: 'linear',
    definition: 'drift',
  },
  wasserstein: {
    id: 'drift.wasserstein',
    title: 'driftWasserstein',
    unit: 'unitStd',
    size: 'medium',
    lines: sides('preWasserstein', 'postWasserstein'),
    band: 'preWassersteinFloor',
    zero: true,
    inTurns: true,
    scale: 'linear',
    definition: 'drift',
  },
  psi: {
    id: 'drift.psi',
    title: 'driftPsi',
    unit: 'unitPsi',
    size: 'medium',
    lines: sides('prePsi', 'postPsi'),
    band: 'prePsiFloor',
    zero: true,
    inTurns: true,
    scale: 'linear',
    definition: 'drift',
  },
};

const VARIANCE: StepFigures = {
  id: 'varianceDrift',
  title: 'varianceDrift',
  unit: 'unitRelative',
  size: 'medium',
  lines: sides('preVarianceDrift', 'postVarianceDrift'),
  zero: true,
  inTurns: true,
  scale: 'linear',
  definition: 'drift',
};

/** How far the layer's distribution moves from a reference, and what sampling alone makes of that. */
export function DriftGroup({ view }: { readonly view: Loaded<LayerView> }) {
  return (
    <Group
      id="drift"
      title={text('groupDrift')}
      state={state}
      controls={
        <>
          <Choice
            label="driftMeasure"
            option={measure}
            names={{
              moments: 'measureMoments',
              wasserstein: 'measureWasserstein',
              psi: 'measurePsi',
            }}
          />
          <DriftReference shown={view.body.step} />
        </>
      }
    >
      <StepCharts view={view} charts={[CHARTS[measure.current.value], VARIANCE]} columns="pair" />
    </Group>
  );
}
