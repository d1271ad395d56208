/** How the values of a tensor fall into samples and features. */
export interface FeatureMap {
  readonly features: number;
  /** Values of one sample: one index of axis 0. */
  readonly sampleLength: number;
  /** Feature of each value of a sample, in memory order. */
  readonly featureAt: Int32Array;
  /** Values along the last axis: a row of the histogram. */
  readonly rowLength: number;
}

/**
 * The map of a row-major tensor.
 * @param shape with axis 0 as the batch axis.
 * @param axes feature axes in ascending order, none of them 0.
 */
export function featureMap(shape: readonly number[], axes: readonly number[]): FeatureMap {
  const sampleShape = shape.slice(1);
  const sampleLength = sampleShape.reduce((product, size) => product * size, 1);
  const strides = new Array<number>(shape.length).fill(0);
  let features = 1;
  for (const axis of [...axes].reverse()) {
    strides[axis] = features;
    features *= shape[axis] ?? 1;
  }
  const featureAt = new Int32Array(sampleLength);
  const index = new Array<number>(sampleShape.length).fill(0);
  let feature = 0;
  for (let at = 0; at < sampleLength; at += 1) {
    featureAt[at] = feature;
    for (let axis = sampleShape.length - 1; axis >= 0; axis -= 1) {
      const stride = strides[axis + 1] ?? 0;
      const size = sampleShape[axis] ?? 1;
      const next = (index[axis] ?? 0) + 1;
      if (next < size) {
        index[axis] = next;
        feature += stride;
        break;
      }
      index[axis] = 0;
      feature -= stride * (size - 1);
    }
  }
  return { features, sampleLength, featureAt, rowLength: shape.at(-1) ?? 1 };
}
