import { describe, expect, it } from 'vitest';
import { RunStore } from '../../../extension/core/runStore/runStore';
import type { LayerInfo } from '../../../extension/protocol/layers';
import { DEFAULT_RULES } from '../../../extension/protocol/ruleSettings';
import {
  BATCH,
  FEATURES,
  judgedRun,
  LAYER,
  RMS,
  spoken,
  startRun,
  type LayerStep,
} from './judgedRun';

/** Changes all values of a tensor. */
function change(values: number[][], to: (value: number, row: number, feature: number) => number) {
  values.forEach((row, i) => row.forEach((value, j) => (row[j] = to(value, i, j))));
}
const set = (row: number[] | undefined, feature: number, value: number) => {
  if (row) row[feature] = value;
};

describe('a healthy run', () => {
  it.each([3, 4])('raises no alert (seed %d)', (seed) => {
    expect(judgedRun({ seed, steps: 120 }).alerts()).toEqual([]);
  });

  it('raises none where a gradient scaler drives gradients to the end of their dtype', () => {
    const plant = ({ gradPost }: LayerStep) => change(gradPost, (x) => (x > 0.02 ? 2e38 : x));
    const run = judgedRun({ plant, steps: 5, lossScale: 65536 });
    const rules = run.alerts().map(({ rule }) => rule);
    expect(rules).not.toContain('headroom');
    expect(judgedRun({ plant, steps: 5 }).alerts()[0]).toMatchObject({ rule: 'headroom' });
  });
});

type Plant = (layer: LayerStep, at: number, step: number) => void;
const at = (layer: number, plant: (layer: LayerStep, step: number) => void): Plant => {
  return (values, place, step) => {
    if (place === layer) plant(values, step);
  };
};

const FAULTS: readonly (readonly [string, string, Plant])[] = [
  [
    'values that grow by a fifth in every step',
    'exploding 2 pre',
    at(RMS, ({ pre }, step) => change(pre, (x) => x * 1.2 ** Math.max(0, step - 20))),
  ],
  [
    'a gradient a thousand times its usual size',
    'exploding 1 gradPre',
    at(LAYER, ({ gradPost }, step) => change(gradPost, (x) => (step < 77 ? x / 30 : x * 30))),
  ],
  [
    'gradients that reach no layer before the last',
    'vanishing-gradient 1 gradPost',
    ({ gradPost }, layer) => change(gradPost, (x) => (layer === RMS ? x : x * 1e-8)),
  ],
  [
    'a gradient that shrinks over the depth',
    'gradient-imbalance 0 gradPost',
    ({ gradPost }, layer) => change(gradPost, (x) => x * 60 ** (layer - RMS)),
  ],
  [
    'a feature of the input that a ReLU never lets through',
    'dead-feature 1 pre',
    at(LAYER, ({ pre }) => change(pre, (x, _, j) => (j === 7 ? 0 : x))),
  ],
  [
    'an input far below ε',
    'eps-dominated 0 pre',
    at(BATCH, ({ pre, runningVariance, runningMean }) => {
      change(pre, (x) => 1e-3 * x);
      runningMean.fill(0);
      runningVariance.fill(1e-6);
    }),
  ],
  [
    'a gain that drives a tanh flat',
    'saturated 0 post',
    at(BATCH, ({ gamma }) => void gamma.fill(4)),
  ],
  [
    'an input that walks a deviation in every step',
    'drift 1 pre',
    at(LAYER, ({ pre }, step) => change(pre, (x, _, j) => x + 4 * step * (j % 2 ? 1 : -1))),
  ],
  [
    'running statistics of other data',
    'bn-train-eval-gap 0 post',
    at(BATCH, ({ runningMean }) => void runningMean.fill(9)),
  ],
  [
    'gains that fall to zero',
    'gain-collapse 1 -',
    at(LAYER, ({ gamma }, step) => step > 40 && gamma.fill(1e-4, 0, FEATURES / 2)),
  ],
  [
    'values near the end of float32',
    'headroom 2 pre',
    at(RMS, ({ pre }) => change(pre, (x, row, j) => (row + j === 0 ? 2e38 : 1e37 * x))),
  ],
];

