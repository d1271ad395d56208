import type { SliceView } from '../../../extension/protocol/layerDetailViews';
import type { LayerView } from '../../../extension/protocol/views';
import { Figure, Readings, tapOf, type Side } from '../../charts/figure';
import { drawRidges, Ridgeline, type Ridges } from '../../charts/ridgeline';
import { ridgeTable } from '../../charts/ridgeTable';
import { formatCount, formatPercent } from '../../format';
import { slice } from '../../state/layerDetail';
import { numbers, type Loaded } from '../../state/viewData';
import { text } from '../../strings';
import { SIDE_TITLES, SIDES } from './sides';

type Of = 'feature' | 'sample';

const MEBIBYTE = 1024 ** 2;

/** What is captured in depth and what that costs; while it is not, what to do. */
function captureWords({ run }: LayerView, found: Loaded<SliceView> | null): string {
  const ended = run.phase === 'ended' || run.phase === 'disconnected';
  const { captures = 0, captureBytes = 0 } = found?.body ?? {};
  if (captures === 0) return text(ended ? 'deepNever' : 'deepWaiting');
  const overhead = formatPercent(run.overheadPercent);
  const size = (captureBytes / MEBIBYTE).toPrecision(2);
  return text(ended ? 'deepKept' : 'deepLive', formatCount(captures), size, overhead);
}

interface SliceChartProps {
  readonly found: Loaded<SliceView>;
  readonly side: Side;
  readonly of: Of;
}

function SliceChart({ found, side, of }: SliceChartProps) {
  const { body } = found;
  const steps = numbers(found, 'ridgeSteps');
  const name = of === 'feature' ? 'Feature' : 'Sample';
  const densities = numbers(found, `${tapOf(side)}${name}Ridges`);
  const points = steps.length === 0 ? 0 : densities.length / steps.length;
  const last = steps.at(-1) ?? 0;
  const ridges: Ridges = {
    side,
    range: of === 'feature' ? body.featureRange : body.sampleRange,
    steps,
    densities,
    selected: densities.subarray(densities.length - points),
    selectedStep: last,
    axis: text('axisValue'),
  };
  const known = ridges.selected.some(Number.isFinite);
  const caption = known
    ? text('sliceCaption', formatCount(steps.length), formatCount(steps[0]), formatCount(last))
    : text('sliceNone');
  return (
    <Figure
      id={`slice.${of}.${side}`}
      size="tall"
      side={side}
      title={text(
        of === 'feature' ? 'sliceFeature' : 'sliceSample',
        text(SIDE_TITLES[side]),
        formatCount(body[of]),
      )}
      caption={<Readings>{caption}</Readings>}
      sentence={text('sliceSentence', caption)}
      table={() => ridgeTable(ridges)}
      draw={drawRidges(ridges)}
      definition="deep-capture"
    >
      <Ridgeline {...ridges} />
    </Figure>
  );
}

interface SliceChartsProps {
  readonly layer: LayerView;
  readonly of: Of;
}

/** The chosen feature or sample over the deep captures of the layer. */
export function SliceCharts({ layer, of }: SliceChartsProps) {
  const found = slice.value;
  const there = found && found.body.captures > 0 && found.body[of] !== null ? found : null;
  return (
    <>
      <p class="deep-state hint" role="status">
        <span class="codicon codicon-telescope" aria-hidden="true" />
        {captureWords(layer, found)}
      </p>
      {there && SIDES.map((side) => <SliceChart key={side} found={there} side={side} of={of} />)}
    </>
  );
}
