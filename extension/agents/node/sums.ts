import type { Problem } from './carefulSums';
import type { TapStatistics } from './statistics';

/** Sums over a tensor, with d = x - centre; all are added to. */
export interface Sums {
  readonly centre: number;
  /** Σd, Σd², Σd³, Σd⁴ over all values; not finite where a value is not. */
  s1: number;
  s2: number;
  s3: number;
  s4: number;
  /** Values that are zero, and values whose exponent bits are 0: zeros and subnormals. */
  zero: number;
  tiny: number;
  /** Σd and Σd² of each feature, sample and row; rows only where each is a run of values. */
  readonly featureSum: Float64Array;
  readonly featureSquares: Float64Array;
  readonly sampleSum: Float64Array;
  readonly sampleSquares: Float64Array;
  readonly rowSum: Float64Array;
  readonly rowSquares: Float64Array;
  /** Smallest and largest value of each feature. */
  readonly min: Float64Array;
  readonly max: Float64Array;
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

/** Sums of nothing yet. They hold until the next are asked for. */
export function emptySums(
  centre: number,
  { map, samples }: Problem,
  { min, max }: Pick<TapStatistics, 'min' | 'max'>,
): Sums {
  const rows = map.hasWholeRows ? samples * map.rowsPerSample : 0;
  return {
    centre,
    s1: 0,
    s2: 0,
    s3: 0,
    s4: 0,
    zero: 0,
    tiny: 0,
    featureSum: scratch('featureSum', map.features),
    featureSquares: scratch('featureSquares', map.features),
    sampleSum: scratch('sampleSum', samples),
    sampleSquares: scratch('sampleSquares', samples),
    rowSum: scratch('rowSum', rows),
    rowSquares: scratch('rowSquares', rows),
    min,
    max,
  };
}
