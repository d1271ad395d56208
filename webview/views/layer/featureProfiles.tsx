import type { LayerView } from '../../../extension/protocol/views';
import { hoveredFeature, type FeatureAxis } from '../../charts/featureAxis';
import { drawProfile, FeatureProfile, type FeatureProfileProps } from '../../charts/featureProfile';
import { Figure, Readings, tapOf, type Side } from '../../charts/figure';
import { profileRange, type Profile } from '../../charts/ranges';
import { formatCount, formatNumber } from '../../format';
import { chosenFeature } from '../../state/layerDetail';
import { numbers, type Loaded } from '../../state/viewData';
import { sameAxes } from '../../state/sameAxes';
import { text } from '../../strings';
import { featureAxis, featuresOf, inAxisOrder } from './featureOrder';
import { SIDE_TITLES, SIDES } from './sides';

function profileOf(view: Loaded<LayerView>, side: Side): Profile {
  const tap = tapOf(side);
  return {
    mean: numbers(view, `${tap}FeatureMean`),
    std: numbers(view, `${tap}FeatureStd`),
    min: numbers(view, `${tap}FeatureMin`),
    max: numbers(view, `${tap}FeatureMax`),
  };
}

function captionOf({ mean, std, min, max }: Profile, { stride }: FeatureAxis): string {
  const feature = hoveredFeature.value ?? chosenFeature.index.value;
  const at = Math.floor(feature / stride);
  if (at >= mean.length) return text('noValues');
  const values = [mean, std, min, max].map((row) => formatNumber(row[at]));
  return (
    text('perFeatureAt', formatCount(at * stride), ...values) +
    (stride > 1 ? ` · ${text('perFeatureStride', formatCount(stride))}` : '')
  );
}

/** Mean ± σ of each feature at the selected step, before next to after. */
export function FeatureProfiles({ view }: { readonly view: Loaded<LayerView> }) {
  const axis = featureAxis(view);
  const profiles = { before: profileOf(view, 'before'), after: profileOf(view, 'after') };
  const shared = sameAxes.current.value === 'shared';
  return (
    <>
      {SIDES.map((side) => {
        const profile = profiles[side];
        const caption = captionOf(profile, axis);
        const props: FeatureProfileProps = {
          side,
          profile,
          range: profileRange(shared ? Object.values(profiles) : [profile]),
          axis,
        };
        return (
          <Figure
            key={side}
            id={`features.${side}`}
            size="medium"
            side={side}
            title={`${text(SIDE_TITLES[side])} · ${text('perFeature')}`}
            caption={<Readings>{caption}</Readings>}
            sentence={text('perFeatureSentence', formatCount(view.body.info.features), caption)}
            table={() => ({
              columns: [
                { title: text('axisFeature'), values: featuresOf(axis) },
                { title: text('axisMean'), values: inAxisOrder(profile.mean, axis) },
                { title: text('axisStd'), values: inAxisOrder(profile.std, axis) },
                { title: text('figureMin'), values: inAxisOrder(profile.min, axis) },
                { title: text('figureMax'), values: inAxisOrder(profile.max, axis) },
              ],
            })}
            draw={drawProfile(props)}
            definition="features"
          >
            <FeatureProfile
              {...props}
              chosen={chosenFeature.index.value}
              onChoose={chosenFeature.choose}
            />
          </Figure>
        );
      })}
    </>
  );
}
