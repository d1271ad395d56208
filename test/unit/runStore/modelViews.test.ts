import { describe, expect, it } from 'vitest';
import { runId } from '../../../extension/protocol/ids';
import { MODEL_FIGURES, type ModelFigure } from '../../../extension/protocol/modelFigures';
import type { DepthView, HeatView } from '../../../extension/protocol/modelViews';
import { decodeBlob, type TensorData } from '../../../extension/protocol/safetensors';
import type { StepChoice, StepRange } from '../../../extension/protocol/stepChoice';
import type { RunStore } from '../../../extension/core/runStore/runStore';
import { columnOf, stepBody, syntheticRun, syntheticStore } from '../../fixtures/syntheticRun';

const LAYERS = 3;
const STEPS = 50;
const options = { layers: LAYERS, steps: STEPS, samples: 8, features: 5, seed: 6 };
const run = syntheticRun(options);
const store = syntheticStore(options);

function tensorsOf(tensors: Readonly<Record<string, TensorData>>) {
  return (name: string): TensorData => {
    const data = tensors[name];
    if (!data) throw new Error(`The view has no ${name}.`);
    return data;
  };
}

function heat(figure: ModelFigure, points = 1_000, range?: StepRange, from: RunStore = store) {
  const query = { view: 'heat', run: runId('synthetic'), figure, points } as const;
  const blob = decodeBlob(from.query({ ...query, ...(range && { range }) }));
  const body = blob.body as HeatView;
  expect(body.view).toBe('heat');
  return { body, tensor: tensorsOf(blob.tensors) };
}

function depth(step: StepChoice, from: RunStore = store) {
  const blob = decodeBlob(from.query({ view: 'depth', run: runId('synthetic'), step }));
  const body = blob.body as DepthView;
  expect(body.view).toBe('depth');
  return { body, tensor: tensorsOf(blob.tensors) };
}

const valuesAt = (step: number, layer: number, tap: 'pre' | 'post' | 'gradPost' | 'gradPre') =>
  run.steps[step]?.values[layer]?.[tap] ?? [];

function moments(values: readonly number[]) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return { mean, variance, std: Math.sqrt(variance) };
}

const norm = (values: readonly number[]) =>
  Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));

/** The drift of the mean between two steps, over the values themselves. */
function drift(layer: number, before: number, after: number): number {
  let [squares, pooled] = [0, 0];
  for (let j = 0; j < options.features; j++) {
    const a = moments(columnOf(valuesAt(before, layer, 'pre'), j));
    const b = moments(columnOf(valuesAt(after, layer, 'pre'), j));
    squares += (b.mean - a.mean) ** 2;
    pooled += (a.variance + b.variance) / 2;
  }
  return Math.sqrt(squares / pooled);
}

const near = (actual: number | undefined, expected: number) =>
  expect(Math.abs((actual ?? NaN) - expected)).toBeLessThanOrEqual(1e-4 * Math.abs(expected));

