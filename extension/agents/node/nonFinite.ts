import type { NonFiniteFigures } from '../../protocol/tensorBreakpoints';
import type { FeatureMap } from './featureMap';

/** Samples and features that are named. */
const NAMED = 8;

const ascending = (found: ReadonlySet<number>) => [...found].sort((a, b) => a - b).slice(0, NAMED);

/**
 * How many values of a tensor are not finite, and where; null where all are.
 * @param values row-major; axis 0 is the batch axis.
 */
export function nonFiniteFigures(
  values: ArrayLike<number>,
  map: FeatureMap,
): NonFiniteFigures | null {
  let [nan, positiveInfinity, negativeInfinity] = [0, 0, 0];
  const samples = new Set<number>();
  const features = new Set<number>();
  for (let at = 0; at < values.length; at += 1) {
    const value = Number(values[at]);
    if (value - value === 0) continue;
    if (Number.isNaN(value)) nan += 1;
    else if (value > 0) positiveInfinity += 1;
    else negativeInfinity += 1;
    samples.add(Math.floor(at / map.sampleLength));
    features.add(map.featureAt[at % map.sampleLength] ?? 0);
  }
  if (nan + positiveInfinity + negativeInfinity === 0) return null;
  return {
    nan,
    positiveInfinity,
    negativeInfinity,
    elements: values.length,
    samples: ascending(samples),
    features: ascending(features),
  };
}
