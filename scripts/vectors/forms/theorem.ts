import { rowGradient } from '../../../extension/core/analysis/layerNormTheorem';
import type { VectorCases } from '../cases';
import { compare } from '../comparison';
import { compareTap } from '../compareTap';
import type { Values } from '../values';

/** Rows through a LayerNorm without gain, with eps 0, and what the theorem says of them. */
export function theorem(file: Values): VectorCases {
  const rows = file.objects('rows').map((values, at) => {
    const x = values.numbers('x');
    const same = (name: string) => values.numbers(name, x.length);
    return { name: `row ${at}`, values, x, g: same('g'), dx: same('dx') };
  });
  return {
    core: rows.map(({ name, values, x, g, dx }) => {
      const row = rowGradient(x, g);
      const detached = rowGradient(x, g, { detachMean: true, detachDeviation: true });
      const size = { scale: Math.sqrt(values.number('var_dx')) };
      return {
        name,
        comparisons: [
          compare('dx', row.dx, dx),
          compare('mean_dx', row.meanDx, values.number('mean_dx'), size),
          compare('dot_dx_y', row.alongOutput, values.number('dot_dx_y'), {
            scale: x.length * size.scale,
          }),
          compare('var_dx', row.varianceDx, values.number('var_dx')),
          compare('var_dx_exact', row.exactVariance, values.number('var_dx_exact')),
          compare('bound', row.bound, values.number('bound')),
          compare('detach_mean_dx', detached.meanDx, values.number('detach_mean_dx'), size),
          compare('detach_var_dx', detached.varianceDx, values.number('detach_var_dx')),
        ],
      };
    }),
    agents: rows.map(({ name, values, x, g, dx }) => {
      const layout = { shape: [1, x.length], featureAxis: 1 };
      return {
        name,
        layer: { kind: 'layer_norm_simple', features: x.length, eps: 0 },
        dtype: 'float32',
        engines: ['python', 'tfjs'],
        steps: [
          {
            batches: [{ ...layout, x, g }],
            compare: (step) => [
              ...compareTap('pre', step.tap('pre'), x, layout),
              ...compareTap('gradPre', step.tap('gradPre'), dx, layout),
              compare(
                'var_dx',
                step.tap('gradPre')?.whole('variance') ?? Number.NaN,
                values.number('var_dx'),
              ),
              compare(
                'var_g',
                step.tap('gradPost')?.whole('variance') ?? Number.NaN,
                values.number('var_g'),
              ),
            ],
          },
        ],
      };
    }),
  };
}
