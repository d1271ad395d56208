import { momentDrift, type FeatureMoments } from './momentDrift';
import { meanShiftFloor, psiFloor, wassersteinFloor } from './nullFloors';
import { QuantileBins } from './quantileBins';
import { populationStability } from './shareDistances';
import type { SortedCounts } from './sortedCounts';
import { normedWasserstein } from './wasserstein';

/** What a tap held in one step, or in several together. */
export interface DriftSide {
  /** Mean and biased variance of each feature. */
  readonly moments: FeatureMoments;
  readonly counts: SortedCounts;
  /** Standard deviation of the whole tensor. */
  readonly deviation: number;
  readonly samples: number;
}

/** Drift of a tap's moments against a reference. */
export interface MomentFigures {
  /** See `momentDrift`. */
  readonly drift: number;
  readonly varianceDrift: number;
  /** What the drift is when nothing drifts. */
  readonly driftFloor: number;
}

/** Drift of a tap against a reference, each figure with what it is when nothing drifts. */
export interface TapDrift extends MomentFigures {
  /** Wasserstein-1 distance in standard deviations of the reference. */
  readonly wasserstein: number;
  readonly wassersteinFloor: number;
  /** Population stability index over bins of equal shares of the reference. */
  readonly psi: number;
  readonly psiFloor: number;
}

/** What is needed of a side to compare its moments. */
export type MomentSide = Pick<DriftSide, 'moments' | 'samples'>;

/** Compares the moments of a step with those of a reference (DEFINITIONS.md, 3 and 6). */
export function momentFigures(reference: MomentSide, current: MomentSide): MomentFigures {
  const { mean, variance } = momentDrift(reference.moments, current.moments);
  return {
    drift: mean,
    varianceDrift: variance,
    driftFloor: meanShiftFloor(reference.samples, current.samples),
  };
}

/**
 * Compares a step with a reference (DEFINITIONS.md, 6). The floors count each sample as one
 * independent row (see `nullFloors.ts`), and no more rows than values that were counted.
 */
export function tapDrift(reference: DriftSide, current: DriftSide): TapDrift {
  const bins = new QuantileBins(reference.counts);
  const counted = ({ samples, counts }: DriftSide) => Math.min(samples, counts.total);
  const [n, m] = [counted(reference), counted(current)];
  return {
    ...momentFigures(reference, current),
    wasserstein: normedWasserstein(reference.counts, current.counts, reference.deviation),
    wassersteinFloor: wassersteinFloor(n, m),
    psi: populationStability(bins.count(reference.counts), bins.count(current.counts)),
    psiFloor: psiFloor(bins.length, n, m),
  };
}
