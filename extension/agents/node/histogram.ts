import { BIN_COUNT, type SparseHistograms } from '../../protocol/bitBins';

/** Most values of a tensor that are counted one by one. */
const WHOLE = 32_768;

/** Exponent bits of a float32 within its upper 12 bits; all set for NaN and ±Inf. */
const EXPONENT = 0x7f8;

function isPrime(n: number): boolean {
  for (let divisor = 2; divisor * divisor <= n; divisor += 1) if (n % divisor === 0) return false;
  return n > 1;
}

/**
 * Every how manyeth row of a tensor goes into its histogram: 1 up to 32,768 values. A prime, so
 * that it does not fall in step with another axis and take the same position of every sample; at
 * most the number of rows, so that every histogram has one.
 */
export function strideFor(elements: number, rows: number): number {
  let stride = Math.ceil(elements / WHOLE);
  if (stride <= 1) return 1;
  while (!isPrime(stride)) stride += 1;
  return Math.max(1, Math.min(stride, rows));
}

/**
 * Adds the rows first, first + stride, … to a histogram over the bins of `protocol/bitBins.ts`.
 * NaN, ±Inf and zero have no bin.
 */
export function addToHistogram(
  counts: Uint32Array,
  values: Float32Array,
  rowLength: number,
  stride: number,
  first: number,
): void {
  const bits = new Uint32Array(values.buffer, values.byteOffset, values.length);
  const step = rowLength * stride;
  for (let start = rowLength * first; start < bits.length; start += step) {
    const end = Math.min(bits.length, start + rowLength);
    for (let at = start; at < end; at += 1) {
      const word = bits[at] as number;
      const bin = word >>> 20;
      if ((bin & EXPONENT) === EXPONENT || (word & 0x7fffffff) === 0) continue;
      counts[bin] = (counts[bin] as number) + 1;
    }
  }
}

/** Bins whose counts are 0 all together, most often, so that they are looked at together. */
const STRIP = 8;

/** @param rows a histogram a row; an empty row where there is none. */
export function sparse(rows: readonly (Uint32Array | undefined)[]): SparseHistograms {
  const splits = new Uint32Array(rows.length + 1);
  const bins: number[] = [];
  const counts: number[] = [];
  for (let index = 0; index < rows.length; index += 1) {
    const row = rows[index];
    for (let strip = 0; row && strip < row.length; strip += STRIP) {
      let any = 0;
      for (let bin = strip; bin < strip + STRIP; bin += 1) any |= row[bin] as number;
      if (any === 0) continue;
      for (let bin = strip; bin < strip + STRIP; bin += 1) {
        const count = row[bin] as number;
        if (count === 0) continue;
        bins.push(bin);
        counts.push(count);
      }
    }
    splits[index + 1] = bins.length;
  }
  return { splits, bins: Uint16Array.from(bins), counts: Uint32Array.from(counts) };
}

/** A group of values in a tensor, such as a feature or a sample. */
export interface Group {
  readonly start: number;
  readonly end: number;
  /** From one value to the next. */
  readonly stride: number;
}

/** A histogram for each group, as compressed sparse rows. */
export function groupHistograms(values: Float32Array, groups: readonly Group[]): SparseHistograms {
  const bits = new Uint32Array(values.buffer, values.byteOffset, values.length);
  const counts = new Uint32Array(BIN_COUNT);
  const splits = new Uint32Array(groups.length + 1);
  const bins: number[] = [];
  const sums: number[] = [];
  groups.forEach(({ start, end, stride }, group) => {
    const touched: number[] = [];
    for (let at = start; at < end; at += stride) {
      const word = bits[at] as number;
      const bin = word >>> 20;
      if ((bin & EXPONENT) === EXPONENT || (word & 0x7fffffff) === 0) continue;
      if (counts[bin] === 0) touched.push(bin);
      counts[bin] = (counts[bin] as number) + 1;
    }
    touched.sort((a, b) => a - b);
    for (const bin of touched) {
      bins.push(bin);
      sums.push(counts[bin] as number);
      counts[bin] = 0;
    }
    splits[group + 1] = bins.length;
  });
  return { splits, bins: Uint16Array.from(bins), counts: Uint32Array.from(sums) };
}
