import { binEdges, binOf } from '../../protocol/bitBins';
import type { BitHistogram } from '../analysis/bitHistogram';
import { found, type Finding } from './finding';

/** Variances (or mean squares) that a layer divides by: how many there are, how many are below ε. */
export interface BelowEps {
  readonly sets: number;
  readonly below: number;
}

const NONE: BelowEps = { sets: 0, below: 0 };

/**
 * Of the features of a BatchNorm, or of samples. A variance of 0 says that the values are constant,
 * which is another rule's.
 *
 * @param means - adds their squares, as an RMSNorm does
 */
export function countBelow(variances: Float32Array, eps: number, means?: Float32Array): BelowEps {
  let [sets, below] = [0, 0];
  for (let i = 0; i < variances.length; i++) {
    const mean = means?.[i] ?? 0;
    const square = (variances[i] as number) + mean * mean;
    if (!(square > 0)) continue;
    sets++;
    if (square < eps) below++;
  }
  return { sets, below };
}

/** Of rows, from the histogram of their variances; the bin that ε lies in is shared out. */
export function countBinsBelow(histogram: BitHistogram | undefined, eps: number): BelowEps {
  if (!histogram) return NONE;
  const { bins, counts } = histogram;
  const bin = binOf(eps);
  const [lower, upper] = binEdges(bin);
  const share = (eps - lower) / (upper - lower);
  let [sets, below] = [0, 0];
  for (let i = 0; i < bins.length; i++) {
    const count = counts[i] as number;
    sets += count;
    if ((bins[i] as number) < bin) below += count;
    else if (bins[i] === bin) below += share * count;
  }
  return { sets, below };
}

/**
 * Rule `eps-dominated`: of the variances that a layer divides by, more than a tenth are below ε.
 * From σ² = ε on at least half of what stands under the root is ε, and the output's deviation is
 * below 1/√2 of what it would be: the layer does not normalize, it multiplies by about 1/√ε.
 * (y = (x−μ)/√(σ²+ε) in all frameworks; DEFINITIONS.md, 0.)
 *
 * The sets are features of a BatchNorm, rows of a LayerNorm, and samples of the others: a sample's
 * variance is not below the average over its groups, so it misses some and claims none.
 */
export function epsDominated({ sets, below }: BelowEps, limit: number): Finding | undefined {
  const value = below / sets;
  if (!(value >= limit)) return undefined;
  return found('warning', { tap: 'pre', value, limit, features: Math.round(below) });
}
