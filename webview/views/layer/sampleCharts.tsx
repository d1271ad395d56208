import { signal } from '@preact/signals';
import { mean as average } from 'd3-array';
import type { LayerView } from '../../../extension/protocol/views';
import { Figure, Readings, tapOf, type Side } from '../../charts/figure';
import { sampleRanges, type Samples } from '../../charts/ranges';
import { drawSamples, SampleScatter, type SampleScatterProps } from '../../charts/sampleScatter';
import { formatCount, formatNumber } from '../../format';
import { chosenSample } from '../../state/layerDetail';
import { finite, numbers, type Loaded } from '../../state/viewData';
import { sameAxes } from '../../state/sameAxes';
import { text } from '../../strings';
import { SIDE_TITLES, SIDES } from './sides';

/** The sample under the pointer, in whichever of the two charts it is. */
const hoveredSample = signal<number | null>(null);

function samplesOf(view: Loaded<LayerView>, side: Side): Samples {
  const tap = tapOf(side);
  return { mean: numbers(view, `${tap}SampleMean`), std: numbers(view, `${tap}SampleStd`) };
}

function captionOf({ mean, std }: Samples): string {
  const looked = hoveredSample.value ?? chosenSample.index.value;
  return (
    text(
      'perSampleCaption',
      formatCount(mean.length),
      formatNumber(average(finite(mean))),
      formatNumber(average(finite(std))),
    ) +
    (looked < mean.length
      ? ` · ${text(
          'perSampleAt',
          formatCount(looked),
          formatNumber(mean[looked]),
          formatNumber(std[looked]),
        )}`
      : '')
  );
}

/** Each sample by its mean and σ, before next to after. */
export function SampleCharts({ view }: { readonly view: Loaded<LayerView> }) {
  const samples = { before: samplesOf(view, 'before'), after: samplesOf(view, 'after') };
  const shared = sameAxes.current.value === 'shared';
  return (
    <>
      {SIDES.map((side) => {
        const set = samples[side];
        const caption = captionOf(set);
        const props: SampleScatterProps = {
          side,
          samples: set,
          ranges: sampleRanges(shared ? Object.values(samples) : [set]),
          axes: [text('axisMean'), text('axisStd')],
        };
        return (
          <Figure
            key={side}
            id={`samples.${side}`}
            size="medium"
            side={side}
            title={`${text(SIDE_TITLES[side])} · ${text('perSample')}`}
            caption={<Readings>{caption}</Readings>}
            sentence={text('perSampleSentence', caption)}
            table={() => ({
              columns: [
                { title: text('axisSample'), values: Float64Array.from(set.mean, (_, i) => i) },
                { title: text('axisMean'), values: set.mean },
                { title: text('axisStd'), values: set.std },
              ],
            })}
            draw={drawSamples(props)}
            definition="samples"
          >
            <SampleScatter
              {...props}
              chosen={chosenSample.index.value}
              onChoose={chosenSample.choose}
              onPoint={(sample) => {
                hoveredSample.value = sample;
              }}
            />
          </Figure>
        );
      })}
    </>
  );
}
