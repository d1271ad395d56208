import type { NotableFeature, NotableFeatures } from '../../protocol/views';
import type { FeatureMoments } from './momentDrift';

/** From how many times the usual a feature is outlying. */
export const OUTLYING = 4;
/** Most features that are named. */
const MOST_NAMED = 8;

function median(values: Float64Array): number {
  const sorted = values.slice().sort();
  const middle = sorted.length >> 1;
  if (sorted.length === 0) return Number.NaN;
  if (sorted.length % 2 === 1) return sorted[middle] as number;
  return ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}

/** Standard deviations of a normal distribution in one median absolute deviation: 1/Φ⁻¹(¾). */
const NORMAL_MAD = 1.4826;

/**
 * Features unlike the others of their layer. Dead: a variance of 0 (DEFINITIONS.md, 7). Outlying:
 * a standard deviation of more than {@link OUTLYING} times the median one, or a mean more than
 * {@link OUTLYING} usual deviations from the median mean. The usual deviation is sqrt(s² + m²) of
 * the median standard deviation s and the means' own spread m, from their median absolute deviation:
 * medians throughout, so that the outlying ones do not hide themselves. Dead features and those that
 * are NaN count in none of them.
 */
export function notableFeatures({ mean, variance }: FeatureMoments): NotableFeatures {
  const all = Array.from({ length: mean.length }, (_, j) => j);
  const isDead = (j: number) => variance[j] === 0;
  const alive = all.filter((j) => (variance[j] as number) > 0);
  const of = (value: (j: number) => number) => median(Float64Array.from(alive, value));
  const usualMean = of((j) => mean[j] as number);
  const usualStd = of((j) => Math.sqrt(variance[j] as number));
  const offset = (j: number) => Math.abs((mean[j] as number) - usualMean);
  const usualDeviation = Math.hypot(usualStd, NORMAL_MAD * of(offset));
  const named = (feature: number, kind: NotableFeature['kind'], ratio: number) => ({
    feature,
    kind,
    mean: mean[feature] as number,
    std: Math.sqrt(variance[feature] as number),
    ratio,
  });
  const outlying = alive.flatMap((j) => {
    const wide = Math.sqrt(variance[j] as number) / usualStd;
    const far = offset(j) / usualDeviation;
    const ratio = Math.max(wide, far);
    return ratio > OUTLYING ? [named(j, wide >= far ? 'wide' : 'far', ratio)] : [];
  });
  outlying.sort((a, b) => b.ratio - a.ratio);
  const dead = all.filter(isDead);
  const someDead = dead.slice(0, outlying.length > 0 ? MOST_NAMED / 2 : MOST_NAMED);
  const worst = [...someDead.map((j) => named(j, 'dead', 0)), ...outlying];
  return { dead: dead.length, outlying: outlying.length, worst: worst.slice(0, MOST_NAMED) };
}
