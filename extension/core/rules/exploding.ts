import type { Tap } from '../../protocol/layers';
import { found, type Finding } from './finding';

/** Captured steps before a size is compared with those before it. */
const FIRST_STEPS = 10;
/** Weight of the newest step in the usual size: that of about the last 50. */
const WEIGHT = 0.02;

/** The usual size of a tensor, as the mean of its logarithm over the steps so far. */
export class UsualSize {
  private steps = 0;
  private mean = 0;

  /**
   * Takes a step in.
   * @returns how many times the usual size of the steps before it is; NaN before that is known
   */
  add(size: number): number {
    if (!(size > 0) || !Number.isFinite(size)) return Number.NaN;
    const above = Math.log(size) - this.mean;
    const factor = this.steps < FIRST_STEPS ? Number.NaN : Math.exp(above);
    this.steps++;
    this.mean += above * Math.max(WEIGHT, 1 / this.steps);
    return factor;
  }
}

/**
 * Rule `exploding`: the root mean square of a layer's input, or of the gradient there, is so many
 * times what it usually is. No source names a number; 100 is far above what batches and learning
 * rate do to either, and a size that grows by a tenth in every captured step reaches it too: the
 * mean over 50 steps is 4.8 = ln 117 behind it.
 *
 * @param input - by {@link UsualSize}, of x
 * @param gradient - likewise of dL/dx, or dL/dy where the input has no gradient
 */
export function exploding(
  input: number,
  gradient: number,
  gradientTap: Tap,
  limit: number,
): Finding | undefined {
  const ofInput = input >= gradient || Number.isNaN(gradient);
  const value = ofInput ? input : gradient;
  if (!(value >= limit)) return undefined;
  return found('warning', { tap: ofInput ? 'pre' : gradientTap, value, limit });
}
