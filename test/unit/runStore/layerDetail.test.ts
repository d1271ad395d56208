import { describe, expect, it } from 'vitest';
import type { ReceivedDeep } from '../../../extension/core/frames/receivedFrame';
import type { RunStore } from '../../../extension/core/runStore/runStore';
import { layerId, runId } from '../../../extension/protocol/ids';
import type { FeaturesView, SliceView } from '../../../extension/protocol/layerDetailViews';
import { decodeBlob, type TensorData } from '../../../extension/protocol/safetensors';
import { BAND_QUANTILES, type LayerView, type ViewQuery } from '../../../extension/protocol/views';
import { histogramsOf } from '../../fixtures/deepFrame';
import { columnOf, syntheticRun, syntheticStore } from '../../fixtures/syntheticRun';

const options = { layers: 3, steps: 40, samples: 8, features: 5, seed: 3 };
const run = syntheticRun(options);
const store = syntheticStore(options);
const id = runId('synthetic');
const LAYER = 1;

function ask<V>(from: RunStore, query: ViewQuery) {
  const blob = decodeBlob(from.query(query));
  const tensor = (name: string): TensorData => {
    const data = blob.tensors[name];
    if (!data) throw new Error(`The view has no ${name}.`);
    return data;
  };
  return { body: blob.body as V, tensor };
}

const layerQuery = {
  view: 'layer',
  run: id,
  layer: layerId(LAYER),
  step: 'live',
  points: 100,
  ridges: 10,
  ridgePoints: 64,
} as const;

const valuesAt = (step: number, tap: 'pre' | 'post' | 'gradPre' | 'gradPost') => {
  const values = run.steps[step]?.values[LAYER]?.[tap];
  if (!values) throw new Error('No such values.');
  return values;
};

const meanOf = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
const deviationOf = (values: readonly number[]) =>
  Math.sqrt(meanOf(values.map((value) => (value - meanOf(values)) ** 2)));

describe('the layer view of a part of the run', () => {
  it('has the steps of the part and their neighbours, and ridges of it up to the selected step', () => {
    const { body, tensor } = ask<LayerView>(store, { ...layerQuery, step: 25, range: [10, 30] });
    expect(body.step).toBe(25);
    expect([...tensor('steps')]).toEqual(Array.from({ length: 23 }, (_, i) => 9 + i));
    expect(tensor('preMean')).toHaveLength(23);
    expect(tensor('preMean')[1]).toBeCloseTo(meanOf(valuesAt(10, 'pre').flat()), 5);
    const ridges = [...tensor('ridgeSteps')];
    expect(ridges[0]).toBe(10);
    expect(ridges.at(-1)).toBe(25);
    expect(ridges.length).toBeLessThanOrEqual(10);
  });

  it('has the selected step as its only ridge when that lies before the part', () => {
    const { tensor } = ask<LayerView>(store, { ...layerQuery, step: 2, range: [10, 30] });
    expect([...tensor('ridgeSteps')]).toEqual([2]);
  });

  it('goes from one step to the next where no step lies within the part', () => {
    const { tensor } = ask<LayerView>(store, { ...layerQuery, range: [10.2, 10.8] });
    expect([...tensor('steps')]).toEqual([10, 11]);
  });

  it('thins what is within the part, not the run', () => {
    const { tensor } = ask<LayerView>(store, { ...layerQuery, points: 6, range: [12, 23] });
    expect([...tensor('steps')]).toEqual([11, 13, 15, 17, 19, 21, 23, 24]);
  });
});

