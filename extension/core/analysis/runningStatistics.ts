import type { FeatureMoments } from './momentDrift';

/** How a framework keeps running statistics (DEFINITIONS.md, 1, "Running update"). */
export interface RunningConvention {
  /** Weight of the new batch: `momentum` of PyTorch, `1 − momentum` of Keras and TF.js. */
  readonly weight: number;
  /** Whether the variance is kept with Bessel's correction n/(n−1). */
  readonly unbiased: boolean;
}

/** PyTorch: the weight is the momentum, the variance is kept unbiased. */
export const torchConvention = (momentum = 0.1): RunningConvention => ({
  weight: momentum,
  unbiased: true,
});

/** Keras 3 and TF.js: the momentum is the weight of the old statistics, the variance is biased. */
export const kerasConvention = (momentum = 0.99): RunningConvention => ({
  weight: 1 - momentum,
  unbiased: false,
});

/** The fused kernel of tf.keras 2 (inputs of four or five axes): as Keras, but unbiased. */
export const fusedKerasConvention = (momentum = 0.99): RunningConvention => ({
  weight: 1 - momentum,
  unbiased: true,
});

/** Mean and variance of each feature, float64 [F]. */
export interface RunningStatistics extends FeatureMoments {
  readonly mean: Float64Array;
  readonly variance: Float64Array;
}

/** Variance with Bessel's correction of n values; as it is of a single one. */
export const unbiasedVariance = (biased: number, n: number): number =>
  n > 1 ? (biased * n) / (n - 1) : biased;

/**
 * Running statistics after a batch: (1 − w) · old + w · new. A feature whose batch statistics are
 * NaN keeps the old ones.
 *
 * @param batch - mean and biased variance of each feature
 * @param n - values of each feature in the batch
 */
export function updateRunning(
  running: FeatureMoments,
  batch: FeatureMoments,
  n: number,
  { weight, unbiased }: RunningConvention,
): RunningStatistics {
  const blend = (old: number, fresh: number) =>
    Number.isNaN(fresh) ? old : (1 - weight) * old + weight * fresh;
  const d = running.mean.length;
  const mean = new Float64Array(d);
  const variance = new Float64Array(d);
  for (let j = 0; j < d; j++) {
    const biased = batch.variance[j] ?? Number.NaN;
    mean[j] = blend(running.mean[j] as number, batch.mean[j] ?? Number.NaN);
    variance[j] = blend(
      running.variance[j] as number,
      unbiased ? unbiasedVariance(biased, n) : biased,
    );
  }
  return { mean, variance };
}

/**
 * Running statistics that a layer without any would have if it were a BatchNorm of momentum 0.1
 * (PyTorch's convention). They begin with the first batch's own statistics, not with 0 and 1, so
 * that the first steps do not measure the distance from an arbitrary start.
 */
export class AsIfBatchNorm {
  private statistics: RunningStatistics | undefined;
  private readonly convention = torchConvention();

  /** Those before the next batch; undefined before the first. */
  get current(): RunningStatistics | undefined {
    return this.statistics;
  }

  /** Takes a batch in; another number of features begins anew. */
  add(batch: FeatureMoments, n: number): void {
    const old = this.statistics;
    this.statistics =
      old && old.mean.length === batch.mean.length
        ? updateRunning(old, batch, n, this.convention)
        : updateRunning(batch, batch, n, { weight: 1, unbiased: true });
  }
}
