import { batchVersusRunning } from '../../../extension/core/analysis/batchVersusRunning';
import { evalShift } from '../../../extension/core/analysis/evalShift';
import { rowGradient } from '../../../extension/core/analysis/layerNormTheorem';
import {
  fusedKerasConvention,
  kerasConvention,
  torchConvention,
  updateRunning,
} from '../../../extension/core/analysis/runningStatistics';
import type { AgentCase, AgentEngine, CoreCase, LayerSpec, VectorCases } from '../cases';
import { compare, type Comparison } from '../comparison';
import { compareTap } from '../compareTap';
import { momentsBy } from '../reference';
import { MalformedVectors, type Values } from '../values';

const KINDS = [
  'batch_norm',
  'layer_norm',
  'layer_norm_simple',
  'rms_norm',
  'group_norm',
  'instance_norm',
  'detach_norm',
  'ada_norm',
] as const satisfies readonly LayerSpec['kind'][];

/** What TF.js layers have. */
const IN_TFJS: readonly LayerSpec['kind'][] = ['batch_norm', 'layer_norm', 'layer_norm_simple'];

const FEATURE_AXES = new Map([
  ['NC', 1],
  ['NCL', 1],
  ['NCHW', 1],
  ['BSE', 2],
]);

const CONVENTIONS = [
  ['torch_momentum_0.1', torchConvention()],
  ['keras3_tfjs_momentum_0.99', kerasConvention()],
  ['tfkeras2_fused_momentum_0.99', fusedKerasConvention()],
] as const;

interface NormCase {
  readonly name: string;
  readonly values: Values;
  readonly layer: LayerSpec;
  readonly shape: readonly number[];
  readonly featureAxis: number;
  readonly x: readonly number[];
  readonly g: readonly number[];
  readonly y: readonly number[];
  readonly dx: readonly number[];
}

function readCase(values: Values, at: number): NormCase {
  const kind = KINDS.find((known) => known === values.text('kind'));
  if (!kind) throw new MalformedVectors(`${values.where} is of a kind that is not known.`);
  const featureAxis = FEATURE_AXES.get(values.text('layout'));
  if (featureAxis === undefined) {
    throw new MalformedVectors(`${values.where} has a layout that is not known.`);
  }
  const { shape, values: x } = values.array('x');
  const like = (name: string) => {
    const array = values.array(name);
    if (array.shape.join() === shape.join()) return array.values;
    throw new MalformedVectors(`${values.where} has a "${name}" of another shape than its "x".`);
  };
  const features = shape[featureAxis] ?? 0;
  const parameters = values.child('params');
  const running = values.has('running_before') ? values.child('running_before') : undefined;
  const layer: LayerSpec = {
    kind,
    features,
    eps: values.number('eps'),
    detachMean: values.flag('detach_mean'),
    detachStd: values.flag('detach_std'),
    ...(values.has('groups') && { groups: values.number('groups') }),
    ...(values.has('C') && { C: values.number('C'), k: values.number('k') }),
    ...(parameters.has('gamma') && { gamma: parameters.numbers('gamma', features) }),
    ...(parameters.has('beta') && { beta: parameters.numbers('beta', features) }),
    ...(running && {
      runningMean: running.numbers('running_mean', features),
      runningVariance: running.numbers('running_var', features),
    }),
  };
  const name = `${kind} ${values.text('layout')} eps ${layer.eps} (case ${at})`;
  const [g, y, dx] = [like('g'), like('y'), like('dx')];
  return { name, values, layer, shape, featureAxis, x, g, y, dx };
}

/** Parameter gradients that the case gives for parameters that the layer has. */
function parameterGradients({ values, layer }: NormCase) {
  const gradients = values.child('dparams');
  return (['gamma', 'beta'] as const).flatMap((name) =>
    layer[name] ? [[name, gradients.numbers(name, layer.features)] as const] : [],
  );
}

function runningAfter({ values }: NormCase, convention: string) {
  const after = values.child('running_after').child(convention);
  return { mean: after.numbers('running_mean'), variance: after.numbers('running_var') };
}

