/**
 * The mergeable histogram's bins: a float32's own sign, exponent and top three mantissa bits.
 *
 * Bin = the float's upper 12 bits, 0 … 4095: eight bins an octave, the same for every dtype, layer,
 * step and rank, so histograms merge by adding counts. 16-bit and 64-bit floats are converted to
 * float32 first. NaN, ±Inf and zero have no bin; they are counted apart (`counts` slot). A
 * subnormal is counted apart and in its bin.
 */
export const BIN_COUNT = 4096;

const HALF = BIN_COUNT / 2;
const scratch = new DataView(new ArrayBuffer(4));

/** Bin of a finite non-zero value. */
export function binOf(value: number): number {
  scratch.setFloat32(0, value);
  return scratch.getUint32(0) >>> 20;
}

function magnitudeAt(index: number): number {
  scratch.setUint32(0, (index << 20) >>> 0);
  const magnitude = scratch.getFloat32(0);
  return Number.isFinite(magnitude) ? magnitude : 2 ** 128;
}

/** The two ends of a bin as numbers, lower first. */
export function binEdges(bin: number): readonly [lower: number, upper: number] {
  if (bin < HALF) return [magnitudeAt(bin), magnitudeAt(bin + 1)];
  return [-magnitudeAt(bin - HALF + 1), -magnitudeAt(bin - HALF)];
}

/**
 * Histograms as compressed sparse rows: row r has bins[splits[r] … splits[r+1]) with those counts.
 */
export interface SparseHistograms {
  readonly splits: Uint32Array;
  readonly bins: Uint16Array;
  readonly counts: Uint32Array;
}
