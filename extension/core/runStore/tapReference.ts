import { REFERENCE_STEPS, type Reference } from '../../protocol/views';
import type { BitHistogram } from '../analysis/bitHistogram';
import { FeatureSums } from '../analysis/featureSums';
import { poolFeatures } from '../analysis/pooledFeatures';
import { SortedCounts } from '../analysis/sortedCounts';
import type { DriftSide } from '../analysis/tapDrift';
import type { TapReading } from './tapReading';

/** Bytes that a state keeps of its own. */
export const stateBytes = ({ moments, counts }: DriftSide): number =>
  2 * Float32Array.BYTES_PER_ELEMENT * moments.mean.length + counts.byteLength;

/** One step, or several with as many features together; undefined of none. */
export function stateOf(readings: readonly TapReading[]): DriftSide | undefined {
  const [first] = readings;
  if (!first) return undefined;
  const features = first.values('featureMean').length;
  const alike = readings.filter((reading) => reading.values('featureMean').length === features);
  const sums = new FeatureSums(features);
  const histograms: BitHistogram[] = [];
  let samples = 0;
  for (const reading of alike) {
    const moments = {
      mean: reading.values('featureMean'),
      variance: reading.values('featureVariance'),
    };
    sums.add(moments, Math.max(1, reading.count('elements') / Math.max(1, features)));
    const histogram = reading.histogram();
    if (histogram) histograms.push(histogram);
    samples += reading.count('samples');
  }
  const moments = sums.moments();
  return {
    moments,
    counts: SortedCounts.of(...histograms),
    deviation: Math.sqrt(poolFeatures(moments.mean, moments.variance).variance),
    samples,
  };
}

/** How far back steps are looked for in which the tap fired. */
const LOOK_BACK = 200;

/** The newest steps in which a tap fired, newest first, at most so many. */
function firedBefore(
  recent: Iterable<TapReading | undefined>,
  most: number,
): readonly TapReading[] {
  const fired: TapReading[] = [];
  let looked = 0;
  for (const reading of recent) {
    if (reading) fired.push(reading);
    if (fired.length === most || ++looked === LOOK_BACK) break;
  }
  return fired;
}

/** Keeps what the steps of one tap are compared with. */
export class TapReferences {
  private first: DriftSide | undefined;
  private firstComplete = false;

  /** Bytes kept beside the steps themselves. */
  get byteLength(): number {
    return this.first ? stateBytes(this.first) : 0;
  }

  /**
   * What a new step is compared with; a reference that is not known yet is left out.
   * @param recent - the tap in the captured steps before it, newest first
   */
  before(recent: Iterable<TapReading | undefined>): Partial<Record<Reference, DriftSide>> {
    const fired = firedBefore(recent, REFERENCE_STEPS);
    if (!this.firstComplete && fired.length === REFERENCE_STEPS) {
      this.first = stateOf(fired);
      this.firstComplete = true;
    }
    const previous = stateOf(fired.slice(0, 1));
    const window = stateOf(fired);
    return {
      ...(previous && { previous }),
      ...(window && { window }),
      ...(this.first && { first: this.first }),
    };
  }

  /** The run is over: nothing more is compared. */
  release(): void {
    this.first = undefined;
    this.firstComplete = true;
  }
}
