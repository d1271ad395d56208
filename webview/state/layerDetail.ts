import { computed, signal } from '@preact/signals';
import { FEATURE_STATISTICS, PASSES } from '../../extension/protocol/layerDetailViews';
import { liveView } from './liveViews';
import { option } from './options';
import { layer, section } from './panel';
import { chosenRun, stepChoice, stepRange } from './runs';

const STEPS = 200;
const RIDGES = 24;
const RIDGE_POINTS = 96;

/** What the Layer section shows one feature and one sample of; both hold within their layer. */
interface Chosen {
  readonly key: string;
  readonly index: number;
}

const layerKey = computed(() => {
  const view = layer.value;
  return view && `${view.body.run.id} ${view.body.info.id}`;
});

/** An index that is chosen within a layer: what was chosen for another one does not count. */
function chosenWithin(usual: () => number) {
  const chosen = signal<Chosen | null>(null);
  const current = computed(() => {
    const { key, index } = chosen.value ?? {};
    return key !== undefined && key === layerKey.value ? index : undefined;
  });
  return {
    /** What is chosen; before that, what attracts the eye first. */
    index: computed(() => current.value ?? usual()),
    choose: (index: number) => {
      if (layerKey.value) chosen.value = { key: layerKey.value, index };
    },
  };
}

/** The feature that was first the worst of its layer, until the person chooses another. */
const firstWorst = new Map<string, number>();

function usualFeature(): number {
  const key = layerKey.value;
  if (!key) return 0;
  const known = firstWorst.get(key);
  if (known !== undefined) return known;
  const { pre, post } = layer.value?.body.notable ?? {};
  const found = [...(pre?.worst ?? []), ...(post?.worst ?? [])];
  const worst = (found.find(({ kind }) => kind !== 'dead') ?? found[0])?.feature;
  if (worst !== undefined) firstWorst.set(key, worst);
  return worst ?? 0;
}

export const chosenFeature = chosenWithin(usualFeature);
export const chosenSample = chosenWithin(() => 0);

/** Which charts over features are shown of what. */
export const featureStatistic = option('features.statistic', FEATURE_STATISTICS);
export const featurePass = option('features.pass', PASSES);
export const featuresShown = option('group.features', ['open', 'closed']);
export const samplesShown = option('group.samples', ['open', 'closed']);

const isLayerShown = () => section.value === 'layer' && layer.value !== null;

const lastFeatures = liveView('features', () => {
  const run = chosenRun.value;
  if (run === null || !isLayerShown() || featuresShown.current.value !== 'open') return null;
  const info = shownInfo.value;
  if (info === null) return null;
  return {
    view: 'features',
    run,
    layer: info,
    pass: featurePass.current.value,
    statistic: featureStatistic.current.value,
    points: STEPS,
    ...(stepRange.value && { range: stepRange.value }),
  };
});

/** Id of the layer shown; unlike the view it changes only with the layer. */
const shownInfo = computed(() => layer.value?.body.info.id ?? null);

const lastSlice = liveView('slice', () => {
  const [run, id] = [chosenRun.value, shownInfo.value];
  if (run === null || id === null || !isLayerShown()) return null;
  const feature = featuresShown.current.value === 'open' ? chosenFeature.index.value : null;
  const sample = samplesShown.current.value === 'open' ? chosenSample.index.value : null;
  if (feature === null && sample === null) return null;
  return {
    view: 'slice',
    run,
    layer: id,
    feature,
    sample,
    step: stepChoice.value,
    ridges: RIDGES,
    ridgePoints: RIDGE_POINTS,
  };
});

/** Features over steps, of the layer shown; null until they have come. */
export const features = computed(() => {
  const view = lastFeatures.value;
  return view && view.body.layer === shownInfo.value ? view : null;
});

/** The chosen feature and sample in the deep captures of the layer shown. */
export const slice = computed(() => {
  const view = lastSlice.value;
  return view && view.body.layer === shownInfo.value ? view : null;
});
