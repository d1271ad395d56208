import { covariateShift } from '../../../extension/core/analysis/covariateShift';
import { vectorNorm } from '../../../extension/core/analysis/gradientFlow';
import { lossLandscape } from '../../../extension/core/analysis/lossLandscape';
import type { CoreCase, VectorCases } from '../cases';
import { compare } from '../comparison';
import { MalformedVectors, type Values } from '../values';
import { linearNet, type Matrix } from './linearNet';

/** Rows of each square matrix. */
function weightsOf(file: Values): readonly Matrix[] {
  const { shape, values } = file.array('weights');
  const [layers = 0, rows = 0, columns = 0] = shape;
  if (shape.length !== 3 || rows !== columns) {
    throw new MalformedVectors(`${file.where} has "weights" that are not square matrices.`);
  }
  return Array.from({ length: layers }, (_, layer) =>
    Array.from({ length: rows }, (_row, row) => {
      const start = (layer * rows + row) * columns;
      return values.slice(start, start + columns);
    }),
  );
}

function stepped(
  weights: readonly Matrix[],
  gradients: readonly Matrix[],
  length: number,
  below = weights.length,
): readonly Matrix[] {
  return weights.map((matrix, layer) =>
    layer < below
      ? matrix.map((row, i) =>
          row.map((value, j) => value - length * (gradients[layer]?.[i]?.[j] ?? Number.NaN)),
        )
      : matrix,
  );
}

/** ICS and loss landscape of a linear net, given its gradients by the chain rule. */
export function probes(file: Values): VectorCases {
  const weights = weightsOf(file);
  const [x, y, rate] = [file.rows('x'), file.rows('y'), file.number('lr')];
  const at = (moved: readonly Matrix[]) => linearNet(moved, x, y);
  const flat = (gradients: readonly Matrix[]) => gradients.flat(2);
  const here = at(weights);
  const shifts = file.objects('ics').map((values): CoreCase => {
    const layer = values.number('layer');
    const moved = at(stepped(weights, here.gradients, rate, layer)).gradients[layer] ?? [];
    const shift = covariateShift((here.gradients[layer] ?? []).flat(), moved.flat());
    return {
      name: `ics of layer ${layer}`,
      comparisons: [
        compare('l2', shift.distance, values.number('l2')),
        compare('cos', shift.cosine, values.number('cos')),
      ],
    };
  });
  const points = file.objects('landscape');
  const landscape = lossLandscape(
    flat(here.gradients),
    points.map((values) => {
      const length = values.number('step') * rate;
      const { loss, gradients } = at(stepped(weights, here.gradients, length));
      return { length, loss, gradient: flat(gradients) };
    }),
  );
  const list = (name: string) => points.map((values) => values.number(name));
  const summary = file.child('summary');
  return {
    core: [
      ...shifts,
      {
        name: 'landscape',
        comparisons: [
          compare('loss0', here.loss, file.number('loss0')),
          compare('grad_norm', vectorNorm(flat(here.gradients)), file.number('grad_norm')),
          compare(
            'loss',
            landscape.points.map(({ loss }) => loss),
            list('loss'),
          ),
          compare(
            'grad_change',
            landscape.points.map(({ gradientChange }) => gradientChange),
            list('grad_change'),
          ),
          compare(
            'beta',
            landscape.points.map(({ smoothness }) => smoothness),
            list('beta'),
          ),
          compare('loss band', landscape.loss, [
            summary.number('loss_min'),
            summary.number('loss_max'),
          ]),
          compare('predictiveness', landscape.gradientChange, [
            summary.number('predictiveness_min'),
            summary.number('predictiveness_max'),
          ]),
          compare('effective_beta', landscape.smoothness, summary.number('effective_beta')),
        ],
      },
    ],
    agents: [],
  };
}
