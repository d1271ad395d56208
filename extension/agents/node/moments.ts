/** Central moments of a set of finite values: sums of powers of deviations from the mean. */
export interface Moments {
  n: number;
  mean: number;
  m2: number;
  m3: number;
  m4: number;
  min: number;
  max: number;
}

export const noMoments = (): Moments => ({
  n: 0,
  mean: NaN,
  m2: 0,
  m3: 0,
  m4: 0,
  min: Infinity,
  max: -Infinity,
});

/**
 * Distance of the mean from the centre, in standard deviations, up to which the fourth moment about
 * the mean keeps nine digits when it is derived from sums about the centre in float64.
 */
const FAR = 30;

/** Moments from the sums of (x - c)^k, k = 1 … 4; undefined where the centre is too far away. */
export function momentsAbout(
  centre: number,
  n: number,
  sums: readonly [number, number, number, number],
): Pick<Moments, 'mean' | 'm2' | 'm3' | 'm4'> | undefined {
  const [s1, s2, s3, s4] = sums;
  const d = s1 / n;
  const m2 = s2 - n * d * d;
  if (n * d * d > FAR * FAR * m2) return undefined;
  return {
    mean: centre + d,
    m2,
    m3: s3 - 3 * d * s2 + 2 * n * d * d * d,
    m4: s4 - 4 * d * s3 + 6 * d * d * s2 - 3 * n * d * d * d * d,
  };
}

/** Adds the moments of further values: Pébay's update (DEFINITIONS.md, 9). */
export function mergeMoments(into: Moments, from: Moments): void {
  if (from.n === 0) return;
  if (into.n === 0) {
    Object.assign(into, from);
    return;
  }
  const { n: a, m2: a2, m3: a3, m4: a4 } = into;
  const { n: b, m2: b2, m3: b3, m4: b4 } = from;
  const n = a + b;
  const d = from.mean - into.mean;
  into.n = n;
  into.mean += (d * b) / n;
  into.m2 = a2 + b2 + (d * d * a * b) / n;
  into.m3 = a3 + b3 + (d ** 3 * a * b * (a - b)) / (n * n) + (3 * d * (a * b2 - b * a2)) / n;
  into.m4 =
    a4 +
    b4 +
    (d ** 4 * a * b * (a * a - a * b + b * b)) / (n * n * n) +
    (6 * d * d * (a * a * b2 + b * b * a2)) / (n * n) +
    (4 * d * (a * b3 - b * a3)) / n;
  into.min = Math.min(into.min, from.min);
  into.max = Math.max(into.max, from.max);
}

export const skewnessOf = ({ n, m2, m3 }: Moments) => (Math.sqrt(n) * m3) / m2 ** 1.5;

/** Excess kurtosis: 0 for a normal distribution. */
export const kurtosisOf = ({ n, m2, m4 }: Moments) => (n * m4) / (m2 * m2) - 3;
