import type { LayerView } from '../../../extension/protocol/views';
import { distribution } from '../../state/panel';
import type { Loaded } from '../../state/viewData';
import { text } from '../../strings';
import { BandCharts } from './bandCharts';
import { Choice } from './choice';
import { Group, groupState } from './group';
import { HistogramCharts } from './histogramCharts';
import { RidgeCharts } from './ridgeCharts';

const state = groupState('distribution');

/** How the values are distributed: over steps, and at the selected one with what lies beside the axis. */
export function DistributionGroup({ view }: { readonly view: Loaded<LayerView> }) {
  const bands = distribution.current.value === 'bands';
  return (
    <Group
      id="distribution"
      title={text('groupDistribution')}
      state={state}
      controls={
        <Choice
          label="distributionAs"
          option={distribution}
          names={{ ridges: 'distributionRidges', bands: 'distributionBands' }}
        />
      }
    >
      <div class="charts pair">
        {bands ? <BandCharts view={view} /> : <RidgeCharts view={view} />}
        <HistogramCharts view={view} pass="forward" />
      </div>
    </Group>
  );
}
