import { describe, expect, it } from 'vitest';
import { AgentFrameParser } from '../../../extension/core/collector/parseAgentFrame';
import { RunStore } from '../../../extension/core/runStore/runStore';
import { layerId, layoutId, runId } from '../../../extension/protocol/ids';
import { TAPS, type Tap } from '../../../extension/protocol/layers';
import { decodeBlob, encodeBlob, type TensorData } from '../../../extension/protocol/safetensors';
import type { LayerView, StepChoice } from '../../../extension/protocol/views';
import {
  columnOf,
  packStep,
  stepBody,
  syntheticLayer,
  syntheticLayout,
  syntheticRun,
  syntheticStore,
  type Values,
} from '../../fixtures/syntheticRun';

const options = { layers: 3, steps: 30, samples: 8, features: 5, seed: 9 };
const run = syntheticRun(options);
const store = syntheticStore(options);

function ask(
  from: RunStore,
  step: StepChoice,
  change: Partial<{ layer: number; points: number; ridges: number; ridgePoints: number }> = {},
) {
  const { layer = 1, points = 100, ridges = 10, ridgePoints = 64 } = change;
  const query = { view: 'layer', run: runId('synthetic'), layer: layerId(layer), step } as const;
  const blob = decodeBlob(from.query({ ...query, points, ridges, ridgePoints }));
  const body = blob.body as LayerView;
  expect(body.view).toBe('layer');
  const tensor = (name: string): TensorData => {
    const data = blob.tensors[name];
    if (!data) throw new Error(`The view has no ${name}.`);
    return data;
  };
  return { body, tensor };
}

const valuesAt = (step: number, layer: number, tap: Tap): Values => {
  const values = run.steps[step]?.values[layer]?.[tap];
  if (!values) throw new Error('No such values.');
  return values;
};

function plain(values: readonly number[]) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  const norm = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
  return { mean, variance, std: Math.sqrt(variance), norm };
}

/** The formula of the drift, written out over the values themselves. */
function plainDrift(before: Values, after: Values) {
  const features = (before[0] ?? []).map((_, j) => [
    plain(columnOf(before, j)),
    plain(columnOf(after, j)),
  ]) as [ReturnType<typeof plain>, ReturnType<typeof plain>][];
  const average = (of: (pair: (typeof features)[number]) => number) =>
    features.reduce((sum, pair) => sum + of(pair), 0) / features.length;
  const pooled = average(([a, b]) => (a.variance + b.variance) / 2);
  return {
    mean: Math.sqrt(average(([a, b]) => (b.mean - a.mean) ** 2) / pooled),
    variance: average(([a, b]) => Math.abs(b.variance - a.variance)) / pooled,
  };
}

/** float32 in the frame and in the view. */
const near = (actual: number | null | undefined, expected: number, scale = Math.abs(expected)) =>
  expect(Math.abs((actual ?? Number.NaN) - expected)).toBeLessThanOrEqual(2e-6 * scale + 1e-9);

