import type { LayerView } from '../../../extension/protocol/views';
import { IndexBox } from '../../controls/indexBox';
import { formatCount } from '../../format';
import { chosenFeature, featuresShown } from '../../state/layerDetail';
import type { Loaded } from '../../state/viewData';
import { text } from '../../strings';
import { Choice } from './choice';
import { FeatureHeats } from './featureHeats';
import { featureOrder } from './featureOrder';
import { FeatureProfiles } from './featureProfiles';
import { Group } from './group';
import { NotableList } from './notableList';
import { SliceCharts } from './sliceCharts';

/** The features of a layer: now, over steps, and one of them in depth. */
export function FeatureGroup({ view }: { readonly view: Loaded<LayerView> }) {
  const { features } = view.body.info;
  return (
    <Group
      id="features"
      title={text('groupFeatures', formatCount(features))}
      state={featuresShown}
      controls={
        <>
          <Choice
            label="orderBy"
            option={featureOrder}
            names={{
              index: 'orderIndex',
              std: 'orderStd',
              drift: 'orderDrift',
              gamma: 'orderGamma',
            }}
          />
          <IndexBox
            label={text('chosenFeature')}
            value={chosenFeature.index.value}
            count={features}
            onChange={chosenFeature.choose}
          />
        </>
      }
    >
      <NotableList view={view.body} />
      <div class="charts pair">
        <FeatureProfiles view={view} />
        <FeatureHeats view={view} />
        <SliceCharts layer={view.body} of="feature" />
      </div>
    </Group>
  );
}
