/** Most values of a tensor that are counted one by one. */
const WHOLE = 65_536;

/** Exponent bits of a float32 within its upper 12 bits; all set for NaN and ±Inf. */
const EXPONENT = 0x7f8;

function isPrime(n: number): boolean {
  for (let divisor = 2; divisor * divisor <= n; divisor += 1) if (n % divisor === 0) return false;
  return n > 1;
}

/**
 * Every how manyeth row of a tensor goes into its histogram: 1 up to 65,536 values. A prime, so
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

/** Histograms as compressed sparse rows. */
export interface SparseHistograms {
  readonly splits: Uint32Array;
  readonly bins: Uint16Array;
  readonly counts: Uint32Array;
}

/** @param rows a histogram a row; an empty row where there is none. */
export function sparse(rows: readonly (Uint32Array | undefined)[]): SparseHistograms {
  const splits = new Uint32Array(rows.length + 1);
  const most = rows.reduce((sum, row) => sum + (row?.length ?? 0), 0);
  const bins = new Uint16Array(most);
  const counts = new Uint32Array(most);
  let used = 0;
  for (let index = 0; index < rows.length; index += 1) {
    const row = rows[index];
    for (let bin = 0; row && bin < row.length; bin += 1) {
      const count = row[bin] as number;
      if (count === 0) continue;
      bins[used] = bin;
      counts[used] = count;
      used += 1;
    }
    splits[index + 1] = used;
  }
  return { splits, bins: bins.slice(0, used), counts: counts.slice(0, used) };
}
