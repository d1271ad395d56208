/** Normalization in plain float64 loops, by DEFINITIONS of the papers: nothing of the agent's code. */

export interface Problem {
  readonly shape: readonly number[];
  /** Axes that index γ and β. */
  readonly featureAxes: readonly number[];
  /** Axes that one mean and variance is taken over. */
  readonly normalizedAxes: readonly number[];
  readonly epsilon: number;
  readonly gamma: readonly number[];
  readonly beta: readonly number[];
  readonly x: readonly number[];
  /** dL/dy. */
  readonly dy: readonly number[];
}

export function indexOf(flat: number, shape: readonly number[]): number[] {
  const index: number[] = [];
  for (let axis = shape.length - 1, rest = flat; axis >= 0; axis -= 1) {
    const size = shape[axis] ?? 1;
    index.unshift(rest % size);
    rest = Math.floor(rest / size);
  }
  return index;
}

/** Number of the group that a value belongs to when only `axes` tell groups apart. */
export function groupOf(flat: number, shape: readonly number[], axes: readonly number[]): number {
  const index = indexOf(flat, shape);
  return axes.reduce((group, axis) => group * (shape[axis] ?? 1) + (index[axis] ?? 0), 0);
}

const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

export interface Moments {
  readonly mean: number[];
  readonly variance: number[];
  readonly min: number[];
  readonly max: number[];
}

/** Moments of each group of values, by two passes; over finite values only. */
export function groupMoments(
  values: readonly number[],
  shape: readonly number[],
  axes: readonly number[],
): Moments {
  const groups: number[][] = [];
  values.forEach((value, flat) => {
    const group = groupOf(flat, shape, axes);
    groups[group] ??= [];
    if (Number.isFinite(value)) groups[group]?.push(value);
  });
  const empty = (value: number) => (Number.isFinite(value) ? value : NaN);
  return {
    mean: groups.map(mean),
    variance: groups.map((group) => {
      const centre = mean(group);
      return mean(group.map((value) => (value - centre) ** 2));
    }),
    min: groups.map((group) => empty(Math.min(...group))),
    max: groups.map((group) => empty(Math.max(...group))),
  };
}

/** y and dL/dx of γ·(x - mean)/√(variance + ε) + β. */
export function normalize(problem: Problem): { y: number[]; dx: number[] } {
  const { shape, featureAxes, normalizedAxes, epsilon, gamma, beta, x, dy } = problem;
  const kept = shape.map((_, axis) => axis).filter((axis) => !normalizedAxes.includes(axis));
  const group = x.map((_, flat) => groupOf(flat, shape, kept));
  const feature = x.map((_, flat) => groupOf(flat, shape, featureAxes));
  const at = (values: readonly number[], index: number | undefined) => values[index ?? -1] ?? NaN;
  const { mean: centre, variance } = groupMoments(x, shape, kept);
  const deviation = variance.map((value) => Math.sqrt(value + epsilon));
  const hat = x.map((value, i) => (value - at(centre, group[i])) / at(deviation, group[i]));
  const scaled = dy.map((value, i) => value * at(gamma, feature[i]));
  const meanOf = (values: number[]) => groupMoments(values, shape, kept).mean;
  const first = meanOf(scaled);
  const second = meanOf(scaled.map((value, i) => value * at(hat, i)));
  return {
    y: hat.map((value, i) => value * at(gamma, feature[i]) + at(beta, feature[i])),
    dx: scaled.map(
      (value, i) =>
        (value - at(first, group[i]) - at(hat, i) * at(second, group[i])) / at(deviation, group[i]),
    ),
  };
}

/** Seeded numbers in (-1, 1), exactly representable as float32. */
export function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.fround((state / 2 ** 32) * 2 - 1);
  };
}

export const randomNumbers = (length: number, seed: number): number[] => {
  const random = makeRandom(seed);
  return Array.from({ length }, random);
};
