import type { LayerInfo } from '../../../extension/protocol/layers';

/** Axes of a tensor that are drawn as one edge of a box. */
export interface Edge {
  readonly axes: readonly number[];
  readonly sizes: readonly number[];
  /** All of it, one index of it, or a group of indices shares one mean and variance. */
  readonly covered: 'all' | 'one' | 'group';
}

/**
 * The box that stands for a layer's input, as textbooks draw it: the batch goes into the depth,
 * channels or features across, positions downwards. An edge without axes is null.
 */
export interface Box {
  readonly depth: Edge | null;
  readonly height: Edge | null;
  readonly width: Edge;
}

type Shaped = Pick<LayerInfo, 'inputShape' | 'featureAxes' | 'normalizedAxes' | 'family'>;

function edgeOf(axes: readonly number[], info: Shaped): Edge | null {
  if (axes.length === 0) return null;
  const normalized = axes.every((axis) => info.normalizedAxes.includes(axis));
  const features = axes.some((axis) => info.featureAxes.includes(axis));
  return {
    axes,
    sizes: axes.map((axis) => info.inputShape[axis] ?? 1),
    covered: !normalized ? 'one' : info.family === 'group' && features ? 'group' : 'all',
  };
}

/** Null before a shape is known. */
export function boxOf(info: Shaped): Box | null {
  const axes = info.inputShape.map((_, axis) => axis);
  const [first] = axes;
  if (first === undefined) return null;
  const isFeature = (axis: number) => info.featureAxes.includes(axis);
  const batch = isFeature(first) ? [] : [first];
  const others = axes.filter((axis) => !batch.includes(axis));
  const features = others.filter(isFeature);
  const positions = others.filter((axis) => !isFeature(axis));
  // Of features over several axes, one goes across and the others downwards.
  const across =
    positions.length > 0
      ? features
      : features.length > 2
        ? features.slice(0, 1)
        : features.slice(-1);
  const down = positions.length > 0 ? positions : features.filter((axis) => !across.includes(axis));
  const [width, height, depth] = [across, down, batch].map((of) => edgeOf(of, info));
  if (width) {
    // A matrix is flat: its rows go downwards.
    return height
      ? { width, height, depth: depth ?? null }
      : { width, height: depth ?? null, depth: null };
  }
  const only = edgeOf(axes, info);
  return only && { width: only, height: null, depth: null };
}

/** Letters by rank, with channels behind the batch or last; `E` for what language models embed in. */
const LETTERS: Readonly<Record<string, string>> = {
  '2 first': 'NC',
  '3 first': 'NCL',
  '4 first': 'NCHW',
  '5 first': 'NCDHW',
  '4 last': 'NHWC',
  '5 last': 'NDHWC',
};

/** What textbooks call the axes of such an input. */
export function axisLetters({ inputShape, featureAxes, family }: Shaped): readonly string[] {
  const rank = inputShape.length;
  const rows = family === 'layer' || family === 'rms';
  const last = featureAxes.length === 1 && featureAxes[0] === rank - 1;
  if (rows && rank === 2) return ['B', 'E'];
  if (rank === 3 && (last || featureAxes.length > 1)) return ['B', 'S', 'E'];
  const letters = LETTERS[`${rank} ${last && rank > 3 ? 'last' : 'first'}`];
  return letters ? [...letters] : inputShape.map((_, axis) => String(axis));
}
