/** Ratios of step times over the rounds of a benchmark. */
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
  const ratios = rounds
    .map((round, at) => mean(round) / mean(plain[at] ?? []))
    .sort((a, b) => a - b);
  const [min, max] = [ratios[0] ?? NaN, ratios.at(-1) ?? NaN];
  const middle = ratios.length / 2;
  const median = mean(ratios.slice(Math.ceil(middle) - 1, Math.floor(middle) + 1));
  return { min, median, max };
}

export const ratioText = ({ min, median, max }: Ratios) =>
  `${median.toFixed(3)} (${min.toFixed(3)} … ${max.toFixed(3)})`;
