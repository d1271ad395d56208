import type { LayerId } from '../../../protocol/ids';
import type { HistogramOf, Tap } from '../../../protocol/layers';
import { OrderedCounts } from '../../analysis/bitHistogram';
import { densityOf } from '../../analysis/density';
import type { StepRecord } from '../stepRecord';

/**
 * At most `most` of the records up to the selected one, evenly spaced by step number from the first
 * to the selected one, which is the last.
 */
export function ridgeRecords(
  records: readonly StepRecord[],
  selected: StepRecord,
  most: number,
): readonly StepRecord[] {
  if (most < 1) return [];
  const upTo = records.slice(0, records.indexOf(selected) + 1);
  if (upTo.length <= most) return upTo;
  if (most === 1) return [selected];
  const first = (upTo[0] as StepRecord).step;
  const gap = (selected.step - first) / (most - 1);
  const chosen: StepRecord[] = [];
  let at = 0;
  for (let ridge = 0; ridge < most; ridge++) {
    const wanted = first + ridge * gap;
    const distance = (index: number) =>
      Math.abs((upTo[index]?.step ?? Number.POSITIVE_INFINITY) - wanted);
    while (at + 1 < upTo.length && distance(at + 1) <= distance(at)) at++;
    const record = upTo[at] as StepRecord;
    if (chosen.at(-1) !== record) chosen.push(record);
  }
  return chosen;
}

/** Counts of one tap over several steps together. */
export function countsOver(
  records: readonly StepRecord[],
  layer: LayerId,
  taps: readonly Tap[],
  of: HistogramOf = 'values',
): OrderedCounts[] {
  return taps.map((tap) => {
    const counts = new OrderedCounts();
    for (const record of records) {
      const histogram = record.tap(layer, tap)?.histogram(of);
      if (histogram) counts.add(histogram);
    }
    return counts;
  });
}

/** Density of one tap at each record, one after another; NaN where the tap did not fire. */
export function densities(
  records: readonly StepRecord[],
  layer: LayerId,
  tap: Tap,
  range: readonly [number, number],
  points: number,
  of: HistogramOf = 'values',
): Float32Array {
  const result = new Float32Array(records.length * points).fill(Number.NaN);
  records.forEach((record, at) => {
    const histogram = record.tap(layer, tap)?.histogram(of);
    if (histogram) result.set(densityOf(histogram, range, points), at * points);
  });
  return result;
}
