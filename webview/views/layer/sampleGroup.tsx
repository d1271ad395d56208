import type { LayerView } from '../../../extension/protocol/views';
import { IndexBox } from '../../controls/indexBox';
import { formatCount } from '../../format';
import { chosenSample, samplesShown } from '../../state/layerDetail';
import { numbers, type Loaded } from '../../state/viewData';
import { text } from '../../strings';
import { ExtremeRows } from './extremeRows';
import { Group } from './group';
import { RowCharts } from './rowCharts';
import { SampleCharts } from './sampleCharts';
import { SliceCharts } from './sliceCharts';

/** The samples of the batch and their rows: all of them, the most extreme, and one in depth. */
export function SampleGroup({ view }: { readonly view: Loaded<LayerView> }) {
  const samples = numbers(view, 'preSampleMean').length || numbers(view, 'postSampleMean').length;
  return (
    <Group
      id="samples"
      title={text('groupSamples', formatCount(samples))}
      state={samplesShown}
      controls={
        <IndexBox
          label={text('chosenSample')}
          value={chosenSample.index.value}
          count={Math.max(1, samples)}
          onChange={chosenSample.choose}
        />
      }
    >
      <div class="charts pair">
        <SampleCharts view={view} />
        <RowCharts view={view} />
      </div>
      <ExtremeRows view={view.body} />
      <div class="charts pair">
        <SliceCharts layer={view.body} of="sample" />
      </div>
    </Group>
  );
}