describe('the layer view', () => {
  it('has the whole-tensor figures of the chosen step', () => {
    const { body } = ask(store, 12);
    expect(body.step).toBe(12);
    expect([body.firstStep, body.lastStep]).toEqual([0, 29]);
    expect(body.figures.map(({ tap }) => tap)).toEqual([...TAPS]);
    for (const figures of body.figures) {
      const all = valuesAt(12, 1, figures.tap).flat();
      const expected = plain(all);
      near(figures.mean, expected.mean, expected.std);
      near(figures.std, expected.std);
      near(figures.norm, expected.norm);
      near(figures.min, Math.min(...all));
      near(figures.max, Math.max(...all));
      expect(figures).toMatchObject({ elements: 40, samples: 8, nan: 0, zero: 0, deadFeatures: 0 });
    }
  });

  it('has series over all steps that agree with the values, drift and floor among them', () => {
    const { tensor } = ask(store, 'live');
    expect([...tensor('steps')]).toEqual(run.steps.map(({ step }) => step.step));
    run.steps.forEach(({ step }, at) => {
      near(tensor('loss')[at], step.loss ?? Number.NaN);
      for (const tap of TAPS) {
        const expected = plain(valuesAt(at, 1, tap).flat());
        near(tensor(`${tap}Mean`)[at], expected.mean, expected.std);
        near(tensor(`${tap}Std`)[at], expected.std);
        if (tap.startsWith('grad')) near(tensor(`${tap}Norm`)[at], expected.norm);
      }
      for (const tap of ['pre', 'post'] as const) {
        if (at === 0) {
          expect(tensor(`${tap}Drift`)[0]).toBeNaN();
          continue;
        }
        const expected = plainDrift(valuesAt(at - 1, 1, tap), valuesAt(at, 1, tap));
        near(tensor(`${tap}Drift`)[at], expected.mean, 1);
        near(tensor(`${tap}VarianceDrift`)[at], expected.variance, 1);
        near(tensor('preDriftFloor')[at], Math.sqrt(2 / options.samples));
      }
    });
  });

  it('has a vector over features and over samples for each tap', () => {
    const { tensor } = ask(store, 7);
    for (const tap of TAPS) {
      const values = valuesAt(7, 1, tap);
      expect(tensor(`${tap}FeatureMean`)).toHaveLength(options.features);
      expect(tensor(`${tap}SampleMean`)).toHaveLength(options.samples);
      for (let j = 0; j < options.features; j++) {
        const column = columnOf(values, j);
        const { mean, std } = plain(column);
        near(tensor(`${tap}FeatureMean`)[j], mean, std);
        near(tensor(`${tap}FeatureStd`)[j], std);
        near(tensor(`${tap}FeatureMin`)[j], Math.min(...column));
        near(tensor(`${tap}FeatureMax`)[j], Math.max(...column));
      }
      values.forEach((row, i) => {
        const { mean, std } = plain([...row]);
        near(tensor(`${tap}SampleMean`)[i], mean, std);
        near(tensor(`${tap}SampleStd`)[i], std);
      });
    }
  });

  it('has ridges evenly over the run up to the chosen step, which is the last', () => {
    const { body, tensor } = ask(store, 27, { ridges: 4, ridgePoints: 50 });
    expect([...tensor('ridgeSteps')]).toEqual([0, 9, 18, 27]);
    expect([...ask(store, 27, { ridges: 1 }).tensor('ridgeSteps')]).toEqual([27]);
    expect(ask(store, 27, { ridges: 0 }).tensor('preRidges')).toHaveLength(0);
    expect(ask(store, 3).tensor('ridgeSteps')).toHaveLength(4);
    const [lower, upper] = body.valueRanges.pre;
    const cell = (upper - lower) / 50;
    for (const [ridge, step] of [0, 9, 18, 27].entries()) {
      for (const tap of ['pre', 'post'] as const) {
        const density = [...tensor(`${tap}Ridges`)].slice(ridge * 50, ridge * 50 + 50);
        const mass = density.reduce((sum, value) => sum + value * cell, 0);
        const inside = valuesAt(step, 1, tap)
          .flat()
          .filter((value) => value > lower && value < upper).length;
        expect(Math.abs(mass - inside / 40)).toBeLessThan(0.03);
      }
    }
    expect([...tensor('preHistogram')]).toEqual([...tensor('preRidges').slice(150)]);
  });

  it('thins series to the points asked for and keeps the newest', () => {
    const { tensor } = ask(store, 'live', { points: 7 });
    expect([...tensor('steps')]).toEqual([4, 9, 14, 19, 24, 29]);
    expect(ask(store, 'live', { points: 1 }).tensor('steps')).toEqual(Float64Array.of(29));
  });

  it('takes absurd numbers in a query for the nearest sensible ones', () => {
    const { tensor } = ask(store, 1e12, { points: Number.NaN, ridges: -4, ridgePoints: 1e9 });
    expect(tensor('steps')).toHaveLength(1);
    expect(tensor('ridgeSteps')).toHaveLength(0);
    expect(tensor('preHistogram')).toHaveLength(2048);
  });
});

