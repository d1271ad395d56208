import { found, type Finding } from './finding';

/** What one rank's BatchNorm got in a step. */
export interface RankFigures {
  /** Mean and standard deviation of x over the whole tensor. */
  readonly mean: number;
  readonly deviation: number;
  /** What the mean moves from step to step by sampling alone, in deviations: √(2/n). */
  readonly floor: number;
}

/** A distance that is not this many times what sampling alone gives says nothing. */
const ABOVE_FLOOR = 3;

/**
 * Rule `rank-spread`: at the same step the inputs of a BatchNorm on two ranks differ in their means
 * by more than half a standard deviation, and by more than three times of what their samples are
 * off. Ranks then see different data, and their running statistics differ (fvcore#152,
 * pytorch#22192). A SyncBatchNorm shares its statistics: not for it.
 */
export function rankSpread(ranks: readonly RankFigures[], limit: number): Finding | undefined {
  let finding: Finding | undefined;
  for (const [at, a] of ranks.entries()) {
    for (const b of ranks.slice(at + 1)) {
      const pooled = Math.sqrt((a.deviation ** 2 + b.deviation ** 2) / 2);
      const value = Math.abs(a.mean - b.mean) / pooled;
      const floor = Math.sqrt((a.floor ** 2 + b.floor ** 2) / 2);
      const least = Math.max(limit, ABOVE_FLOOR * floor);
      if (!(value >= least) || value <= (finding?.value ?? 0)) continue;
      finding = found('warning', { tap: 'pre', value, limit: least });
    }
  }
  return finding;
}
