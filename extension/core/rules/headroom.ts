import { TAPS, type Tap } from '../../protocol/layers';
import { found, type Finding } from './finding';

/**
 * Rule `headroom`: the largest absolute value of a tap is more than half of the largest that its
 * dtype holds (see `WHOLE`): one doubling away from infinity.
 *
 * @param headrooms - of each tap; NaN where it did not fire
 * @param scaled - whether a gradient scaler is at work: it drives gradients up to this limit and
 *   handles what exceeds it, so that they do not count
 */
export function headroom(
  headrooms: (tap: Tap) => number,
  scaled: boolean,
  limit: number,
): Finding | undefined {
  let finding: Finding | undefined;
  for (const tap of TAPS) {
    const value = headrooms(tap);
    if (scaled && (tap === 'gradPost' || tap === 'gradPre')) continue;
    if (!(value >= limit) || value <= (finding?.value ?? 0)) continue;
    finding = found('warning', { tap, value, limit });
  }
  return finding;
}
