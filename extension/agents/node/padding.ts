import { featureMap, type FeatureMap } from './featureMap';
import type { RowMoments } from './rows';
import { summarize, type TapStatistics, type TensorMoments } from './statistics';

/** Which rows of a call's tensors are padding. */
export interface Padding {
  /** 1 for a row that is none. */
  readonly kept: Uint8Array;
  readonly paddingRows: number;
  readonly source: 'mask' | 'constant';
}

/** Undefined where no row, or every row, would be padding: then nothing can be told apart. */
function paddingOf(kept: Uint8Array, source: Padding['source']): Padding | undefined {
  let paddingRows = kept.length;
  for (const row of kept) paddingRows -= row;
  return paddingRows > 0 && paddingRows < kept.length ? { kept, paddingRows, source } : undefined;
}

/** @param mask one value a row; 0 marks padding. */
export const paddingByMask = (mask: ArrayLike<number>): Padding | undefined =>
  paddingOf(
    Uint8Array.from(mask, (value) => (value ? 1 : 0)),
    'mask',
  );

/** Rows of the layer's input whose values are all the same. A row of one value says nothing. */
export function paddingByConstantRows(rows: RowMoments, features: number): Padding | undefined {
  if (features < 2) return undefined;
  let kept: Uint8Array | undefined;
  for (let row = 0; row < rows.variance.length; row += 1) {
    if (rows.variance[row] !== 0 || rows.partial?.[row] === 1) continue;
    kept ??= new Uint8Array(rows.variance.length).fill(1);
    kept[row] = 0;
  }
  return kept && paddingOf(kept, 'constant');
}

/** The values as rows of features, one row after another; all rows, or those that are kept. */
export function asRows(values: Float32Array, map: FeatureMap, kept?: Uint8Array): Float32Array {
  if (map.hasWholeRows && !kept) return values;
  const { features, sampleLength, rowsPerSample, featureAt, rowAt } = map;
  const rows = Math.floor(values.length / features);
  const target = new Int32Array(rows).fill(-1);
  let used = 0;
  for (let row = 0; row < rows; row += 1) {
    if (kept && kept[row] !== 1) continue;
    target[row] = used;
    used += 1;
  }
  const matrix = new Float32Array(used * features);
  for (let at = 0, first = 0, o = 0; at < values.length; at += 1, o += 1) {
    if (o === sampleLength) {
      o = 0;
      first += rowsPerSample;
    }
    const row = target[first + (rowAt[o] as number)] as number;
    if (row >= 0) matrix[row * features + (featureAt[o] as number)] = values[at] as number;
  }
  return matrix;
}

/** Moments of all values but padding. */
export function withoutPadding(
  values: Float32Array,
  map: FeatureMap,
  { kept }: Padding,
): TensorMoments {
  const matrix = asRows(values, map, kept);
  const tap: TapStatistics = summarize(matrix, featureMap([0, map.features], [1]), 0).tap;
  const { whole, count, mean, squares, min, max } = tap;
  return { whole, count, mean, squares, min, max };
}
