/**
 * Distances of two histograms over the same bins, given as counts (DEFINITIONS.md, 6). All use
 * natural logarithms and are NaN when either histogram is empty.
 */

/** Share that stands for an empty bin in the PSI, which is infinite otherwise. */
const EMPTY_SHARE = 1e-4;

/** NaN where there is nothing. */
function totalOf(counts: ArrayLike<number>): number {
  let total = 0;
  for (let i = 0; i < counts.length; i++) total += counts[i] as number;
  return total > 0 ? total : Number.NaN;
}

function sumOver(
  reference: ArrayLike<number>,
  current: ArrayLike<number>,
  term: (p: number, q: number) => number,
): number {
  const [n, m] = [totalOf(reference), totalOf(current)];
  let sum = 0;
  for (let i = 0; i < reference.length; i++) {
    sum += term((reference[i] as number) / n, (current[i] ?? Number.NaN) / m);
  }
  return sum;
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