describe('the layer view with percentile bands', () => {
  const { tensor } = ask<LayerView>(store, {
    ...layerQuery,
    step: 5,
    ridges: 64,
    distribution: 'bands',
  });

  it('reaches over the whole run, whatever the selected step, instead of ridges', () => {
    expect([...tensor('bandSteps')]).toEqual(run.steps.map(({ step }) => step.step));
    expect(tensor('ridgeSteps')).toHaveLength(0);
    expect(tensor('preHistogram').some((value) => Number(value) > 0)).toBe(true);
  });

  it('has the percentiles of the values of each step', () => {
    const width = BAND_QUANTILES.length;
    for (const tap of ['pre', 'post'] as const) {
      const bands = tensor(`${tap}Bands`);
      for (const step of [0, 17, 39]) {
        const sorted = valuesAt(step, tap)
          .flat()
          .sort((a, b) => a - b);
        BAND_QUANTILES.forEach((share, i) => {
          const found = Number(bands[step * width + i]);
          // No further from the values than a bin is wide, between the neighbouring ones.
          const low = sorted[Math.max(0, Math.ceil(share * sorted.length) - 2)] ?? NaN;
          const high = sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length))] ?? NaN;
          const bin = (value: number) => 0.13 * Math.abs(value) + 1e-6;
          expect(found).toBeGreaterThanOrEqual(low - bin(low));
          expect(found).toBeLessThanOrEqual(high + bin(high));
        });
      }
    }
  });
});

describe('the value axes of a layer view', () => {
  it('are one for before and after unless each is to have its own', () => {
    const shared = ask<LayerView>(store, { ...layerQuery, layer: layerId(2) }).body.valueRanges;
    expect(shared.pre).toEqual(shared.post);
    expect(shared.gradPre).toEqual(shared.gradPost);
    const own = ask<LayerView>(store, { ...layerQuery, layer: layerId(2), axes: 'own' }).body
      .valueRanges;
    expect(own.pre).not.toEqual(own.post);
    expect(Math.min(own.pre[0], own.post[0])).toBeCloseTo(shared.pre[0], 1);
    expect(Math.max(own.pre[1], own.post[1])).toBeCloseTo(shared.pre[1], 1);
  });
});

describe('the drift of features in a layer view', () => {
  const drift = (reference: 'previous' | 'first' | 'window', step: number) =>
    ask<LayerView>(store, { ...layerQuery, step, reference });

  it('adds up to the drift of the layer, against each reference', () => {
    for (const reference of ['previous', 'first', 'window'] as const) {
      const { tensor } = drift(reference, 30);
      for (const tap of ['pre', 'post'] as const) {
        const features = [...tensor(`${tap}FeatureDrift`)].map(Number);
        const whole = Math.sqrt(meanOf(features.map((value) => value * value)));
        expect(features).toHaveLength(options.features);
        expect(whole).toBeCloseTo(Number(tensor(`${tap}Drift`)[30]), 4);
      }
    }
  });

  it('is nothing at the first step', () => {
    expect(drift('previous', 0).tensor('preFeatureDrift')).toHaveLength(0);
  });
});

describe('the view of features over steps', () => {
  const query = {
    view: 'features',
    run: id,
    layer: layerId(LAYER),
    pass: 'forward',
    statistic: 'std',
    points: 100,
  } as const;

  it('has the statistic of every feature at every step, before and after', () => {
    for (const [pass, before, after] of [
      ['forward', 'pre', 'post'],
      ['backward', 'gradPre', 'gradPost'],
    ] as const) {
      for (const statistic of ['std', 'mean'] as const) {
        const { body, tensor } = ask<FeaturesView>(store, { ...query, pass, statistic });
        expect(body).toMatchObject({ layer: LAYER, pass, statistic, featureStride: 1 });
        expect([...tensor('steps')]).toEqual(run.steps.map(({ step }) => step.step));
        for (const step of [0, 21, 39]) {
          for (const [side, tap] of [
            ['before', before],
            ['after', after],
          ] as const) {
            for (let j = 0; j < options.features; j++) {
              const column = columnOf(valuesAt(step, tap), j);
              const expected = statistic === 'std' ? deviationOf(column) : meanOf(column);
              const found = Number(tensor(side)[step * options.features + j]);
              expect(found).toBeCloseTo(expected, 5);
            }
          }
        }
      }
    }
  });

  it('keeps to the steps and points asked for, with the newest among them', () => {
    const { tensor } = ask<FeaturesView>(store, { ...query, points: 5, range: [10, 30] });
    const steps = [...tensor('steps')];
    expect(steps).toEqual([10, 15, 20, 25, 30]);
    expect(tensor('before')).toHaveLength(5 * options.features);
  });

  it('strides over features where there are more than a drawing has places for', () => {
    const wide = syntheticStore({ layers: 1, steps: 2, samples: 2, features: 9000 });
    const { body, tensor } = ask<FeaturesView>(wide, { ...query, layer: layerId(0) });
    // The layer view takes every third; this one every third of those.
    expect(body.featureStride).toBe(9);
    expect(tensor('before')).toHaveLength(2 * 1000);
    wide.dispose();
  });
});

