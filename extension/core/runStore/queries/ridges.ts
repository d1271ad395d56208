import { bisector } from 'd3-array';
import type { LayerId } from '../../../protocol/ids';
import type { HistogramOf, Tap } from '../../../protocol/layers';
import { OrderedCounts } from '../../analysis/bitHistogram';
import { densityOf } from '../../analysis/density';
import type { StepRecord } from '../stepRecord';

const byStep = bisector((record: StepRecord) => record.step);

/** How far from the step wished for one is looked for in which the layer ran, in records. */
const LOOK_AROUND = 64;

/** The record nearest to a step number in which the layer ran. */
function nearestRan(
  records: readonly StepRecord[],
  step: number,
  ran: (record: StepRecord) => boolean,
): StepRecord | undefined {
  const centre = byStep.center(records, step);
  for (let away = 0; away <= LOOK_AROUND; away++) {
    for (const at of [centre + away, centre - away]) {
      const record = records[at];
      if (record && ran(record)) return record;
    }
  }
  return undefined;
}

/**
 * At most `most` of the records up to the last one, evenly spaced by step number from the first to
 * the last, which is always among them; of the others those in which the layer ran.
 */
export function spacedRecords(
  records: readonly StepRecord[],
  most: number,
  ran: (record: StepRecord) => boolean,
): readonly StepRecord[] {
  const last = records.at(-1);
  if (most < 1 || !last) return [];
  const kept = (record: StepRecord) => record === last || ran(record);
  if (records.length <= most) return records.filter(kept);
  if (most === 1) return [last];
  const first = (records.find(kept) ?? last).step;
  const gap = (last.step - first) / (most - 1);
  const chosen: StepRecord[] = [];
  for (let ridge = 0; ridge < most; ridge++) {
    const record = nearestRan(records, first + ridge * gap, kept);
    if (record && record.step > (chosen.at(-1)?.step ?? -1)) chosen.push(record);
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
