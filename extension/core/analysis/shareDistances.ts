/**
 * Distances of two histograms over the same bins, given as counts (DEFINITIONS.md, 6). All use
 * natural logarithms and are NaN when either histogram is empty.
 */

/** Share that stands for an empty bin in the PSI, which is infinite otherwise. */
const EMPTY_SHARE = 1e-4;

function shares(counts: ArrayLike<number>): Float64Array {
  const result = Float64Array.from(counts);
  const total = result.reduce((sum, count) => sum + count, 0);
  return total > 0 ? result.map((count) => count / total) : result.fill(Number.NaN);
}

function sumOver(
  reference: ArrayLike<number>,
  current: ArrayLike<number>,
  term: (p: number, q: number) => number,
): number {
  const p = shares(reference);
  const q = shares(current);
  return p.reduce((sum, share, bin) => sum + term(share, q[bin] ?? Number.NaN), 0);
}

/**
 * Population stability index Σ (p − q) ln(p / q). Empty bins have the share 0.0001; the shares are
 * not renormalised after that (as evidently does it).
 */
export function populationStability(
  reference: ArrayLike<number>,
  current: ArrayLike<number>,
): number {
  return sumOver(reference, current, (p, q) => {
    const [a, b] = [p === 0 ? EMPTY_SHARE : p, q === 0 ? EMPTY_SHARE : q];
    return (a - b) * Math.log(a / b);
  });
}

/** Square root of the Jensen–Shannon divergence; at most sqrt(ln 2). */
export function jensenShannonDistance(
  reference: ArrayLike<number>,
  current: ArrayLike<number>,
): number {
  const part = (share: number, middle: number) =>
    share === 0 ? 0 : share * Math.log(share / middle);
  const divergence = sumOver(
    reference,
    current,
    (p, q) => (part(p, (p + q) / 2) + part(q, (p + q) / 2)) / 2,
  );
  return Math.sqrt(Math.max(0, divergence));
}

/** Hellinger distance sqrt(1 − Σ sqrt(p q)), from 0 to 1. */
export function hellingerDistance(
  reference: ArrayLike<number>,
  current: ArrayLike<number>,
): number {
  return Math.sqrt(Math.max(0, 1 - sumOver(reference, current, (p, q) => Math.sqrt(p * q))));
}
