import type { Problem } from './carefulSums';
import type { TapStatistics } from './statistics';

/** Sums over a tensor, with d = x - centre. */
export interface Sums {
  readonly centre: number;
  /** Σd, Σd², Σd³, Σd⁴ over all values; not finite where a value is not. */
  s1: number;
  s2: number;
  s3: number;
  s4: number;
  /** Values whose exponent bits are 0: zeros and subnormals. */
  tiny: number;
  /** Σd and Σd² of each feature, sample and row; rows only where each is a run of values. */
  readonly featureSum: Float64Array;
  readonly featureSquares: Float64Array;
  readonly sampleSum: Float64Array;
  readonly sampleSquares: Float64Array;
  readonly rowSum: Float64Array;
  readonly rowSquares: Float64Array;
}

/** Buffers used again for every tensor: fresh ones would have to be cleared and collected each time. */
const pool = new Map<string, Float64Array>();

function scratch(name: string, length: number): Float64Array {
  const kept = pool.get(name);
  if (kept && kept.length >= length) return kept.subarray(0, length).fill(0);
  const fresh = new Float64Array(length);
  pool.set(name, fresh);
  return fresh;
}

function emptySums(centre: number, { map, samples }: Problem): Sums {
  const rows = map.hasWholeRows ? samples * map.rowsPerSample : 0;
  return {
    centre,
    s1: 0,
    s2: 0,
    s3: 0,
    s4: 0,
    tiny: 0,
    featureSum: scratch('featureSum', map.features),
    featureSquares: scratch('featureSquares', map.features),
    sampleSum: scratch('sampleSum', samples),
    sampleSquares: scratch('sampleSquares', samples),
    rowSum: scratch('rowSum', rows),
    rowSquares: scratch('rowSquares', rows),
  };
}

/** Rows whose values stay in the processor's first cache while their features are gone through. */
const BLOCK = 16;

/** Values whose exponent bits are 0; as many sums as the processor adds at once. */
function countTiny(bits: Int32Array): number {
  const mask = 0x7f800000;
  let [even, odd, at] = [0, 0, 0];
  for (; at + 1 < bits.length; at += 2) {
    even += (((bits[at] as number) & mask) - 1) >>> 31;
    odd += (((bits[at + 1] as number) & mask) - 1) >>> 31;
  }
  for (; at < bits.length; at += 1) even += (((bits[at] as number) & mask) - 1) >>> 31;
  return even + odd;
}

/**
 * Sums of a tensor in which each row is a run of values, one a feature. Two features at a time,
 * down a block of rows, so that what belongs to a feature stays in registers; a third of the time
 * that row by row takes.
 * @param into takes the smallest and largest value of each feature.
 */
export function sumWholeRows(
  values: Float32Array,
  bits: Int32Array,
  centre: number,
  problem: Problem,
  into: TapStatistics,
): Sums {
  const { features, rowsPerSample } = problem.map;
  const sums = emptySums(centre, problem);
  const { featureSum, featureSquares, sampleSum, sampleSquares, rowSum, rowSquares } = sums;
  const { min, max } = into;
  let cubes = 0;
  let fourths = 0;
  for (let block = 0; block < rowSum.length; block += BLOCK) {
    const end = Math.min(rowSum.length, block + BLOCK);
    let f = 0;
    for (; f + 1 < features; f += 2) {
      let sum0 = featureSum[f] as number;
      let sum1 = featureSum[f + 1] as number;
      let squares0 = featureSquares[f] as number;
      let squares1 = featureSquares[f + 1] as number;
      let min0 = min[f] as number;
      let min1 = min[f + 1] as number;
      let max0 = max[f] as number;
      let max1 = max[f + 1] as number;
      for (let row = block, at = block * features + f; row < end; row += 1, at += features) {
        const x0 = values[at] as number;
        const x1 = values[at + 1] as number;
        const d0 = x0 - centre;
        const d1 = x1 - centre;
        const e0 = d0 * d0;
        const e1 = d1 * d1;
        sum0 += d0;
        sum1 += d1;
        squares0 += e0;
        squares1 += e1;
        cubes += e0 * d0 + e1 * d1;
        fourths += e0 * e0 + e1 * e1;
        rowSum[row] = (rowSum[row] as number) + (d0 + d1);
        rowSquares[row] = (rowSquares[row] as number) + (e0 + e1);
        if (x0 < min0) min0 = x0;
        if (x1 < min1) min1 = x1;
        if (x0 > max0) max0 = x0;
        if (x1 > max1) max1 = x1;
      }
      featureSum[f] = sum0;
      featureSum[f + 1] = sum1;
      featureSquares[f] = squares0;
      featureSquares[f + 1] = squares1;
      min[f] = min0;
      min[f + 1] = min1;
      max[f] = max0;
      max[f + 1] = max1;
    }
    if (f === features) continue;
    for (let row = block, at = block * features + f; row < end; row += 1, at += features) {
      const x = values[at] as number;
      const d = x - centre;
      const e = d * d;
      cubes += e * d;
      fourths += e * e;
      featureSum[f] = (featureSum[f] as number) + d;
      featureSquares[f] = (featureSquares[f] as number) + e;
      rowSum[row] = (rowSum[row] as number) + d;
      rowSquares[row] = (rowSquares[row] as number) + e;
      min[f] = Math.min(min[f] as number, x);
      max[f] = Math.max(max[f] as number, x);
    }
  }
  for (let row = 0; row < rowSum.length; row += 1) {
    const sample = Math.floor(row / rowsPerSample);
    sampleSum[sample] = (sampleSum[sample] as number) + (rowSum[row] as number);
    sampleSquares[sample] = (sampleSquares[sample] as number) + (rowSquares[row] as number);
  }
  return finish(sums, cubes, fourths, countTiny(bits));
}

/** Sums of the whole tensor, from those of its samples. */
function finish(sums: Sums, cubes: number, fourths: number, tiny: number): Sums {
  for (let s = 0; s < sums.sampleSum.length; s += 1) {
    sums.s1 += sums.sampleSum[s] as number;
    sums.s2 += sums.sampleSquares[s] as number;
  }
  sums.s3 = cubes;
  sums.s4 = fourths;
  sums.tiny = tiny;
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
  const sums = emptySums(centre, problem);
  const { featureSum, featureSquares, sampleSum, sampleSquares } = sums;
  const { min, max } = into;
  let cubes = 0;
  let fourths = 0;
  let at = 0;
  for (let s = 0; s < samples; s += 1) {
    let ofSample = 0;
    let squaresOfSample = 0;
    for (let run = 0, f = 0; run < sampleLength; run += inner, f += 1) {
      if (f === features) f = 0;
      let sum = 0;
      let squares = 0;
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
    }
    sampleSum[s] = ofSample;
    sampleSquares[s] = squaresOfSample;
  }
  return finish(sums, cubes, fourths, countTiny(bits));
}
