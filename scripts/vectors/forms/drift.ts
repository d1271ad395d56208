import {
  diagonalFrechet,
  gaussianDivergences,
} from '../../../extension/core/analysis/gaussianDistances';
import { meanChange } from '../../../extension/core/analysis/momentDrift';
import {
  hellingerDistance,
  jensenShannonDistance,
  populationStability,
} from '../../../extension/core/analysis/shareDistances';
import { wasserstein1 } from '../../../extension/core/analysis/wasserstein';
import type { CoreCase, VectorCases } from '../cases';
import { compare } from '../comparison';
import type { Values } from '../values';

function histogramCase(values: Values, at: number): CoreCase {
  const reference = values.numbers('counts_ref');
  const current = values.numbers('counts_cur', reference.length);
  const edges = values.numbers('edges', reference.length + 1);
  const middles = reference.map((_, bin) => ((edges[bin] ?? 0) + (edges[bin + 1] ?? 0)) / 2);
  return {
    name: `histogram ${at}`,
    comparisons: [
      compare('w1', wasserstein1(middles, reference, current), values.number('w1')),
      compare('psi', populationStability(reference, current), values.number('psi')),
      compare(
        'js_distance',
        jensenShannonDistance(reference, current),
        values.number('js_distance'),
      ),
      compare('hellinger', hellingerDistance(reference, current), values.number('hellinger')),
    ],
  };
}

function gaussianCase(values: Values): CoreCase {
  const side = (name: 'ref' | 'cur') => ({
    mean: values.numbers(`mean_${name}`),
    variance: values.numbers(`var_${name}`),
  });
  const [before, after] = [side('ref'), side('cur')];
  const change = meanChange(before, after);
  return {
    name: 'gaussian',
    comparisons: [
      compare('diag_frechet_sq', diagonalFrechet(before, after), values.number('diag_frechet_sq')),
      compare(
        'sym_kl_per_feature',
        gaussianDivergences(before, after),
        values.numbers('sym_kl_per_feature'),
      ),
      compare('moment_drift_mean', change.absolute, values.number('moment_drift_mean')),
      compare(
        'moment_drift_mean_in_sigmas',
        change.inDeviations,
        values.number('moment_drift_mean_in_sigmas'),
      ),
    ],
  };
}

/** Distances of histograms and of Gaussians: the analysis alone computes them. */
export function drift(file: Values): VectorCases {
  return {
    core: [...file.objects('histograms').map(histogramCase), gaussianCase(file.child('gaussian'))],
    agents: [],
  };
}
