import { mean as average } from 'd3-array';
import type { LayerView } from '../../extension/protocol/views';
import { FeatureProfile, hoveredFeature } from '../charts/featureProfile';
import { Figure, Readings, tapOf, type Side } from '../charts/figure';
import { profileRange, sampleRanges, type Profile, type Samples } from '../charts/ranges';
import { SampleScatter } from '../charts/sampleScatter';
import { formatCount, formatNumber } from '../format';
import { finite, numbers, type Loaded, type Numbers } from '../state/viewData';
import { text } from '../strings';

const SIDES: readonly Side[] = ['before', 'after'];
const TITLES = { before: 'titleBefore', after: 'titleAfter' } as const;

function profileOf(view: Loaded<LayerView>, side: Side): Profile {
  const tap = tapOf(side);
  return {
    mean: numbers(view, `${tap}FeatureMean`),
    std: numbers(view, `${tap}FeatureStd`),
    min: numbers(view, `${tap}FeatureMin`),
    max: numbers(view, `${tap}FeatureMax`),
  };
}

function samplesOf(view: Loaded<LayerView>, side: Side): Samples {
  const tap = tapOf(side);
  return { mean: numbers(view, `${tap}SampleMean`), std: numbers(view, `${tap}SampleStd`) };
}

/** Index of the largest finite value; −1 where there is none. */
function indexOfLargest(values: Numbers): number {
  let best = -1;
  values.forEach((value: number, i: number) => {
    if (Number.isFinite(value) && (best < 0 || value > (values[best] ?? 0))) best = i;
  });
  return best;
}

function featureCaption({ mean, std, min, max }: Profile, stride: number): string {
  const hovered = hoveredFeature.value;
  const values = (i: number) => [mean, std, min, max].map((row) => formatNumber(row[i]));
  if (hovered !== null && hovered < mean.length) {
    return text('perFeatureAt', formatCount(hovered * stride), ...values(hovered));
  }
  const widest = indexOfLargest(std);
  if (widest < 0) return text('noValues');
  return (
    text('perFeatureCaption', formatCount(widest * stride), formatNumber(std[widest])) +
    (stride > 1 ? ` · ${text('perFeatureStride', formatCount(stride))}` : '')
  );
}

function sampleCaption({ mean, std }: Samples): string {
  return text(
    'perSampleCaption',
    formatCount(mean.length),
    formatNumber(average(finite(mean))),
    formatNumber(average(finite(std))),
  );
}

interface ProfileChartsProps {
  readonly view: Loaded<LayerView>;
  /** Both sides over the same values. */
  readonly shared: boolean;
}

/** Per feature and per sample, before next to after. */
export function ProfileCharts({ view, shared }: ProfileChartsProps) {
  const profiles = SIDES.map((side) => profileOf(view, side));
  const samples = SIDES.map((side) => samplesOf(view, side));
  const stride = Math.max(1, view.body.featureStride);
  return (
    <>
      {SIDES.map((side, i) => {
        const profile = profiles[i] ?? profileOf(view, side);
        const caption = featureCaption(profile, stride);
        return (
          <Figure
            key={side}
            size="medium"
            side={side}
            title={`${text(TITLES[side])} · ${text('perFeature')}`}
            caption={<Readings>{caption}</Readings>}
            sentence={text('perFeatureSentence', formatCount(view.body.info.features), caption)}
          >
            <FeatureProfile
              side={side}
              profile={profile}
              range={profileRange(shared ? profiles : [profile])}
              stride={stride}
              axis={text('axisFeature')}
            />
          </Figure>
        );
      })}
      {SIDES.map((side, i) => {
        const set = samples[i] ?? samplesOf(view, side);
        const caption = sampleCaption(set);
        return (
          <Figure
            key={`${side}-samples`}
            size="medium"
            side={side}
            title={`${text(TITLES[side])} · ${text('perSample')}`}
            caption={<Readings>{caption}</Readings>}
            sentence={text('perSampleSentence', caption)}
          >
            <SampleScatter
              side={side}
              samples={set}
              ranges={sampleRanges(shared ? samples : [set])}
              axes={[text('axisMean'), text('axisStd')]}
            />
          </Figure>
        );
      })}
    </>
  );
}
