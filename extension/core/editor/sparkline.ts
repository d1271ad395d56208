const BLOCKS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;
const GAP = '·';

/** What a sparkline shows, for those who do not see it. */
export interface Trend {
  /** One character a value. */
  readonly drawing: string;
  readonly first: number;
  readonly last: number;
  readonly smallest: number;
  readonly largest: number;
}

/**
 * A series as text blocks between its smallest and largest value; a dot where a value is missing.
 * Undefined with fewer than two values.
 */
export function trendOf(values: Iterable<number>): Trend | undefined {
  const all = [...values];
  const known = all.filter(Number.isFinite);
  const [first, last] = [known[0], known.at(-1)];
  if (known.length < 2 || first === undefined || last === undefined) return undefined;
  const smallest = known.reduce((a, b) => Math.min(a, b));
  const largest = known.reduce((a, b) => Math.max(a, b));
  const spread = largest - smallest;
  const block = (value: number): string => {
    if (!Number.isFinite(value)) return GAP;
    const level = spread > 0 ? Math.floor(((value - smallest) / spread) * BLOCKS.length) : 0;
    return BLOCKS[Math.min(BLOCKS.length - 1, level)] ?? GAP;
  };
  return { drawing: all.map(block).join(''), first, last, smallest, largest };
}
