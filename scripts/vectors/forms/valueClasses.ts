import {
  FLOAT16,
  FLOAT32,
  float16FromBits,
  valueClasses as classesOf,
} from '../../../extension/core/analysis/valueClasses';
import type { VectorCases } from '../cases';
import { compare } from '../comparison';
import type { Values } from '../values';

const FORMATS = [
  { name: 'float16', format: FLOAT16, decode: float16FromBits, engines: ['python'] },
  { name: 'float32', format: FLOAT32, decode: float32FromBits, engines: ['python', 'tfjs'] },
] as const;

function float32FromBits(bits: number): number {
  const view = new DataView(new ArrayBuffer(4));
  view.setUint32(0, bits >>> 0);
  return view.getFloat32(0);
}

/** Values given by their bits, and how many of them are of which kind. */
export function valueClasses(file: Values): VectorCases {
  const cases = FORMATS.filter(({ name }) => file.has(name)).map((entry) => {
    const part = file.child(entry.name);
    const x = part.numbers('bits').map(entry.decode);
    return { ...entry, x, expected: part.child('expect') };
  });
  return {
    core: cases.map(({ name, format, x, expected }) => {
      const classes = classesOf(x, format);
      const of = (kind: string) => expected.number(kind);
      const finite = x.filter(Number.isFinite);
      const mean = finite.reduce((sum, value) => sum + value / finite.length, 0);
      return {
        name,
        comparisons: [
          compare('nan', classes.nan, of('nan')),
          compare('pos_inf', classes.positiveInfinity, of('pos_inf')),
          compare('neg_inf', classes.negativeInfinity, of('neg_inf')),
          compare('zero', classes.zero, of('zero')),
          compare('subnormal', classes.subnormal, of('subnormal')),
          compare('positive', classes.positive, of('positive')),
          compare('negative', classes.negative, of('negative')),
          compare('finite', classes.finite, of('finite')),
          compare('headroom', classes.headroom, of('abs_max_over_dtype_max')),
          compare('mean_of_finite', mean, of('mean_of_finite')),
        ],
      };
    }),
    agents: cases.map(({ name, engines, x, expected }) => {
      const of = (kind: string) => expected.number(kind);
      return {
        name,
        layer: { kind: 'layer_norm_simple', features: x.length, eps: 1e-5 },
        dtype: name,
        engines,
        steps: [
          {
            batches: [{ shape: [1, x.length], featureAxis: 1, x, g: x.map(() => 1) }],
            compare: (step) => {
              const pre = step.tap('pre');
              const count = (kind: Parameters<NonNullable<typeof pre>['count']>[0]) =>
                pre?.count(kind) ?? Number.NaN;
              return [
                compare('nan', count('nan'), of('nan')),
                compare('pos_inf', count('positiveInfinity'), of('pos_inf')),
                compare('neg_inf', count('negativeInfinity'), of('neg_inf')),
                compare('zero', count('zero'), of('zero')),
                compare('subnormal', count('subnormal'), of('subnormal')),
                compare('finite', pre?.finite ?? Number.NaN, of('finite')),
                compare(
                  'headroom',
                  pre?.whole('headroom') ?? Number.NaN,
                  of('abs_max_over_dtype_max'),
                ),
                compare('mean_of_finite', pre?.whole('mean') ?? Number.NaN, of('mean_of_finite')),
              ];
            },
          },
        ],
      };
    }),
  };
}