describe('the heat view', () => {
  it('holds a figure of every layer at every step, in model order', () => {
    const { body, tensor } = heat('preStd');
    expect(body.layers).toEqual([0, 1, 2]);
    expect([...tensor('steps')]).toEqual(Array.from({ length: STEPS }, (_, step) => step));
    expect(tensor('ends')).toEqual(tensor('steps'));
    for (let layer = 0; layer < LAYERS; layer++) {
      for (const step of [0, 17, 49]) {
        const expected = moments(valuesAt(step, layer, 'pre').flat()).std;
        near(tensor('values')[layer * STEPS + step], expected);
      }
    }
    near(tensor('loss')[20], stepBody(20).loss ?? NaN);
  });

  it('lets the value furthest from zero stand for several steps, and says which that is', () => {
    const { tensor } = heat('preDrift', 10);
    // The smallest power of two that makes ten columns of fifty steps at most.
    const width = 8;
    const columns = Math.ceil(STEPS / width);
    expect([...tensor('steps')]).toEqual(Array.from({ length: columns }, (_, i) => i * width));
    expect([...tensor('ends')]).toEqual([7, 15, 23, 31, 39, 47, 49]);
    for (let layer = 0; layer < LAYERS; layer++) {
      for (let column = 0; column < columns; column++) {
        let [peak, largest] = [-1, -1];
        for (let at = column * width; at < Math.min(STEPS, (column + 1) * width); at++) {
          const value = at === 0 ? NaN : drift(layer, at - 1, at);
          if (value > largest) [peak, largest] = [at, value];
        }
        near(tensor('values')[layer * columns + column], largest);
        expect(column * width + (tensor('peaks')[layer * columns + column] ?? NaN)).toBe(peak);
      }
    }
    near(tensor('floors')[1], Math.sqrt(2 / options.samples));
  });

  it('keeps columns where they are while the run goes on', () => {
    const older = syntheticStore({ ...options, steps: 42 });
    const [before, after] = [heat('preStd', 10, undefined, older), heat('preStd', 10)];
    expect(before.tensor('steps').slice(0, 5)).toEqual(after.tensor('steps').slice(0, 5));
    expect(before.tensor('values').slice(0, 5)).toEqual(after.tensor('values').slice(0, 5));
  });

  it('shows the steps of a range, the first and the last among them', () => {
    const { tensor } = heat('preStd', 1_000, [12, 19]);
    expect([...tensor('steps')]).toEqual([12, 13, 14, 15, 16, 17, 18, 19]);
    near(tensor('values')[8 + 3], moments(valuesAt(15, 1, 'pre').flat()).std);
    const coarse = heat('preStd', 4, [13, 30]);
    expect([...coarse.tensor('steps')]).toEqual([13, 16, 24]);
    expect([...coarse.tensor('ends')]).toEqual([15, 23, 30]);
    expect(heat('preStd', 10, [900, 901]).tensor('steps')).toHaveLength(0);
  });

  it('shows the analysed steps on both sides of a range that holds none', () => {
    const between = heat('preStd', 10, [12.25, 12.75]);
    expect([...between.tensor('steps')]).toEqual([12, 13]);
    const std = moments(valuesAt(13, 1, 'pre').flat()).std;
    expect(between.tensor('values')[3]).toBeCloseTo(std, 5);
  });

  it('has no value where a layer has no such figure', () => {
    const { tensor } = heat('tidMean');
    expect(tensor('values').some(Number.isNaN)).toBe(true);
    expect([...heat('preStd').tensor('floors')]).toEqual([NaN, NaN, NaN]);
  });

  it('finds the peaks anew after the table was thinned', () => {
    const small = syntheticStore(options, { maxRunBytes: 150_000 });
    const kept = small.get(runId('synthetic'));
    expect(kept?.table.length).toBeLessThan(STEPS);
    const first = heat('preStd', 4, undefined, small);
    kept?.setBudget(60_000);
    const second = heat('preStd', 4, undefined, small);
    const fresh = heat('postStd', 4, undefined, small);
    expect(second.tensor('steps')).toEqual(fresh.tensor('steps'));
    expect(second.tensor('steps')).not.toEqual(first.tensor('steps'));
    const columns = second.tensor('steps').length;
    for (let column = 0; column < columns; column++) {
      const step = (second.tensor('steps')[column] ?? 0) + (second.tensor('peaks')[column] ?? 0);
      near(second.tensor('values')[column], moments(valuesAt(step, 0, 'pre').flat()).std);
    }
  });
});

describe('the depth view', () => {
  it('holds every figure of every layer at one step', () => {
    const { body, tensor } = depth(31);
    expect(body.step).toBe(31);
    for (let layer = 0; layer < LAYERS; layer++) {
      const post = valuesAt(31, layer, 'post').flat();
      near(tensor('preStd')[layer], moments(valuesAt(31, layer, 'pre').flat()).std);
      near(tensor('postStd')[layer], moments(post).std);
      near(tensor('gradPostNorm')[layer], norm(valuesAt(31, layer, 'gradPost').flat()));
      near(tensor('gradPreNorm')[layer], norm(valuesAt(31, layer, 'gradPre').flat()));
      near(
        tensor('gradientRatio')[layer],
        norm(valuesAt(31, layer, 'gradPre').flat()) / norm(valuesAt(31, layer, 'gradPost').flat()),
      );
      near(tensor('preDrift')[layer], drift(layer, 30, 31));
      near(tensor('preDriftFloor')[layer], Math.sqrt(2 / options.samples));
      expect(tensor('deadShare')[layer]).toBe(0);
      expect(tensor('nonFinite')[layer]).toBe(0);
      const beyond = post.filter((value) => Math.abs(value) > 2.09).length / post.length;
      expect(Math.abs((tensor('saturation')[layer] ?? NaN) - beyond)).toBeLessThan(0.06);
    }
  });

  it('has each figure once, as the series have it', () => {
    const { tensor } = depth('live');
    for (const figure of MODEL_FIGURES) {
      const { tensor: series } = heat(figure);
      const expected = Array.from(
        { length: LAYERS },
        (_, i) => series('values')[(i + 1) * STEPS - 1],
      );
      expect([...tensor(figure)]).toEqual(expected);
    }
  });

  it('shows the newest step, and of others the nearest that is kept', () => {
    expect(depth('live').body.step).toBe(STEPS - 1);
    expect(depth(10_000).body.step).toBe(STEPS - 1);
    expect(depth(0).body.step).toBe(0);
  });

  it('says from where to where a figure goes over the run', () => {
    const { extents } = depth(0).body;
    const all = Array.from({ length: LAYERS }, (_, layer) =>
      Array.from({ length: STEPS }, (_, step) => moments(valuesAt(step, layer, 'pre').flat()).std),
    ).flat();
    const [low = NaN, high = NaN] = extents.preStd ?? [];
    expect(low).toBeGreaterThanOrEqual(Math.min(...all) * 0.9999);
    expect(high).toBeLessThanOrEqual(Math.max(...all) * 1.0001);
    expect(high - low).toBeGreaterThan(0.9 * (Math.max(...all) - Math.min(...all)));
  });
});
