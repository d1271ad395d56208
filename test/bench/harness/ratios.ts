/** What the rounds of a benchmark gave. */
export interface Ratios {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Mean step time of each round over that of the plain round beside it. */
export function ratiosOf(
  rounds: readonly (readonly number[])[],
  plain: readonly (readonly number[])[],
): Ratios {
  return rangeOf(rounds.map((round, at) => mean(round) / mean(plain[at] ?? [])));
}

/** Smallest, median and largest of some values. */
export function rangeOf(values: readonly number[]): Ratios {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const median = mean(sorted.slice(Math.ceil(middle) - 1, Math.floor(middle) + 1));
  return { min: sorted[0] ?? NaN, median, max: sorted.at(-1) ?? NaN };
}

export const ratioText = ({ min, median, max }: Ratios) =>
  `${median.toFixed(3)} (${min.toFixed(3)} … ${max.toFixed(3)})`;
