import type { FeatureMoments } from './momentDrift';

/** Distances of a batch's statistics from the running statistics, before the step's update. */
export interface BatchVersusRunning {
  /** (1/d) ‖μ − μ_B‖₂ over the d features of one layer (Shen et al. 2020, Fig. 2). */
  readonly shenMean: number;
  /** (1/d) ‖σ² − σ²_B‖₂, with the biased variance of the batch. */
  readonly shenVariance: number;
  /** √d times {@link shenMean}: the root mean square over features, free of the layer's width. */
  readonly rmsMean: number;
  readonly rmsVariance: number;
  /** mean_j |μ − μ_B| / σ_B (TID of Wang, Wu and Huang 2022): free of width and scale. */
  readonly tidMean: number;
  /** mean_j |σ/σ_B − 1|. */
  readonly tidDeviation: number;
}

/**
 * See DEFINITIONS.md, 2 (Shen et al.; TID). Features that are NaN on either side are left out, and
 * those without spread in the batch also of the TID. NaN where no feature is left.
 */
export function batchVersusRunning(
  batch: FeatureMoments,
  running: FeatureMoments,
): BatchVersusRunning {
  let [d, spreading] = [0, 0];
  let [means, variances, tidMean, tidDeviation] = [0, 0, 0, 0];
  const length = Math.min(batch.mean.length, running.mean.length);
  for (let j = 0; j < length; j++) {
    const shift = Math.abs((running.mean[j] as number) - (batch.mean[j] as number));
    const [ofBatch, ofRunning] = [batch.variance[j] as number, running.variance[j] as number];
    if (Number.isNaN(shift) || Number.isNaN(ofBatch) || Number.isNaN(ofRunning)) continue;
    d++;
    means += shift * shift;
    variances += (ofRunning - ofBatch) ** 2;
    if (!(ofBatch > 0) || ofRunning < 0) continue;
    spreading++;
    tidMean += shift / Math.sqrt(ofBatch);
    tidDeviation += Math.abs(Math.sqrt(ofRunning) / Math.sqrt(ofBatch) - 1);
  }
  const [rmsMean, rmsVariance] = [Math.sqrt(means / d), Math.sqrt(variances / d)];
  return {
    shenMean: rmsMean / Math.sqrt(d),
    shenVariance: rmsVariance / Math.sqrt(d),
    rmsMean,
    rmsVariance,
    tidMean: tidMean / spreading,
    tidDeviation: tidDeviation / spreading,
  };
}
