import type { FeatureMap } from './featureMap';
import type { RowMoments } from './rows';
import type { TapStatistics } from './statistics';

/** A tensor's layout, and where the moments of its rows go. */
export interface Problem {
  readonly map: FeatureMap;
  readonly samples: number;
  readonly rows: RowMoments | undefined;
}

/** Smallest normal float32. */
const NORMAL = 2 ** -126;

function countNonFinite(into: TapStatistics, value: number): void {
  if (value === Infinity) into.positiveInfinity += 1;
  else if (value === -Infinity) into.negativeInfinity += 1;
  else into.nan += 1;
}

/** Running sums of one group of values: deviations from a centre, then squares of those from the mean. */
class Groups {
  readonly count: Float64Array;
  readonly mean: Float64Array;
  readonly squares: Float64Array;

  constructor(size: number) {
    this.count = new Float64Array(size);
    this.mean = new Float64Array(size);
    this.squares = new Float64Array(size);
  }

  add(group: number, deviation: number): void {
    this.count[group] = (this.count[group] as number) + 1;
    this.mean[group] = (this.mean[group] as number) + deviation;
  }

  finishMeans(centre: number): void {
    for (let group = 0; group < this.count.length; group += 1) {
      this.mean[group] = centre + (this.mean[group] as number) / (this.count[group] as number);
    }
  }

  addSquare(group: number, value: number): void {
    const d = value - (this.mean[group] as number);
    this.squares[group] = (this.squares[group] as number) + d * d;
  }

  varianceOf(group: number): number {
    return (this.squares[group] as number) / (this.count[group] as number);
  }
}

/**
 * Statistics of any tensor by two passes in float64: the means, then the powers of deviations from
 * them. For what `sumFast` cannot take: values that are not finite, and features apart in memory.
 */
export function sumCarefully(
  values: ArrayLike<number>,
  { map, samples, rows }: Problem,
  into: TapStatistics,
): void {
  const { sampleLength, featureAt, rowAt, rowsPerSample } = map;
  const features = new Groups(map.features);
  const perSample = new Groups(samples);
  const perRow = new Groups(rows ? samples * rowsPerSample : 0);
  const { whole, min, max } = into;
  const used = samples * sampleLength;
  let centre: number | undefined;
  let sum = 0;
  for (let at = 0, s = 0, o = 0; at < used; at += 1, o += 1) {
    if (o === sampleLength) {
      o = 0;
      s += 1;
    }
    const x = values[at] as number;
    if (!Number.isFinite(x)) {
      countNonFinite(into, x);
      if (rows) {
        rows.partial ??= new Uint8Array(rows.mean.length);
        rows.partial[s * rowsPerSample + (rowAt[o] as number)] = 1;
      }
      continue;
    }
    centre ??= x;
    const f = featureAt[o] as number;
    const d = x - centre;
    features.add(f, d);
    perSample.add(s, d);
    if (rows) perRow.add(s * rowsPerSample + (rowAt[o] as number), d);
    sum += d;
    whole.n += 1;
    if (x < (min[f] as number)) min[f] = x;
    if (x > (max[f] as number)) max[f] = x;
    if (x < NORMAL && x > -NORMAL) {
      if (x === 0) into.zero += 1;
      else into.subnormal += 1;
    }
  }
  const start = centre ?? NaN;
  for (const groups of [features, perSample, perRow]) groups.finishMeans(start);
  whole.mean = start + sum / whole.n;
  for (let at = 0, s = 0, o = 0; at < used; at += 1, o += 1) {
    if (o === sampleLength) {
      o = 0;
      s += 1;
    }
    const x = values[at] as number;
    if (!Number.isFinite(x)) continue;
    features.addSquare(featureAt[o] as number, x);
    perSample.addSquare(s, x);
    if (rows) perRow.addSquare(s * rowsPerSample + (rowAt[o] as number), x);
    const d = x - whole.mean;
    const d2 = d * d;
    whole.m2 += d2;
    whole.m3 += d2 * d;
    whole.m4 += d2 * d2;
  }
  into.count.set(features.count);
  into.mean.set(features.mean);
  into.squares.set(features.squares);
  finishConstants(into);
  into.sampleMean.set(perSample.mean.subarray(0, into.sampleMean.length));
  into.sampleVariance.forEach((_, s) => (into.sampleVariance[s] = perSample.varianceOf(s)));
  rows?.mean.set(perRow.mean);
  rows?.variance.forEach((_, r) => (rows.variance[r] = perRow.varianceOf(r)));
}

/** Extremes of the whole tensor; no rounding error where all values are one and the same. */
export function finishConstants({ whole, count, mean, squares, min, max }: TapStatistics): void {
  for (let f = 0; f < count.length; f += 1) {
    const low = min[f] as number;
    const high = max[f] as number;
    whole.min = Math.min(whole.min, low);
    whole.max = Math.max(whole.max, high);
    if (low !== high) continue;
    mean[f] = low;
    squares[f] = 0;
  }
  if (whole.min !== whole.max) return;
  whole.mean = whole.min;
  whole.m2 = 0;
  whole.m3 = 0;
  whole.m4 = 0;
}
