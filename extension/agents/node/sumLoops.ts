import type { Problem } from './carefulSums';
import { sumByVectors } from './simdSums';
import type { TapStatistics } from './statistics';
import { emptySums, type Sums } from './sums';

/**
 * Counts the zeros and subnormals among the features from `first` on. A difference of two integers
 * of 31 bits has its sign bit set where the first is less.
 */
function countTiny(bits: Int32Array, features: number, first: number, into: Sums): void {
  const magnitudeBits = 0x7fffffff;
  const smallestNormal = 0x00800000;
  let zero = 0;
  let tiny = 0;
  for (let row = 0; row < bits.length; row += features) {
    for (let at = row + first; at < row + features; at += 1) {
      const magnitude = (bits[at] as number) & magnitudeBits;
      zero += (magnitude - 1) >>> 31;
      tiny += (magnitude - smallestNormal) >>> 31;
    }
  }
  into.zero += zero;
  into.tiny += tiny;
}

/** Sums the features from `first` on, of rows that have one value a feature. */
function sumByValues(values: Float32Array, bits: Int32Array, first: number, into: Sums): void {
  const { centre, featureSum, featureSquares, rowSum, rowSquares, min, max } = into;
  const features = featureSum.length;
  if (first === features) return;
  let cubes = 0;
  let fourths = 0;
  for (let row = 0; row < rowSum.length; row += 1) {
    let sum = rowSum[row] as number;
    let squares = rowSquares[row] as number;
    for (let f = first, at = row * features + first; f < features; f += 1, at += 1) {
      const x = values[at] as number;
      const d = x - centre;
      const d2 = d * d;
      sum += d;
      squares += d2;
      cubes += d2 * d;
      fourths += d2 * d2;
      featureSum[f] = (featureSum[f] as number) + d;
      featureSquares[f] = (featureSquares[f] as number) + d2;
      if (x < (min[f] as number)) min[f] = x;
      if (x > (max[f] as number)) max[f] = x;
    }
    rowSum[row] = sum;
    rowSquares[row] = squares;
  }
  into.s3 += cubes;
  into.s4 += fourths;
  countTiny(bits, features, first, into);
}

/**
 * Sums of a tensor in which each row is a run of values, one a feature.
 * @param into takes the smallest and largest value of each feature.
 */
export function sumWholeRows(
  values: Float32Array,
  bits: Int32Array,
  centre: number,
  problem: Problem,
  into: TapStatistics,
): Sums {
  const { rowsPerSample } = problem.map;
  const sums = emptySums(centre, problem, into);
  const { sampleSum, sampleSquares, rowSum, rowSquares } = sums;
  sumByValues(values, bits, sumByVectors(values, sums), sums);
  for (let row = 0; row < rowSum.length; row += 1) {
    const sample = Math.floor(row / rowsPerSample);
    sampleSum[sample] = (sampleSum[sample] as number) + (rowSum[row] as number);
    sampleSquares[sample] = (sampleSquares[sample] as number) + (rowSquares[row] as number);
  }
  return addSamples(sums);
}

/** Sums of the whole tensor, from those of its samples. */
function addSamples(sums: Sums): Sums {
  for (let s = 0; s < sums.sampleSum.length; s += 1) {
    sums.s1 += sums.sampleSum[s] as number;
    sums.s2 += sums.sampleSquares[s] as number;
  }
  return sums;
}

/** Sums of a tensor in which `inner` values of a feature follow one another: a feature after another. */
export function sumInnerRuns(
  values: Float32Array,
  bits: Int32Array,
  centre: number,
  problem: Problem,
  into: TapStatistics,
): Sums {
  const { map, samples } = problem;
  const { features, inner, sampleLength } = map;
  const sums = emptySums(centre, problem, into);
  const { featureSum, featureSquares, sampleSum, sampleSquares, min, max } = sums;
  let at = 0;
  for (let s = 0; s < samples; s += 1) {
    let ofSample = 0;
    let squaresOfSample = 0;
    for (let run = 0, f = 0; run < sampleLength; run += inner, f += 1) {
      if (f === features) f = 0;
      let sum = 0;
      let squares = 0;
      let cubes = 0;
      let fourths = 0;
      let low = min[f] as number;
      let high = max[f] as number;
      for (let i = 0; i < inner; i += 1, at += 1) {
        const x = values[at] as number;
        const d = x - centre;
        const d2 = d * d;
        sum += d;
        squares += d2;
        cubes += d2 * d;
        fourths += d2 * d2;
        if (x < low) low = x;
        if (x > high) high = x;
      }
      min[f] = low;
      max[f] = high;
      featureSum[f] = (featureSum[f] as number) + sum;
      featureSquares[f] = (featureSquares[f] as number) + squares;
      ofSample += sum;
      squaresOfSample += squares;
      sums.s3 += cubes;
      sums.s4 += fourths;
    }
    sampleSum[s] = ofSample;
    sampleSquares[s] = squaresOfSample;
  }
  countTiny(bits, bits.length, 0, sums);
  return addSamples(sums);
}
