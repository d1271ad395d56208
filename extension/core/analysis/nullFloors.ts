/**
 * What each drift measure is expected to be when nothing drifts and only the samples differ
 * (DEFINITIONS.md, 6, "NULL FLOORS"). A figure that is not above its floor says nothing.
 *
 * n and m are numbers of *independent rows* of the two sides. Rows of one sample (the tokens of a
 * sequence, the places of an image) are correlated, and how much is not known from the statistics:
 * each sample counts as one row. That is exact for inputs of two axes and conservative for others:
 * the true floor may lie below the one given here. All are NaN when a side has no row.
 */

/** 1/n + 1/m; NaN when either is not above 0. */
function spread(n: number, m: number): number {
  return n > 0 && m > 0 ? 1 / n + 1 / m : Number.NaN;
}

/** Of the root mean square change of a mean, in standard deviations; holds for any distribution. */
export const meanShiftFloor = (n: number, m: number): number => Math.sqrt(spread(n, m));

/** Of the Wasserstein-1 distance in standard deviations. */
export const wassersteinFloor = (n: number, m: number): number => 1.25 * Math.sqrt(spread(n, m));

/** Of the PSI over `bins` bins. */
export const psiFloor = (bins: number, n: number, m: number): number => (bins - 1) * spread(n, m);

/** Of the symmetric divergence of two Gaussians. */
export const gaussianFloor = (n: number, m: number): number => 2 * spread(n, m);

/** Of the squared Fréchet distance of one feature of the given variance. */
export const frechetFloor = (variance: number, n: number, m: number): number =>
  1.5 * variance * spread(n, m);
