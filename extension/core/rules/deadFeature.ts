import type { Tap } from '../../protocol/layers';
import { found, type Finding } from './finding';

/** Captured steps in a row in which a feature must be constant: one batch is no proof. */
export const DEAD_STEPS = 10;

/** For how many captured steps in a row each feature has been constant. */
export class ConstantFeatures {
  /** There once a feature was constant. */
  private streaks: Uint8Array | undefined;
  /** Features that have been constant for {@link DEAD_STEPS}, and the first of them. */
  dead = 0;
  first = -1;

  /**
   * Takes a step in.
   * @param variance - of each feature; NaN where a feature has no finite value
   * @param gain - γ: a feature of gain 0 is constant by its own choice
   */
  add(variance: Float32Array, gain?: Float32Array): void {
    this.dead = 0;
    this.first = -1;
    if (this.streaks?.length !== variance.length) {
      if (!variance.includes(0)) return;
      this.streaks = new Uint8Array(variance.length);
    }
    const { streaks } = this;
    for (let j = 0; j < variance.length; j++) {
      if (variance[j] !== 0 || gain?.[j] === 0) {
        streaks[j] = 0;
        continue;
      }
      const streak = Math.min(DEAD_STEPS, (streaks[j] as number) + 1);
      streaks[j] = streak;
      if (streak < DEAD_STEPS) continue;
      if (this.dead === 0) this.first = j;
      this.dead++;
    }
  }
}

/**
 * Rule `dead-feature`: a feature of x is constant, or one of y is although its γ is not 0, over
 * several captured steps ("dead" after cs231n's ReLUs; DEFINITIONS.md, 7). A constant feature
 * carries nothing, and its gradient does not reach the weights before it. A ReLU network has a few,
 * so it speaks from one in a hundred on.
 */
export function deadFeature(
  tap: Tap,
  { dead, first }: Pick<ConstantFeatures, 'dead' | 'first'>,
  features: number,
  limit: number,
): Finding | undefined {
  const value = dead / features;
  if (dead === 0 || !(value >= limit)) return undefined;
  return found('warning', { tap, value, limit, feature: first, features: dead });
}
