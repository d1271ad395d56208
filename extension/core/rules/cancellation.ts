import { found, type Finding } from './finding';

/** Classes of PyTorch whose kernels sum squared deviations (DEFINITIONS.md, 1, "Numerical algorithm"). */
const CAREFUL_TORCH =
  /^(F\..*|(Lazy)?(Batch|Instance)Norm[123]d|SyncBatchNorm|LayerNorm|GroupNorm)$/;
/** TF.js takes moments in two passes, and so does every layer of it. */
const CAREFUL_TFJS = /^(Batch|Layer)Normalization/;

/** Whether a class may take the variance as E[x²] − E[x]²: all that are not known to do better. */
export const mayCancel = (className: string, framework: 'torch' | 'tfjs'): boolean =>
  !(framework === 'torch' ? CAREFUL_TORCH : CAREFUL_TFJS).test(className);

/** The set of values whose mean lies furthest from 0 beside their deviation. */
export interface Offset {
  /** |mean|/σ; 0 where no set has a spread. */
  readonly ratio: number;
  readonly index: number;
}

/** Of features. */
export function largestOffset(means: Float32Array, variances: Float32Array): Offset {
  let [largest, index] = [0, -1];
  for (let j = 0; j < means.length; j++) {
    const ratio = (means[j] as number) ** 2 / (variances[j] as number);
    if (ratio > largest && ratio < Number.POSITIVE_INFINITY) [largest, index] = [ratio, j];
  }
  return { ratio: Math.sqrt(largest), index };
}

/** Of rows, among those that lie furthest out. */
export function largestRowOffset(
  rows: readonly { readonly index: number; readonly mean: number; readonly variance: number }[],
): Offset {
  let most: Offset = { ratio: 0, index: -1 };
  for (const { index, mean, variance } of rows) {
    const ratio = Math.abs(mean) / Math.sqrt(variance);
    if (ratio > most.ratio && Number.isFinite(ratio)) most = { ratio, index };
  }
  return most;
}

/**
 * Rule `fast-variance-cancellation`: a mean is more than 1000 deviations from 0 in a layer that may
 * compute its variance as E[x²] − E[x]² (Keras on PyTorch, Flax, PowerNorm, code of one's own). In
 * float32 that is wrong by 2⁻²⁴·ratio², 6 % at 1000, and 0 or negative at 3000
 * (DEFINITIONS.md, 1, "Cancellation check").
 */
export function fastVarianceCancellation(
  { ratio, index }: Offset,
  of: 'feature' | 'row',
  limit: number,
): Finding | undefined {
  if (!(ratio >= limit)) return undefined;
  return found('warning', { tap: 'pre', value: ratio, limit, [of]: index });
}
