import { finishConstants, type Problem } from './carefulSums';
import type { FeatureMap } from './featureMap';
import { momentsAbout } from './moments';
import { sumInnerRuns, sumWholeRows } from './sumLoops';
import type { TapStatistics } from './statistics';
import type { Sums } from './sums';

/** Values that a typical one is looked for among. */
const CANDIDATES = 33;

/**
 * Squared distance of a group's mean from the centre, in variances, from which its variance is
 * taken again about its own mean. Up to there float64 sums keep seven digits of it.
 */
const FAR = 1e7;

/** A typical value: the median of some, spread evenly. An outlier as the centre would cost digits. */
function typicalValue(values: Float32Array): number {
  const step = Math.max(1, Math.floor(values.length / CANDIDATES));
  const some: number[] = [];
  for (let at = Math.floor(step / 2); at < values.length; at += step) {
    const value = values[at] as number;
    if (Number.isFinite(value)) some.push(value);
  }
  some.sort((a, b) => a - b);
  return some[Math.floor(some.length / 2)] ?? 0;
}

interface MeanAndSquares {
  readonly mean: number;
  /** Sum of squared deviations from the mean. */
  readonly squares: number;
}

/** Mean and squares of every `stride`-th run of `inner` values, by two passes. */
function exactly(
  values: Float32Array,
  first: number,
  inner: number,
  stride: number,
): MeanAndSquares {
  const start = values[first] as number;
  let n = 0;
  let sum = 0;
  for (let run = first; run < values.length; run += stride) {
    for (let at = run; at < run + inner; at += 1) sum += (values[at] as number) - start;
    n += inner;
  }
  const mean = start + sum / n;
  let squares = 0;
  for (let run = first; run < values.length; run += stride) {
    for (let at = run; at < run + inner; at += 1) {
      const d = (values[at] as number) - mean;
      squares += d * d;
    }
  }
  return { mean, squares };
}

/** Mean and squares from sums about the centre; undefined where those have too few digits. */
function derive(
  centre: number,
  n: number,
  sum: number,
  squares: number,
): MeanAndSquares | undefined {
  const shift = sum / n;
  const m2 = squares - n * shift * shift;
  return n * shift * shift > FAR * m2 ? undefined : { mean: centre + shift, squares: m2 };
}

function finishFeatures(values: Float32Array, map: FeatureMap, sums: Sums, into: TapStatistics) {
  const { features, inner } = map;
  const n = values.length / features;
  for (let f = 0; f < features; f += 1) {
    into.count[f] = n;
    const { mean, squares } =
      derive(sums.centre, n, sums.featureSum[f] as number, sums.featureSquares[f] as number) ??
      exactly(values, f * inner, inner, features * inner);
    into.mean[f] = mean;
    into.squares[f] = Math.max(0, squares);
  }
}

/** Groups that are runs of `length` values one after another: samples, or rows. */
function finishRuns(
  values: Float32Array,
  length: number,
  centre: number,
  sum: Float64Array,
  squareSum: Float64Array,
  into: { readonly mean: Float64Array; readonly variance: Float64Array },
): void {
  for (let index = 0; index < into.mean.length; index += 1) {
    const first = index * length;
    const { mean, squares } =
      derive(centre, length, sum[index] as number, squareSum[index] as number) ??
      exactly(values.subarray(first, first + length), 0, length, length);
    into.mean[index] = mean;
    into.variance[index] = Math.max(0, squares) / length;
  }
}

function finishWhole(values: Float32Array, sums: Sums, { whole }: TapStatistics): void {
  const n = values.length;
  whole.n = n;
  const derived = momentsAbout(sums.centre, n, [sums.s1, sums.s2, sums.s3, sums.s4]);
  if (derived) {
    Object.assign(whole, derived);
    return;
  }
  const { mean } = exactly(values, 0, n, n);
  let m2 = 0;
  let m3 = 0;
  let m4 = 0;
  for (let at = 0; at < n; at += 1) {
    const d = (values[at] as number) - mean;
    m2 += d * d;
    m3 += d * d * d;
    m4 += d * d * d * d;
  }
  Object.assign(whole, { mean, m2, m3, m4 });
}

/**
 * Statistics of a tensor of finite values by one pass in float64 about one typical value. The few
 * groups whose mean is so far from it that digits would be lost are read once more.
 * @returns false, with `into` spoilt, where a value is not finite or the layout is not a simple one.
 */
export function sumFast(values: Float32Array, problem: Problem, into: TapStatistics): boolean {
  const { map, samples, rows } = problem;
  if (map.inner === 0 || (rows && !map.hasWholeRows)) return false;
  if (values.length !== samples * map.sampleLength) return false;
  const bits = new Int32Array(values.buffer, values.byteOffset, values.length);
  const centre = typicalValue(values);
  const loop = map.hasWholeRows ? sumWholeRows : sumInnerRuns;
  const sums = loop(values, bits, centre, problem, into);
  // The fourth powers of finite float32 values and their sum are finite in float64.
  if (!Number.isFinite(sums.s4)) return false;
  into.zero = sums.zero;
  into.subnormal = sums.tiny - sums.zero;
  finishWhole(values, sums, into);
  finishFeatures(values, map, sums, into);
  finishConstants(into);
  const { sampleMean: mean, sampleVariance: variance } = into;
  const { sampleSum, sampleSquares, rowSum, rowSquares } = sums;
  finishRuns(values, map.sampleLength, centre, sampleSum, sampleSquares, { mean, variance });
  if (rows) finishRuns(values, map.features, centre, rowSum, rowSquares, rows);
  return true;
}
