import { REFERENCE_STEPS, type Reference } from '../../../protocol/views';
import type { LayerId } from '../../../protocol/ids';
import type { Tap } from '../../../protocol/layers';
import { featureDrift } from '../../analysis/featureDrift';
import { FeatureSums } from '../../analysis/featureSums';
import type { FeatureMoments } from '../../analysis/momentDrift';
import type { StepRecord } from '../stepRecord';
import type { TapReading } from '../tapReading';

/** Most records looked at for steps in which the tap fired. */
const LOOK_BACK = 200;

/** The first readings of a tap among records `from`, `from + by`, …; at most so many. */
function fired(
  records: readonly StepRecord[],
  layer: LayerId,
  tap: Tap,
  { from, by, most }: { from: number; by: 1 | -1; most: number },
): readonly TapReading[] {
  const readings: TapReading[] = [];
  for (let looked = 0; looked < LOOK_BACK && readings.length < most; looked++) {
    const record = records[from + by * looked];
    if (!record) break;
    const reading = record.tap(layer, tap);
    if (reading) readings.push(reading);
  }
  return readings;
}

function together(readings: readonly TapReading[]): FeatureMoments | undefined {
  const [first] = readings;
  if (!first || readings.length === 1) return first?.moments;
  const features = first.moments.mean.length;
  const sums = new FeatureSums(features);
  for (const reading of readings) {
    if (reading.moments.mean.length !== features) continue;
    sums.add(reading.moments, Math.max(1, reading.count('elements') / Math.max(1, features)));
  }
  return sums.moments();
}

/** The steps of a reference before a kept step, as far as they are kept. */
function stepsOf(
  records: readonly StepRecord[],
  at: number,
  layer: LayerId,
  tap: Tap,
  reference: Exclude<Reference, 'chosen'>,
): readonly TapReading[] {
  if (reference === 'first') {
    const before = records.slice(0, Math.min(at, LOOK_BACK));
    return fired(before, layer, tap, { from: 0, by: 1, most: REFERENCE_STEPS });
  }
  const most = reference === 'previous' ? 1 : REFERENCE_STEPS;
  return fired(records, layer, tap, { from: at - 1, by: -1, most });
}

/**
 * Drift of each feature of a tap at a kept step, against the reference as far as its steps are
 * kept; empty where there is nothing to compare with.
 *
 * @param at - index of the step in the records
 * @param chosen - the tap in the step that the person chose
 */
export function featureDriftAt(
  records: readonly StepRecord[],
  at: number,
  layer: LayerId,
  tap: Tap,
  reference: Reference,
  chosen?: FeatureMoments,
): Float32Array {
  const current = records[at]?.tap(layer, tap);
  const before =
    reference === 'chosen' ? chosen : together(stepsOf(records, at, layer, tap, reference));
  return current && before ? featureDrift(before, current.moments) : new Float32Array(0);
}
