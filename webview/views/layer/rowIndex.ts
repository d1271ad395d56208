import type { LayerInfo } from '../../../extension/protocol/layers';

type Shaped = Pick<LayerInfo, 'inputShape' | 'featureAxes'>;

/**
 * Where a row lies: its index along each axis that holds no features, the batch axis first. Null
 * where the index is beyond the shape last seen: a step may have had several calls.
 */
export function rowPlace(index: number, { inputShape, featureAxes }: Shaped): number[] | null {
  const sizes = inputShape.filter((_, axis) => !featureAxes.includes(axis));
  const place: number[] = [];
  let rest = index;
  for (const size of sizes.reverse()) {
    place.unshift(rest % size);
    rest = Math.floor(rest / size);
  }
  return rest > 0 || place.length === 0 ? null : place;
}
