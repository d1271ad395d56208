/**
 * Tells whether the statistics that a layer normalizes with are constants in the backward pass: a
 * BatchNorm in eval mode while training, DetachNorm, frozen statistics.
 *
 * A layer that normalizes with statistics of its own input re-centres the gradient: over each set
 * that shares a mean, the sum of dL/dx is 0, for any ε and gain (DEFINITIONS.md, 1 and 4). With
 * constants it is a multiple of dL/dy, and its means are as large beside its values as those of
 * dL/dy are. RMSNorm never centres; nothing can be told of it.
 */
export type NormalizesWith = 'own statistics' | 'constants' | 'unknown';

/** Means and mean squares over sets that share a mean: features of a BatchNorm, samples of others. */
export interface CentringInput {
  readonly gradPre: SetMoments;
  readonly gradPost: SetMoments;
}

export interface SetMoments {
  readonly mean: ArrayLike<number>;
  /** Biased variance. */
  readonly variance: ArrayLike<number>;
}

/** Ratio below which means are rounding errors of a float32 tensor's. */
const ROUNDING = 1e-4;
const CENTRED = 0.1;
const NOT_CENTRED = 0.5;

/**
 * Root mean square, over sets, of the mean beside the root mean square of the values: 0 when every
 * set is centred, 1 when all values of each are alike. Sets without a value other than 0 are left
 * out; NaN when none is left.
 */
export function centring({ mean, variance }: SetMoments): number {
  let [sum, sets] = [0, 0];
  for (let i = 0; i < mean.length; i++) {
    const square = (mean[i] as number) ** 2;
    const energy = square + (variance[i] ?? Number.NaN);
    if (!(energy > 0)) continue;
    sum += square / energy;
    sets++;
  }
  return sets > 0 ? Math.sqrt(sum / sets) : Number.NaN;
}

/** `unknown` when dL/dy is so well centred that the two can not be told apart. */
export function normalizesWith({ gradPre, gradPost }: CentringInput): NormalizesWith {
  const [given, passed] = [centring(gradPost), centring(gradPre)];
  if (!(given > 10 * ROUNDING) || Number.isNaN(passed)) return 'unknown';
  if (passed < Math.max(ROUNDING, CENTRED * given)) return 'own statistics';
  return passed > NOT_CENTRED * given ? 'constants' : 'unknown';
}
