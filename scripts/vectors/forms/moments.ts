import {
  higherMomentsOf,
  kurtosisOf,
  mergeHigherMoments,
  skewnessOf,
  type HigherMoments,
} from '../../../extension/core/analysis/higherMoments';
import type { AgentCase, CoreCase, VectorCases } from '../cases';
import { compare, type Comparison } from '../comparison';
import { momentsOf, type Moments } from '../reference';
import { MalformedVectors, type Values } from '../values';

/** A third or fourth power of rounding errors: relative to the power of the spread, not to its own sum. */
const power = (values: Values, exponent: number) => ({
  scale: values.number('n') * values.number('var') ** (exponent / 2),
});

function against(moments: HigherMoments, expected: Values): readonly Comparison[] {
  const of = (name: string) => expected.number(name);
  return [
    compare('n', moments.n, of('n')),
    compare('mean', moments.mean, of('mean')),
    compare('m2', moments.m2, of('m2')),
    compare('m3', moments.m3, of('m3'), power(expected, 3)),
    compare('m4', moments.m4, of('m4')),
    compare('min', moments.min, of('min')),
    compare('max', moments.max, of('max')),
    compare('variance', moments.m2 / moments.n, of('var')),
    compare('skewness', skewnessOf(moments), of('skew'), {
      scale: Math.max(1, Math.abs(of('skew'))),
    }),
    compare('kurtosis', kurtosisOf(moments), of('kurtosis_excess'), {
      scale: Math.max(1, Math.abs(of('kurtosis_excess'))),
    }),
  ];
}

/** Shape of a set of values as the comparison with a tap needs it. */
type Expected = Pick<Moments, 'n' | 'mean' | 'variance' | 'skewness' | 'kurtosis' | 'min' | 'max'>;

/** Above this the rounding of the input to float32 alone would show in the figures. */
const MOST_ROUNDING = 1e-6;

/**
 * What a float32 program should find: the file's figures; or, where the values lie so far from 0
 * that float32 rounds their differences, the figures of the rounded values in float64.
 */
function expectedOf(parts: readonly (readonly number[])[], file: Values): Expected {
  const of = (figure: string) => file.number(figure);
  const largest = Math.max(Math.abs(of('min')), Math.abs(of('max')));
  const spread = Math.min(...parts.map((part) => momentsOf(part).variance)) ** 0.5;
  if ((largest / spread) * 2 ** -24 > MOST_ROUNDING)
    return momentsOf(parts.flat().map(Math.fround));
  return {
    n: of('n'),
    mean: of('mean'),
    variance: of('var'),
    skewness: of('skew'),
    kurtosis: of('kurtosis_excess'),
    min: of('min'),
    max: of('max'),
  };
}

/** Parts as the micro-batches of one step through a BatchNorm of one feature. */
function agentCase(name: string, parts: readonly (readonly number[])[], file: Values): AgentCase {
  const expected = expectedOf(parts, file);
  const size = { scale: Math.sqrt(expected.mean ** 2 + expected.variance) };
  const shape = (figure: 'skewness' | 'kurtosis') => ({
    scale: Math.max(1, Math.abs(expected[figure])),
  });
  return {
    name,
    layer: { kind: 'batch_norm', features: 1, eps: 1e-5, gamma: [1], beta: [0] },
    dtype: 'float32',
    engines: ['python', 'tfjs'],
    steps: [
      {
        batches: parts.map((x) => ({
          shape: [x.length, 1],
          featureAxis: 1,
          x,
          g: x.map((_, at) => (at % 5) - 2),
        })),
        compare: (step) => {
          const pre = step.tap('pre');
          const whole = (figure: Parameters<NonNullable<typeof pre>['whole']>[0]) =>
            pre?.whole(figure) ?? Number.NaN;
          return [
            compare('n', pre?.count('elements') ?? Number.NaN, expected.n),
            compare('mean', whole('mean'), expected.mean, size),
            compare('variance', whole('variance'), expected.variance),
            compare('feature variance', pre?.values('featureVariance') ?? [], [expected.variance]),
            compare('skewness', whole('skewness'), expected.skewness, shape('skewness')),
            compare('kurtosis', whole('kurtosis'), expected.kurtosis, shape('kurtosis')),
            compare('min', whole('min'), expected.min, size),
            compare('max', whole('max'), expected.max, size),
          ];
        },
      },
    ],
  };
}

/** Moments of parts and of their unions, by merging. */
export function moments(file: Values): VectorCases {
  const parts = file.objects('parts').map((part) => ({
    values: part.numbers('values'),
    expected: part.child('moments'),
  }));
  if (parts.length < 3) throw new MalformedVectors(`${file.where} has fewer than three parts.`);
  const groups = [
    ...parts.map(({ values, expected }, at) => ({ name: `part ${at}`, of: [values], expected })),
    ...(['merged_ab', 'merged_abc'] as const).map((name, at) => ({
      name,
      of: parts.slice(0, at + 2).map(({ values }) => values),
      expected: file.child(name),
    })),
  ];
  const core = groups.map(({ name, of, expected }): CoreCase => ({
    name,
    comparisons: against(of.map(higherMomentsOf).reduce(mergeHigherMoments), expected),
  }));
  return { core, agents: groups.map(({ name, of, expected }) => agentCase(name, of, expected)) };
}
