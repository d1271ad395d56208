import type { LayerView } from '../../../extension/protocol/views';
import type { FeatureAxis } from '../../charts/featureAxis';
import { option } from '../../state/options';
import { numbers, type Loaded, type Numbers } from '../../state/viewData';
import { text } from '../../strings';

/** What features are sorted by: the most comes first. */
export const FEATURE_ORDERS = ['index', 'std', 'drift', 'gamma'] as const;
type FeatureOrder = (typeof FEATURE_ORDERS)[number];

export const featureOrder = option('features.order', FEATURE_ORDERS);

const KEYS: Readonly<Record<Exclude<FeatureOrder, 'index'>, string>> = {
  std: 'preFeatureStd',
  drift: 'preFeatureDrift',
  gamma: 'gamma',
};

const TITLES = {
  index: 'axisFeature',
  std: 'axisFeatureByStd',
  drift: 'axisFeatureByDrift',
  gamma: 'axisFeatureByGamma',
} as const;

/** Positions by size of the key, largest first; those without a value last. */
export function sortedBySize(keys: Numbers): Uint32Array {
  const size = (position: number) => {
    const key = Math.abs(keys[position] ?? NaN);
    return Number.isNaN(key) ? -1 : key;
  };
  return Uint32Array.from(keys, (_, position) => position).sort((a, b) => size(b) - size(a));
}

const inOrder = (count: number) => Uint32Array.from({ length: count }, (_, position) => position);

const kept = new WeakMap<Loaded<LayerView>, Map<FeatureOrder, FeatureAxis>>();

/** How features stand in the charts of a layer; a layer without the key has them by index. */
export function featureAxis(view: Loaded<LayerView>): FeatureAxis {
  const order = featureOrder.current.value;
  const axes = kept.get(view) ?? new Map<FeatureOrder, FeatureAxis>();
  kept.set(view, axes);
  const known = axes.get(order);
  if (known) return known;
  const stride = Math.max(1, view.body.featureStride);
  const keys = order === 'index' ? undefined : numbers(view, KEYS[order]);
  const sorted = keys !== undefined && keys.some(Number.isFinite);
  const axis: FeatureAxis = {
    order: sorted ? sortedBySize(keys) : inOrder(Math.ceil(view.body.info.features / stride)),
    stride,
    title: text(sorted ? TITLES[order] : 'axisFeature'),
  };
  axes.set(order, axis);
  return axis;
}

/** The same order for vectors in which only every so manyeth feature is. */
export function coarserAxis({ order, stride, title }: FeatureAxis, coarse: number): FeatureAxis {
  if (coarse === stride) return { order, stride, title };
  const ratio = coarse / stride;
  const positions = order.filter((position) => position % ratio === 0);
  return { order: positions.map((position) => position / ratio), stride: coarse, title };
}

/** A vector's entries as they stand on the axis, for tables. */
export const inAxisOrder = (values: Numbers, { order }: FeatureAxis): Float64Array =>
  Float64Array.from(order, (position) => values[position] ?? NaN);

/** The features in the order of the axis. */
export const featuresOf = ({ order, stride }: FeatureAxis): Float64Array =>
  Float64Array.from(order, (position) => position * stride);
