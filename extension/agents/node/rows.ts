import { BIN_COUNT } from '../../protocol/bitBins';
import { EXTREME_ROWS } from '../../protocol/layers';
import { addToHistogram } from './histogram';

/** Mean and biased variance of each row, over finite values; NaN for a row without one. */
export interface RowMoments {
  readonly mean: Float64Array;
  readonly variance: Float64Array;
  /** 1 for a row with a value that is not finite; null where there is no such row. */
  partial: Uint8Array | null;
}

export interface ExtremeRow {
  readonly index: number;
  readonly mean: number;
  readonly variance: number;
}

/** What the rows of a tap say, over one or more calls. */
export interface RowFigures {
  /** Rows so far, where the next call's indices go on. */
  count: number;
  /** Candidates for the most extreme rows: those of each call. */
  extremes: ExtremeRow[];
  readonly meanHistogram: Uint32Array;
  readonly varianceHistogram: Uint32Array;
}

/** Candidates kept over all calls of a step. */
const MAX_CANDIDATES = 8 * EXTREME_ROWS;

/** Mean squared distance of a row's values from a centre. */
const distance = (mean: number, variance: number, centre: number) =>
  variance + (mean - centre) * (mean - centre);

/** The rows that lie furthest from a centre, furthest first. */
export function furthest(
  rows: readonly ExtremeRow[],
  centre: number,
  most = EXTREME_ROWS,
): ExtremeRow[] {
  const far = ({ mean, variance }: ExtremeRow) => distance(mean, variance, centre);
  return [...rows].sort((a, b) => far(b) - far(a) || a.index - b.index).slice(0, most);
}

function candidates({ mean, variance, partial }: RowMoments, centre: number): ExtremeRow[] {
  let found: ExtremeRow[] = [];
  let bar = -Infinity;
  for (let index = 0; index < mean.length; index += 1) {
    const m = mean[index] as number;
    const v = variance[index] as number;
    if (!(distance(m, v, centre) > bar) || partial?.[index] === 1) continue;
    found.push({ index, mean: m, variance: v });
    if (found.length < 2 * EXTREME_ROWS) continue;
    found = furthest(found, centre);
    const last = found.at(-1);
    if (last) bar = distance(last.mean, last.variance, centre);
  }
  return furthest(found, centre);
}

function histogramOf(values: Float64Array): Uint32Array {
  const counts = new Uint32Array(BIN_COUNT);
  addToHistogram(counts, new Float32Array(values), 1, 1, 0);
  return counts;
}

/** @param centre mean of the whole tensor. */
export function rowFigures(rows: RowMoments, centre: number): RowFigures {
  return {
    count: rows.mean.length,
    extremes: candidates(rows, centre),
    meanHistogram: histogramOf(rows.mean),
    varianceHistogram: histogramOf(rows.variance),
  };
}

/**
 * Adds the rows of a further call.
 * @param centre mean of all calls so far, the further one included.
 */
export function mergeRows(into: RowFigures, from: RowFigures, centre: number): void {
  const moved = from.extremes.map((row) => ({ ...row, index: row.index + into.count }));
  into.extremes = furthest([...into.extremes, ...moved], centre, MAX_CANDIDATES);
  into.count += from.count;
  addCounts(into.meanHistogram, from.meanHistogram);
  addCounts(into.varianceHistogram, from.varianceHistogram);
}

/** Adds the counts of a histogram to another's. */
export function addCounts(into: Uint32Array, from: Uint32Array): void {
  for (let bin = 0; bin < into.length; bin += 1) {
    into[bin] = (into[bin] as number) + (from[bin] as number);
  }
}
