import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { TAPS, type Tap } from '../../../extension/protocol/layers';
import { binOf } from '../../../extension/protocol/bitBins';
import { Collector, type CapturedStep } from './harness/collector';
import { FLAVOURS, Workshop, type Flavour } from './harness/programs';
import { groupMoments, normalize, randomNumbers, type Problem } from './harness/reference';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let workshop: Workshop;
beforeAll(async () => {
  workshop = await Workshop.open();
});
afterAll(() => workshop.close());

interface Layer extends Pick<Problem, 'shape' | 'featureAxes' | 'normalizedAxes'> {
  readonly kind: 'batchNormalization' | 'layerNormalization';
  readonly axis: number | number[];
}

const LAYERS: readonly Layer[] = [
  {
    kind: 'batchNormalization',
    axis: -1,
    shape: [12, 5],
    featureAxes: [1],
    normalizedAxes: [0],
  },
  {
    kind: 'batchNormalization',
    axis: 3,
    shape: [3, 4, 2, 5],
    featureAxes: [3],
    normalizedAxes: [0, 1, 2],
  },
  {
    kind: 'layerNormalization',
    axis: -1,
    shape: [3, 4, 6],
    featureAxes: [2],
    normalizedAxes: [2],
  },
  {
    kind: 'layerNormalization',
    axis: [1, 2],
    shape: [4, 3, 5],
    featureAxes: [1, 2],
    normalizedAxes: [1, 2],
  },
];

/** A layer normalization of rows. */
const flat = (shape: readonly number[]): Layer => ({
  kind: 'layerNormalization',
  axis: -1,
  shape,
  featureAxes: [1],
  normalizedAxes: [1],
});

const EPSILON = 1e-3;
const sizeOf = (shape: readonly number[]) => shape.reduce((product, size) => product * size, 1);

/** Runs micro-batches through one layer and returns what was captured. */
async function capture(
  flavour: Flavour,
  layer: Layer,
  steps: readonly (readonly { x: readonly (number | string)[]; w: number[]; batch?: number }[])[],
  parameters: { gamma?: number[]; beta?: number[] } = {},
): Promise<CapturedStep[]> {
  const collector = await Collector.start();
  try {
    const config = { ...layer, epsilon: EPSILON, ...parameters, steps };
    const args = [JSON.stringify(config)];
    const result = await workshop.run('oneLayer.cjs', { flavour, collector, args });
    expect(result).toMatchObject({ code: 0 });
    expect(collector.only.of('event')).toEqual([]);
    expect(collector.only.of('bye')[0]?.errors).toBe(0);
    return collector.only.steps;
  } finally {
    await collector.close();
  }
}

/** @param tolerance relative to the largest value of the statistic. */
function expectNear(actual: number[], expected: readonly number[], tolerance: number) {
  expect(actual).toHaveLength(expected.length);
  const scale = Math.max(1e-30, ...expected.map(Math.abs));
  const worst = Math.max(...actual.map((value, i) => Math.abs(value - (expected[i] ?? NaN))));
  expect(worst / scale).toBeLessThan(tolerance);
}

function expectTap(
  step: CapturedStep,
  tap: Tap,
  values: number[],
  layer: Layer,
  tolerance: number,
) {
  const features = groupMoments(values, layer.shape, layer.featureAxes);
  const samples = groupMoments(values, layer.shape, [0]);
  const magnitude = Math.max(...values.map(Math.abs));
  const near = (actual: number[], expected: readonly number[], power: number) => {
    const scaled = (numbers: readonly number[]) =>
      numbers.map((value) => value / magnitude ** power);
    expectNear([...scaled(actual), 1], [...scaled(expected), 1], tolerance);
  };
  near(step.get('norm', tap, 'featureMean'), features.mean, 1);
  near(step.get('norm', tap, 'featureVariance'), features.variance, 2);
  near(step.get('norm', tap, 'featureMin'), features.min, 1);
  near(step.get('norm', tap, 'featureMax'), features.max, 1);
  near(step.get('norm', tap, 'sampleMean'), samples.mean, 1);
  near(step.get('norm', tap, 'sampleVariance'), samples.variance, 2);
  const size = values.length;
  const [calls, elements, batch] = step.get('norm', tap, 'counts');
  expect([calls, elements, batch]).toEqual([1, size, layer.shape[0]]);
  const histogram = step.histogram('norm', tap);
  expect([...histogram.values()].reduce((sum, count) => sum + count, 0)).toBe(size);
}

