import type { FeatureMoments } from './momentDrift';

/** How far a BatchNorm's output would be from the training output, had it been in eval mode. */
export interface EvalShift {
  /** Root mean square over all values of y_eval − y_train. */
  readonly rms: number;
  /** {@link rms} in standard deviations of the training output. */
  readonly relative: number;
}

export interface EvalShiftInput {
  /** Mean and biased variance of each feature of the batch. */
  readonly batch: FeatureMoments;
  /** Running statistics before the step's update. */
  readonly running: FeatureMoments;
  readonly eps: number;
  /** 1 for each feature where the layer has none. */
  readonly gamma?: ArrayLike<number>;
  /** 0 for each feature where the layer has none. */
  readonly beta?: ArrayLike<number>;
}

/**
 * The predicted shift of the same batch between training and eval mode, exact from the moments of
 * the input: with a = γ/√(σ²+ε) of the running and t that of the batch statistics,
 *
 *     mean (y_eval − y_train)² = mean_j (a − t)² σ²_B + a² (μ_B − μ)²
 *     var y_train              = mean_j t² σ²_B + var_j β
 *
 * All features are taken to have the same number of values (DEFINITIONS.md, 1; vectors/norms.json).
 */
export function evalShift({ batch, running, eps, gamma, beta }: EvalShiftInput): EvalShift {
  const length = Math.min(batch.mean.length, running.mean.length);
  let [d, squares, within, sum, sumOfSquares] = [0, 0, 0, 0, 0];
  for (let j = 0; j < length; j++) {
    const shift = (batch.mean[j] as number) - (running.mean[j] as number);
    const variance = batch.variance[j] as number;
    const kept = running.variance[j] as number;
    if (Number.isNaN(shift) || Number.isNaN(variance) || Number.isNaN(kept)) continue;
    const gain = gamma?.[j] ?? 1;
    const offset = beta?.[j] ?? 0;
    const evalGain = gain / Math.sqrt(kept + eps);
    const trainGain = gain / Math.sqrt(variance + eps);
    d++;
    squares += (evalGain - trainGain) ** 2 * variance + (evalGain * shift) ** 2;
    within += trainGain ** 2 * variance;
    sum += offset;
    sumOfSquares += offset * offset;
  }
  const rms = Math.sqrt(squares / d);
  const between = sumOfSquares / d - (sum / d) ** 2;
  return { rms, relative: rms / Math.sqrt(within / d + Math.max(0, between)) };
}