/** A store fed with hand-made steps of one layer. */
function storeOf(
  samples: number,
  features: number,
  steps: readonly Partial<Record<Tap, Values>>[],
): RunStore {
  const layout = syntheticLayout([syntheticLayer(0, features, samples)], samples);
  const made = new RunStore();
  const kept = made.create({ id: 'synthetic', program: 'a.py', sessionType: '', startedAt: 0 });
  const parser = new AgentFrameParser();
  const frames = [
    encodeBlob(run.hello),
    encodeBlob(layout),
    ...steps.map((values, step) => encodeBlob(stepBody(step), packStep(layout, [values]))),
  ];
  for (const bytes of frames) {
    const frame = parser.parse(decodeBlob(bytes));
    if (frame) made.accept(kept, frame);
  }
  return made;
}

describe('the layer view of unusual steps', () => {
  const rows = (...values: number[][]): Values => values;

  it('has NaN in the series and no figures where a tap did not fire', () => {
    const pre = rows([1, 2], [3, 5]);
    const made = storeOf(2, 2, [{ pre, post: pre }, { post: pre }, { pre, post: pre }]);
    const { body, tensor } = ask(made, 1, { layer: 0 });
    expect(body.figures.map(({ tap }) => tap)).toEqual(['post']);
    expect([...tensor('preMean')]).toEqual([2.75, NaN, 2.75]);
    expect(tensor('preFeatureMean')).toHaveLength(0);
    expect(tensor('preHistogram').every(Number.isNaN)).toBe(true);
    // Compared with the last step in which the tap fired.
    expect([...tensor('preDrift')]).toEqual([NaN, NaN, 0]);
  });

  it('weighs zeros by what went into each histogram, not by a stride of the whole step', () => {
    // 36 zeros and 12 values of 1.25; the histogram before the layer is of every third row.
    const row = [0, 0, 0, 1.25];
    const pre: Values = Array.from({ length: 12 }, () => row);
    const layout = syntheticLayout([syntheticLayer(0, 4, 12)], 12);
    const whole = packStep(layout, [{ pre, post: pre }]);
    const { counts } = whole;
    if (!(counts instanceof Uint32Array)) throw new Error('There are no counts.');
    expect([...counts]).toEqual([12, 12]);
    const tensors = { ...whole, counts: Uint32Array.of(4, 12) };
    const made = new RunStore();
    const kept = made.create({ id: 'synthetic', program: 'a.py', sessionType: '', startedAt: 0 });
    const parser = new AgentFrameParser();
    for (const bytes of [
      encodeBlob(run.hello),
      encodeBlob(layout),
      encodeBlob(stepBody(0, { histogramStride: 7 }), tensors),
    ]) {
      const frame = parser.parse(decodeBlob(bytes));
      if (frame) made.accept(kept, frame);
    }
    const points = 512;
    const { body, tensor } = ask(made, 'live', { layer: 0, ridgePoints: points });
    const [lower, upper] = body.valueRanges.pre;
    const cell = (upper - lower) / points;
    const zeroCell = Math.floor(-lower / cell);
    for (const tap of ['pre', 'post'] as const) {
      const share = (tensor(`${tap}Histogram`)[zeroCell] ?? 0) * cell;
      expect(share).toBeGreaterThan(0.749);
      expect(share).toBeLessThan(0.751);
    }
    // Three rows for each one of pre's, one of post's; the step says seven.
    expect(body.histogramStride).toBe(3);
  });

  it('shows the newest step in which the layer ran, when it is live', () => {
    const pre = rows([1, 2], [3, 5]);
    const made = storeOf(2, 2, [{ pre }, { pre }, {}]);
    expect(ask(made, 'live', { layer: 0 }).body.step).toBe(1);
    expect(ask(made, 2, { layer: 0 }).body.step).toBe(2);
  });

  it('counts values that are not finite apart and keeps the figures of the others', () => {
    const pre = rows([NaN, 4], [2, Infinity], [6, -Infinity], [0, 8]);
    const { body } = ask(storeOf(4, 2, [{ pre }]), 'live', { layer: 0 });
    expect(body.figures[0]).toMatchObject({
      nan: 1,
      positiveInfinity: 1,
      negativeInfinity: 1,
      zero: 1,
      min: 0,
      max: 8,
      elements: 8,
    });
  });

  it('counts constant features and survives a tap without a finite value', () => {
    const made = storeOf(2, 3, [
      { pre: rows([5, 1, 0], [5, 2, 0]), post: rows([NaN, NaN, NaN], [NaN, NaN, NaN]) },
    ]);
    const { body } = ask(made, 'live', { layer: 0 });
    expect(body.figures[0]?.deadFeatures).toBe(2);
    expect(body.figures[1]).toMatchObject({ tap: 'post', nan: 6, mean: null, std: null });
    expect(body.valueRanges.pre[1]).toBeGreaterThan(body.valueRanges.pre[0]);
  });

  it('shows the samples of a batch that is smaller than its slot', () => {
    const made = storeOf(6, 2, [{ pre: rows([1, 3], [2, 8]) }]);
    expect([...ask(made, 'live', { layer: 0 }).tensor('preSampleMean')]).toEqual([2, 5]);
  });

  it('strides over more features than fit', () => {
    const features = 9000;
    const pre = [Array.from({ length: features }, (_, j) => j)];
    const { body, tensor } = ask(storeOf(1, features, [{ pre }]), 'live', { layer: 0 });
    expect(body.featureStride).toBe(3);
    expect([...tensor('preFeatureMean').slice(0, 3)]).toEqual([0, 3, 6]);
    expect(tensor('preFeatureMean')).toHaveLength(3000);
  });

  it('is there before the first step', () => {
    const { body, tensor } = ask(storeOf(2, 2, []), 'live', { layer: 0 });
    expect(body).toMatchObject({ step: null, firstStep: null, lastStep: null, figures: [] });
    expect(tensor('steps')).toHaveLength(0);
    expect(tensor('preHistogram').every(Number.isNaN)).toBe(true);
  });

  it('goes on over a layout that grew a slot and a layer', () => {
    const made = new RunStore();
    const kept = made.create({ id: 'synthetic', program: 'a.py', sessionType: '', startedAt: 0 });
    const parser = new AgentFrameParser();
    const small = syntheticLayout([syntheticLayer(0, 2, 1)], 1);
    const layers = [syntheticLayer(1, 2, 3), syntheticLayer(0, 2, 3)];
    const large = { ...syntheticLayout(layers, 3), layoutId: layoutId(1) };
    const one = rows([1, 3]);
    const three = rows([1, 3], [2, 5], [3, 7]);
    for (const bytes of [
      encodeBlob(run.hello),
      encodeBlob(small),
      encodeBlob(stepBody(0), packStep(small, [{ pre: one }])),
      encodeBlob(large),
      encodeBlob(
        stepBody(1, { layoutId: layoutId(1) }),
        packStep(large, [{ pre: three }, { pre: three }]),
      ),
    ]) {
      const frame = parser.parse(decodeBlob(bytes));
      if (frame) made.accept(kept, frame);
    }
    expect(made.layers(runId('synthetic')).map(({ id }) => id)).toEqual([1, 0]);
    const { tensor } = ask(made, 'live', { layer: 0 });
    expect([...tensor('preMean')]).toEqual([2, 3.5]);
    expect(tensor('preSampleMean')).toHaveLength(3);
    expect(ask(made, 0, { layer: 0 }).tensor('preSampleMean')).toHaveLength(1);
  });
});