describe.each(FLAVOURS)('on %s', (flavour) => {
  it.each(LAYERS)('the four taps of $kind over $shape agree with float64', async (layer) => {
    const { shape, featureAxes, normalizedAxes } = layer;
    const size = sizeOf(shape);
    const features = featureAxes.reduce((product, axis) => product * (shape[axis] ?? 1), 1);
    const gamma = randomNumbers(features, 11).map((value) => Math.fround(1 + value / 2));
    const beta = randomNumbers(features, 12);
    const batches = [1, 2].map((seed) => ({
      x: randomNumbers(size, seed).map((value) => Math.fround(2 * value + 0.5)),
      w: randomNumbers(size, 20 + seed),
    }));
    const steps = await capture(
      flavour,
      layer,
      batches.map((batch) => [batch]),
      { gamma, beta },
    );
    expect(steps.map((step) => step.frame.step)).toEqual([0, 1]);
    batches.forEach(({ x, w }, index) => {
      const problem = { shape, featureAxes, normalizedAxes, epsilon: EPSILON, gamma, beta, x };
      const { y, dx } = normalize({ ...problem, dy: w });
      const step = steps[index];
      if (!step) throw new Error('a step is missing');
      expectTap(step, 'pre', x, layer, 1e-6);
      expectTap(step, 'post', y, layer, 1e-5);
      expectTap(step, 'gradPost', w, layer, 1e-6);
      expectTap(step, 'gradPre', dx, layer, 1e-5);
      const loss = y.reduce((sum, value, i) => sum + value * (w[i] ?? NaN), 0);
      expect(step.frame.loss).toBeCloseTo(loss, 4);
    });
    const info = steps[0]?.layout.layers[0];
    expect(info).toMatchObject({ features, featureAxes, normalizedAxes, inputShape: shape });
    expect(info?.eps).toBe(EPSILON);
    expect(info?.momentum).toBe(layer.kind === 'batchNormalization' ? 0.01 : null);
  });

  it('the variance is right where the mean is 3000 times sigma', async () => {
    const shape = [64, 8];
    const x = randomNumbers(512, 3).map((value) => Math.fround(3000 + 1.732 * value));
    const [step] = await capture(flavour, flat(shape), [[{ x, w: randomNumbers(512, 4) }]]);
    const { variance } = groupMoments(x, shape, [1]);
    const actual = step?.get('norm', 'pre', 'featureVariance') ?? [];
    actual.forEach((value, f) =>
      expect(Math.abs(value / (variance[f] ?? 0) - 1)).toBeLessThan(1e-5),
    );
  });

  it('NaN and infinities are counted, and left out of the moments', async () => {
    const layer = flat([4, 3]);
    const text = ['1', '2', '3', 'NaN', '4', '5', 'Infinity', '6', '-Infinity', '7', '8', '0'];
    const [step] = await capture(flavour, layer, [[{ x: text, w: randomNumbers(12, 4) }]]);
    const numbers = text.map(Number);
    const counts = step?.get('norm', 'pre', 'counts');
    expect(counts).toEqual([1, 12, 4, 1, 1, 1, 1, 0, 0]);
    const { mean, max } = groupMoments(numbers, [4, 3], [1]);
    expectNear(step?.get('norm', 'pre', 'featureMean') ?? [], mean, 1e-6);
    expect(step?.get('norm', 'pre', 'featureMax')).toEqual(max);
    expect(step?.get('norm', 'post', 'counts')[3]).toBeGreaterThan(0);
  });

  it('micro-batches of different sizes are merged into one step exactly', async () => {
    const layer = flat([6, 4]);
    const x = randomNumbers(24, 5);
    const w = randomNumbers(24, 6);
    const parts = [
      { x: x.slice(0, 8), w: w.slice(0, 8), batch: 2 },
      { x: x.slice(8, 20), w: w.slice(8, 20), batch: 3 },
      { x: x.slice(20), w: w.slice(20), batch: 1 },
    ];
    const [step] = await capture(flavour, layer, [parts]);
    if (!step) throw new Error('no step');
    expect(step.frame.microBatches).toBe(3);
    for (const tap of TAPS) expect(step.get('norm', tap, 'counts').slice(0, 3)).toEqual([3, 24, 6]);
    const features = groupMoments(x, [6, 4], [1]);
    expectNear(step.get('norm', 'pre', 'featureMean'), features.mean, 1e-6);
    expectNear(step.get('norm', 'pre', 'featureVariance'), features.variance, 1e-6);
    expectNear(step.get('norm', 'pre', 'sampleMean'), groupMoments(x, [6, 4], [0]).mean, 1e-6);
    expectNear(
      step.get('norm', 'gradPost', 'featureMean'),
      groupMoments(w, [6, 4], [1]).mean,
      1e-6,
    );
    expect(step.layout.layers[0]?.status.map(({ code }) => code)).toEqual(['accumulated']);
  });

  it('a smaller batch leaves NaN where the larger one had samples', async () => {
    const layer = flat([5, 4]);
    const whole = { x: randomNumbers(20, 7), w: randomNumbers(20, 8) };
    const small = { x: whole.x.slice(0, 8), w: whole.w.slice(0, 8), batch: 2 };
    const steps = await capture(flavour, layer, [[whole], [small]]);
    const means = steps[1]?.get('norm', 'pre', 'sampleMean') ?? [];
    expect(means).toHaveLength(5);
    expect(means.map(Number.isNaN)).toEqual([false, false, true, true, true]);
    expect(steps[0]?.layout.layoutId).toBe(steps[1]?.layout.layoutId);
  });

  it('the histogram of a large tensor takes every k-th row', async () => {
    const layer = flat([4500, 8]);
    const pattern = randomNumbers(8, 9);
    const x = Array.from({ length: 36_000 }, (_, i) => pattern[i % 8] ?? 0);
    const folder = workshop.folder;
    const [step] = await captureFile(flavour, layer, x, folder);
    expect(step?.frame.histogramStride).toBe(2);
    const expected = new Map<number, number>();
    for (const value of pattern) {
      expected.set(binOf(value), (expected.get(binOf(value)) ?? 0) + 2250);
    }
    const sorted = (map: Map<number, number>) => [...map].sort(([a], [b]) => a - b);
    expect(sorted(step?.histogram('norm', 'pre') ?? new Map())).toEqual(sorted(expected));
    expect(step?.get('norm', 'pre', 'sampleMean')).toHaveLength(4096);
    expect(step?.get('norm', 'pre', 'counts').slice(1, 3)).toEqual([36_000, 4500]);
  });
});

/** As `capture`, with an input too long for a command line. */
async function captureFile(flavour: Flavour, layer: Layer, x: number[], folder: string) {
  const collector = await Collector.start();
  try {
    const file = path.join(folder, 'input.json');
    const steps = [[{ x, w: x }]];
    await writeFile(file, JSON.stringify({ ...layer, epsilon: EPSILON, steps }));
    await workshop.run('oneLayer.cjs', { flavour, collector, args: [`@${file}`] });
    return collector.only.steps;
  } finally {
    await collector.close();
  }
}
