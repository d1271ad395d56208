import type { NonFiniteFigures } from '../../protocol/tensorBreakpoints';
import type { FeatureMap } from './featureMap';

/** Samples and features that are named. */
const NAMED = 8;

/** The first places that are marked. */
function marked(marks: Uint8Array): number[] {
  const found: number[] = [];
  for (let at = marks.indexOf(1); at >= 0 && found.length < NAMED; at = marks.indexOf(1, at + 1)) {
    found.push(at);
  }
  return found;
}

/**
 * How many values of a tensor are not finite, and where; null where all are.
 * @param values row-major; axis 0 is the batch axis.
 */
export function nonFiniteFigures(
  values: ArrayLike<number>,
  map: FeatureMap,
): NonFiniteFigures | null {
  let [nan, positiveInfinity, negativeInfinity] = [0, 0, 0];
  const { featureAt, sampleLength } = map;
  const samples = new Uint8Array(Math.ceil(values.length / Math.max(1, sampleLength)));
  const features = new Uint8Array(map.features);
  for (let at = 0; at < values.length; at += 1) {
    const value = Number(values[at]);
    if (value - value === 0) continue;
    if (Number.isNaN(value)) nan += 1;
    else if (value > 0) positiveInfinity += 1;
    else negativeInfinity += 1;
    samples[Math.floor(at / sampleLength)] = 1;
    features[featureAt[at % sampleLength] ?? 0] = 1;
  }
  if (nan + positiveInfinity + negativeInfinity === 0) return null;
  return {
    nan,
    positiveInfinity,
    negativeInfinity,
    elements: values.length,
    samples: marked(samples),
    features: marked(features),
  };
}
