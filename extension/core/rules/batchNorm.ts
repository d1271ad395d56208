import { found, type Finding } from './finding';

/** How many values a BatchNorm takes its statistics from, in one call and over all ranks. */
export interface BatchSize {
  /** Samples of a call: values of a feature that are independent. */
  readonly samples: number;
  /** Values of a feature in a call. */
  readonly values: number;
}

/**
 * Rule `bn-batch-of-one`: a BatchNorm gets a single sample. Of one value the variance is 0: the
 * output is β whatever the input, and the running variance is poisoned (0/0 with Bessel's
 * correction), which PyTorch refuses and TF.js does not (DEFINITIONS.md, 1; SparseConvNet#190).
 * Of one image the statistics are those of its places alone, as in an InstanceNorm.
 */
export function batchOfOne({ samples, values }: BatchSize): Finding | undefined {
  if (!(samples > 0 && samples < 2)) return undefined;
  return found(values < 2 ? 'error' : 'warning', { tap: 'pre', value: samples });
}

/**
 * Rule `bn-small-batch`: a BatchNorm gets fewer than 8 samples in a call. A mean of n independent
 * values is off by σ/√n, a deviation by σ/√(2n): of 8 by 35 and 25 %, in training by another amount
 * in every step, and in eval mode by none. Places of one image and tokens of one sequence are no
 * independent values.
 */
export function smallBatch({ samples }: BatchSize, limit: number): Finding | undefined {
  if (!(samples >= 2 && samples < limit)) return undefined;
  return found('warning', { tap: 'pre', value: samples, limit });
}

/**
 * Rule `bn-eval-while-training`: in a training step a BatchNorm normalizes with its running
 * statistics: `eval()` was called and `train()` was not, or `training: true` was left out (TF.js).
 */
export const evalWhileTraining = (usesRunning: boolean): Finding | undefined =>
  usesRunning ? found('warning') : undefined;

/** A gap that is not this many times what sampling alone gives says nothing. */
const ABOVE_FLOOR = 3;
/** Time constants 1/momentum until what the running statistics began with has gone: e⁻⁵ < 1 %. */
const TIME_CONSTANTS = 5;
/** PyTorch's, where the running statistics are a plain mean. */
const USUAL_MOMENTUM = 0.1;

/** Whether running statistics are still on their way from 0 and 1 to those of the data. */
export const isWarmingUp = (steps: number, momentum: number | null): boolean =>
  steps * (momentum ?? USUAL_MOMENTUM) < TIME_CONSTANTS;

/**
 * Rule `bn-train-eval-gap`: in eval mode the same batch would come out of a BatchNorm differently
 * by more than one standard deviation of its output (root mean square; see `evalShift.ts`), and by
 * more than three times of what a batch of n samples is off: √(1/n) by its mean and √(1/2n) by its
 * deviation, √(1.5/n) together. Nothing can be said of a batch of one.
 */
export function trainEvalGap(
  relativeShift: number,
  samples: number,
  limit: number,
): Finding | undefined {
  const least = Math.max(limit, ABOVE_FLOOR * Math.sqrt(1.5 / samples));
  if (!(samples >= 2) || !(relativeShift >= least)) return undefined;
  return found('warning', { tap: 'post', value: relativeShift, limit: least });
}