function agentCase(norm: NormCase): AgentCase {
  const { layer, shape, featureAxis, x, g, y, dx } = norm;
  const batches = [{ shape, featureAxis, x, g }];
  const taps = [
    ['pre', x],
    ['post', y],
    ['gradPost', g],
    ['gradPre', dx],
  ] as const;
  const first: AgentCase['steps'][number] = {
    batches,
    compare: (step) => [
      ...taps.flatMap(([tap, values]) =>
        compareTap(tap, step.tap(tap), values, { shape, featureAxis }),
      ),
      ...parameterGradients(norm).flatMap(([name, gradient]) => [
        compare(name, step.parameter(name), layer[name] ?? []),
        compare(`gradient of ${name}`, step.parameter(`${name}Gradient`), gradient),
      ]),
      ...running(step, layer.runningMean, layer.runningVariance, 'before'),
    ],
  };
  // The statistics before the second step's update are those after the first one's.
  const second: AgentCase['steps'][number] = {
    batches,
    compare: (step, engine: AgentEngine) => {
      const convention = engine === 'python' ? 'torch_momentum_0.1' : 'keras3_tfjs_momentum_0.99';
      const after = runningAfter(norm, convention);
      return running(step, after.mean, after.variance, 'after');
    },
  };
  return {
    name: norm.name,
    layer,
    dtype: 'float32',
    engines: IN_TFJS.includes(layer.kind) ? ['python', 'tfjs'] : ['python'],
    steps: layer.runningMean ? [first, second] : [first],
  };
}

function running(
  step: Parameters<AgentCase['steps'][number]['compare']>[0],
  mean: readonly number[] | undefined,
  variance: readonly number[] | undefined,
  when: string,
): readonly Comparison[] {
  if (!mean || !variance) return [];
  return [
    compare(`running mean ${when}`, step.parameter('runningMean'), mean),
    compare(`running variance ${when}`, step.parameter('runningVariance'), variance),
  ];
}

function batchNormComparisons(norm: NormCase): readonly Comparison[] {
  const { values, layer, shape, featureAxis, x } = norm;
  const { features } = momentsBy(x, { shape, featureAxis });
  const batch = {
    mean: features.map(({ mean }) => mean),
    variance: features.map(({ variance }) => variance),
  };
  const before = { mean: layer.runningMean ?? [], variance: layer.runningVariance ?? [] };
  const n = x.length / layer.features;
  const distances = batchVersusRunning(batch, before);
  const given = values.child('batch_vs_running');
  const { gamma = [], beta = [] } = layer;
  const shift = evalShift({ batch, running: before, eps: layer.eps, gamma, beta });
  const expectedShift = values.child('eval_minus_train');
  return [
    ...CONVENTIONS.flatMap(([name, convention]) => {
      const after = updateRunning(before, batch, n, convention);
      const expected = runningAfter(norm, name);
      return [
        compare(`${name} mean`, after.mean, expected.mean),
        compare(`${name} variance`, after.variance, expected.variance),
      ];
    }),
    compare('shen_mean', distances.shenMean, given.number('shen_mean')),
    compare('shen_var', distances.shenVariance, given.number('shen_var')),
    compare('rms_mean', distances.rmsMean, given.number('rms_mean')),
    compare('rms_var', distances.rmsVariance, given.number('rms_var')),
    compare('tid_mean', distances.tidMean, given.number('tid_mean')),
    compare('tid_std', distances.tidDeviation, given.number('tid_std')),
    compare('eval shift', shift.rms, expectedShift.number('rmse')),
    compare('relative eval shift', shift.relative, expectedShift.number('rel')),
  ];
}

/** dL/dx row by row, for the layers that the LayerNorm theorem is about. */
function rowComparisons({ layer, x, g, dx }: NormCase): readonly Comparison[] {
  const { features, eps, detachMean = false, detachStd = false, gamma } = layer;
  const rows = Array.from({ length: x.length / features }, (_, row) => {
    const cut = (values: readonly number[]) => values.slice(row * features, (row + 1) * features);
    const scaled = cut(g).map((value, j) => value * (gamma?.[j] ?? 1));
    return rowGradient(cut(x), scaled, { eps, detachMean, detachDeviation: detachStd });
  });
  return [
    compare(
      'dx',
      rows.flatMap((row) => Array.from(row.dx)),
      dx,
    ),
  ];
}

function coreCase(norm: NormCase): readonly CoreCase[] {
  const { name, layer } = norm;
  switch (layer.kind) {
    case 'batch_norm':
      return [{ name, comparisons: batchNormComparisons(norm) }];
    case 'layer_norm':
    case 'layer_norm_simple':
    case 'detach_norm':
      return [{ name, comparisons: rowComparisons(norm) }];
    default:
      return [];
  }
}

/** Forward, backward and running statistics of single layers. */
export function norms(file: Values): VectorCases {
  const cases = file.objects('cases').map(readCase);
  return { core: cases.flatMap(coreCase), agents: cases.map(agentCase) };
}
