import { REFERENCE_STEPS, type Reference } from '../../protocol/views';
import type { BitHistogram } from '../analysis/bitHistogram';
import { FeatureSums, momentsOver, type StepMoments } from '../analysis/featureSums';
import { poolFeatures } from '../analysis/pooledFeatures';
import { SortedCounts } from '../analysis/sortedCounts';
import type { DriftSide, MomentSide } from '../analysis/tapDrift';
import type { TapReading } from './tapReading';

/** Bytes that a side keeps of its own. */
export const sideBytes = ({ moments, counts }: DriftSide): number =>
  2 * Float32Array.BYTES_PER_ELEMENT * moments.mean.length + counts.byteLength;

function sideOf(moments: DriftSide['moments'], counts: SortedCounts, samples: number): DriftSide {
  const { variance } = poolFeatures(moments.mean, moments.variance);
  return { moments, counts, deviation: Math.sqrt(variance), samples };
}

/** Values of each feature. */
const valuesOf = (reading: TapReading, features: number): number =>
  Math.max(1, reading.count('elements') / Math.max(1, features));

/** One step, or several with as many features together; undefined of none. */
export function sideOfSteps(readings: readonly TapReading[]): DriftSide | undefined {
  const [first] = readings;
  if (!first) return undefined;
  const features = first.values('featureMean').length;
  const steps: StepMoments[] = [];
  const histograms: BitHistogram[] = [];
  let samples = 0;
  for (const reading of readings) {
    const { moments } = reading;
    if (moments.mean.length !== features) continue;
    steps.push({ moments, n: valuesOf(reading, features) });
    const histogram = reading.histogram();
    if (histogram) histograms.push(histogram);
    samples += reading.count('samples');
  }
  // Of one step they are what they are: a view of them would keep the whole step alive.
  return sideOf(momentsOver(features, steps), SortedCounts.of(...histograms), samples);
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

/** The first steps of a tap together, each added as it comes: history may not hold them all. */
class FirstSteps {
  /** There once it is of {@link REFERENCE_STEPS} steps. */
  side: DriftSide | undefined;
  private sums: FeatureSums | undefined;
  private counts: SortedCounts | undefined;
  private samples = 0;
  private steps = 0;

  get byteLength(): number {
    if (this.side) return sideBytes(this.side);
    return (this.sums?.byteLength ?? 0) + (this.counts?.byteLength ?? 0);
  }

  /** Whether further steps belong to it. */
  get isOpen(): boolean {
    return this.steps < REFERENCE_STEPS;
  }

  add(reading: TapReading, { moments, counts, samples }: DriftSide): void {
    if (this.steps === REFERENCE_STEPS) return;
    const features = moments.mean.length;
    // Of another number of features: the layer is not what it was.
    if (this.sums?.features !== features) this.restart(features);
    this.sums?.add(moments, valuesOf(reading, features));
    this.counts = this.counts ? SortedCounts.merged(this.counts, counts) : counts;
    this.samples += samples;
    if (++this.steps === REFERENCE_STEPS) this.complete();
  }

  release(): void {
    this.steps = REFERENCE_STEPS;
    this.side = this.sums = this.counts = undefined;
  }

  private restart(features: number): void {
    this.sums = new FeatureSums(features);
    this.counts = undefined;
    this.samples = this.steps = 0;
  }

  private complete(): void {
    if (!this.sums || !this.counts) return;
    this.side = sideOf(this.sums.moments(), this.counts, this.samples);
    this.sums = this.counts = undefined;
  }
}

/** Keeps what the steps of one tap are compared with. */
export class TapReferences {
  /** The step that was compared last: the one before the next, if no other was captured since. */
  private last: { readonly step: number; readonly side: DriftSide } | undefined;
  private readonly first = new FirstSteps();

  /** Bytes kept beside the steps themselves. */
  get byteLength(): number {
    return this.first.byteLength + (this.last ? sideBytes(this.last.side) : 0);
  }

  /** Whether the steps that a run begins with are still being gathered. */
  get isBeginning(): boolean {
    return this.first.isOpen;
  }

  /**
   * What a new step is compared with; a reference that is not known yet is left out. The window is
   * of fewer steps where history does not hold as many.
   * @param recent - the tap in the captured steps before it, newest first
   */
  before(recent: Iterable<TapReading | undefined>): Partial<Record<Reference, DriftSide>> {
    const fired = firedBefore(recent, REFERENCE_STEPS);
    const window = sideOfSteps(fired);
    const previous = this.isLast(fired[0]) ? this.last?.side : sideOfSteps(fired.slice(0, 1));
    const first = this.first.side;
    return { ...(previous && { previous }), ...(window && { window }), ...(first && { first }) };
  }

  /** The same for moments alone, of the references for which nothing has to be summed up. */
  momentsBefore(recent: Iterable<TapReading | undefined>): Partial<Record<Reference, MomentSide>> {
    const [newest] = firedBefore(recent, 1);
    const previous =
      newest && !this.isLast(newest)
        ? { moments: newest.moments, samples: newest.count('samples') }
        : this.last?.side;
    const first = this.first.side;
    return { ...(previous && { previous }), ...(first && { first }) };
  }

  /** The step has been compared in full. */
  add(reading: TapReading, current: DriftSide): void {
    this.last = { step: reading.step, side: current };
    this.first.add(reading, current);
  }

  /** The run is over: nothing more is compared. */
  release(): void {
    this.last = undefined;
    this.first.release();
  }

  /** Whether no step that history knows of was captured since the last comparison. */
  private isLast(newest: TapReading | undefined): boolean {
    return newest === undefined || newest.step === this.last?.step;
  }
}