const deepAt = (step: number, feature: readonly number[]): ReceivedDeep => ({
  kind: 'deep',
  layer: layerId(LAYER),
  step,
  features: 2,
  taps: ['pre'],
  tensors: {
    pre: {
      featureHistograms: histogramsOf([[1, 1], feature]),
      sampleHistograms: histogramsOf([[-2, -2, -2]]),
      covariance: undefined,
      rows: undefined,
    },
  },
  bytes: 4096,
});

describe('the view of one feature and one sample', () => {
  const points = 200;
  const query = {
    view: 'slice',
    run: id,
    layer: layerId(LAYER),
    feature: 1,
    sample: 0,
    step: 'live',
    ridges: 10,
    ridgePoints: points,
  } as const;
  const captured = syntheticStore(options);
  const kept = captured.get(id);
  for (let step = 0; step < 30; step += 10) kept?.accept(deepAt(step, [3, 3, 3, step + 8]));

  it('has their densities at every deep capture up to the step', () => {
    const { body, tensor } = ask<SliceView>(captured, { ...query, step: 15 });
    expect([...tensor('ridgeSteps')]).toEqual([0, 10]);
    expect(body).toMatchObject({ captures: 3, captureBytes: 4096 });
    const [low, high] = body.featureRange;
    const cell = (high - low) / points;
    const ridge = [...tensor('preFeatureRidges')].slice(points).map(Number);
    const mass = (from: number, to: number) =>
      ridge.reduce((sum, value, i) => {
        const at = low + (i + 0.5) * cell;
        return sum + (at > from && at < to ? value * cell : 0);
      }, 0);
    // Step 10: three values of 3, one of 18.
    expect(mass(2.5, 3.6)).toBeCloseTo(0.75, 1);
    expect(mass(16, 20)).toBeCloseTo(0.25, 1);
    expect(body.sampleRange[1]).toBeLessThan(0);
  });

  it('is NaN where a tap, a feature or a sample has no histogram', () => {
    const { tensor } = ask<SliceView>(captured, { ...query, feature: 7 });
    expect(tensor('postFeatureRidges').every((value) => Number.isNaN(value))).toBe(true);
    expect(tensor('preFeatureRidges').every((value) => Number.isNaN(value))).toBe(true);
    expect(tensor('preSampleRidges').some((value) => Number(value) > 0)).toBe(true);
  });

  it('is empty where the layer was never captured in depth', () => {
    const { body, tensor } = ask<SliceView>(captured, { ...query, layer: layerId(0) });
    expect(body).toMatchObject({ captures: 0, captureBytes: 0 });
    expect(tensor('ridgeSteps')).toHaveLength(0);
  });

  it('says that there is no such layer', () => {
    for (const view of ['slice', 'features'] as const) {
      const asked = {
        ...query,
        view,
        layer: layerId(77),
        pass: 'forward',
        statistic: 'mean',
        points: 9,
      } as ViewQuery;
      expect(ask(captured, asked).body).toMatchObject({ view: 'missing' });
    }
  });
});