describe('a planted fault raises the rule that is meant, and no other', () => {
  it.each(FAULTS)('%s: %s', (_, rule, plant) => {
    expect(spoken(judgedRun({ plant }).alerts())).toEqual([rule]);
  });

  it('NaN is named at the layer that makes it, not where it goes', () => {
    const run = judgedRun({
      plant: (layer, place, step) => {
        if (step < 20) return;
        if (place === LAYER) set(layer.gamma, 3, NaN);
        if (place === RMS) set(layer.pre[5], 0, NaN);
      },
    });
    expect(spoken(run.alerts())).toEqual(['nonfinite 1 post']);
    expect(run.alerts()[0]).toMatchObject({
      severity: 'error',
      since: 20,
      last: 79,
      steps: 60,
      active: true,
      value: 16,
      layers: 2,
    });
  });

  it('an infinite gradient is named at the last layer that gets it, also when weights follow', () => {
    const run = judgedRun({
      plant: (layer, place, step) => {
        if (step >= 20 && place !== RMS) set(layer.gradPost[2], 1, Infinity);
        if (step >= 21) set(layer.pre[0], 0, NaN);
      },
    });
    expect(spoken(run.alerts())).toEqual(['nonfinite 1 gradPost']);
  });

  it.each([
    ['bn-batch-of-one 0 pre', 1],
    ['bn-small-batch 0 pre', 4],
  ])('%s, of a batch of %d', (rule, samples) => {
    const run = judgedRun({ samples, plant: ({ runningMean }) => void runningMean.fill(0) });
    expect(spoken(run.alerts())).toEqual([rule]);
  });

  it('BatchNorm in eval mode is told from its gradient, which is not centred', () => {
    const run = judgedRun({
      plant: at(BATCH, (layer) => (layer.gradPre = layer.gradPost.map((row) => [...row]))),
    });
    expect(spoken(run.alerts())).toEqual(['bn-eval-while-training 0 -']);
  });

  it('padding is told of where rows share their statistics', () => {
    expect(spoken(judgedRun({ steps: 8, paddingRows: 4 }).alerts())).toEqual([
      'padding-in-statistics 0 pre',
    ]);
  });

  it('BatchNorm1d on batch, length, features is told where another norm has such features', () => {
    const describeLayer = (info: LayerInfo, layer: number): LayerInfo => ({
      ...info,
      inputShape: layer === BATCH ? [16, FEATURES, 7] : [16, 9, 7],
      featureAxes: layer === BATCH ? [1] : [2],
    });
    expect(spoken(judgedRun({ describe: describeLayer, steps: 3 }).alerts())).toEqual([
      'bn-axis-mistake 0 -',
    ]);
  });

  it('a variance that E[x²] − E[x]² would lose is told of classes that may compute it so', () => {
    const plant = ({ pre, runningMean, runningVariance }: LayerStep, place: number) => {
      change(pre, (x, row, j) => 5000 + ((row + j) % 5) + 0 * x);
      if (place !== BATCH) return;
      runningMean.fill(5002);
      runningVariance.fill(2);
    };
    const renamed = (info: LayerInfo, layer: number): LayerInfo => ({
      ...info,
      className: layer === RMS ? info.className : 'Normalization',
    });
    expect(judgedRun({ plant }).alerts()).toEqual([]);
    expect(spoken(judgedRun({ plant, describe: renamed }).alerts())).toEqual([
      'fast-variance-cancellation 0 pre',
      'fast-variance-cancellation 1 pre',
    ]);
  });
});

describe('processes of one group', () => {
  /** Alerts of both ranks, of which the second sees inputs that are shifted. */
  function alertsOf(shift: number, worldSize = 2): string[][] {
    const store = new RunStore();
    const runs = [0, 1].map((rank) =>
      startRun({
        store,
        seed: rank + 11,
        hello: { rank, worldSize },
        plant: ({ pre, runningMean }) => {
          change(pre, (x) => x + rank * shift);
          runningMean.fill(rank * shift);
        },
      }),
    );
    for (let step = 0; step < 12; step++) for (const { take } of runs) take(step);
    return runs.map(({ run }) => spoken(run.alerts()));
  }

  it('that see the same kind of data raise nothing', () => {
    expect(alertsOf(0)).toEqual([[], []]);
  });

  it('that see other data are told of at a BatchNorm of the first', () => {
    expect(alertsOf(9)).toEqual([['rank-spread 0 pre'], []]);
  });

  it('are not taken for one where each is alone', () => {
    expect(alertsOf(9, 1)).toEqual([[], []]);
  });
});

describe('settings', () => {
  const plant = at(BATCH, ({ gamma }) => void gamma.fill(4));

  it('turn a rule off, also what it has said', () => {
    const store = new RunStore({ rules: { ...DEFAULT_RULES, off: ['drift'] } });
    const run = judgedRun({ plant, store });
    expect(spoken(run.alerts())).toEqual(['saturated 0 post']);
    store.setRules({ ...DEFAULT_RULES, off: ['saturated'] });
    expect(run.alerts()).toEqual([]);
  });

  it('move a threshold', () => {
    const limits = { ...DEFAULT_RULES.limits, saturated: 0.65 };
    const store = new RunStore({ rules: { off: [], limits } });
    expect(judgedRun({ plant, store }).alerts()).toEqual([]);
  });
});
