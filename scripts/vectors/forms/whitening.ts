import { covarianceOf } from '../../../extension/core/analysis/covariance';
import {
  conditionNumber,
  eigenvalues,
  entropyRank,
} from '../../../extension/core/analysis/spectrum';
import {
  correlationFigures,
  correlationFloor,
  participationFloor,
  participationRatio,
} from '../../../extension/core/analysis/whitening';
import type { CoreCase, VectorCases } from '../cases';
import { compare } from '../comparison';
import type { Values } from '../values';

function whiteningCase(values: Values, at: number): CoreCase {
  const rows = values.rows('x');
  const { n, matrix, mean } = covarianceOf(rows);
  const d = mean.length;
  const spectrum = eigenvalues(matrix);
  const correlations = correlationFigures(matrix);
  const condition = values.number('condition_number');
  return {
    name: `case ${at}`,
    comparisons: [
      compare('eigenvalues', spectrum, values.numbers('eigenvalues')),
      compare(
        'participation_ratio',
        participationRatio(matrix),
        values.number('participation_ratio'),
      ),
      compare('entropy_rank', entropyRank(spectrum), values.number('entropy_rank')),
      compare('condition_number', conditionNumber(spectrum), condition, {
        looser: {
          tolerance: 16 * Number.EPSILON * condition,
          because: 'the smallest eigenvalue is known to the rounding of the largest',
        },
      }),
      compare('mean_abs_corr', correlations.meanAbsolute, values.number('mean_abs_corr')),
      compare(
        'participation_ratio_corr',
        correlations.participationRatio,
        values.number('participation_ratio_corr'),
      ),
      compare('floor_mean_abs_corr', correlationFloor(n), values.number('floor_mean_abs_corr')),
      compare(
        'floor_participation_ratio',
        participationFloor(d, n),
        values.number('floor_participation_ratio'),
      ),
    ],
  };
}

/** How white rows of features are: the analysis alone computes it. */
export function whitening(file: Values): VectorCases {
  return { core: file.objects('cases').map(whiteningCase), agents: [] };
}
