import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { covarianceOf } from '../../../extension/agents/node/covariance';
import { DeepRecorder } from '../../../extension/agents/node/deepRecorder';
import { DeepSchedule } from '../../../extension/agents/node/deepSchedule';
import { featureMap } from '../../../extension/agents/node/featureMap';
import { binOf } from '../../../extension/protocol/bitBins';
import { layerId } from '../../../extension/protocol/ids';
import { TAPS } from '../../../extension/protocol/layers';
import { encodeBlob, type Tensors } from '../../../extension/protocol/safetensors';
import { Collector } from './harness/collector';
import { Workshop } from './harness/programs';
import { groupOf, randomNumbers } from './harness/reference';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const ID = layerId(3);

/** Bin → count of one group of a histogram in compressed sparse rows. */
function histogramOf(tensors: Tensors, prefix: string, group: number): Map<number, number> {
  const [splits, bins, counts] = ['Splits', 'Bins', 'Counts'].map((part) => tensors[prefix + part]);
  if (!splits || !bins || !counts) throw new Error(`There is no ${prefix}.`);
  const map = new Map<number, number>();
  for (let at = splits[group] ?? 0; at < (splits[group + 1] ?? 0); at += 1) {
    map.set(bins[at] ?? -1, counts[at] ?? 0);
  }
  return map;
}

function countBins(values: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const value of values) {
    if (Number.isFinite(value) && value !== 0) {
      counts.set(binOf(value), (counts.get(binOf(value)) ?? 0) + 1);
    }
  }
  return new Map([...counts].sort(([a], [b]) => a - b));
}

function deepOf(values: number[], shape: number[], axes: number[]): Tensors {
  const recorder = new DeepRecorder(new Set([ID]));
  recorder.add(ID, 'pre', Float32Array.from(values), featureMap(shape, axes));
  const [frame] = recorder.frames(7);
  expect(frame?.frame).toMatchObject({ kind: 'deep', layer: ID, step: 7, taps: ['pre'] });
  return frame?.tensors ?? {};
}

describe('deep capture', () => {
  it.each([
    [[6, 4], [1]],
    [[3, 4, 5], [1]],
    [
      [3, 2, 4, 2],
      [1, 3],
    ],
  ])('has a histogram for each feature and each sample: shape %j, features %j', (shape, axes) => {
    const size = shape.reduce((product, length) => product * length, 1);
    const values = randomNumbers(size, 3);
    values[5] = NaN;
    values[6] = 0;
    const tensors = deepOf(values, shape, axes);
    const groups = (of: number[], group: number) =>
      values.filter((_, flat) => groupOf(flat, shape, of) === group);
    const features = axes.reduce((product, axis) => product * (shape[axis] ?? 1), 1);
    for (let f = 0; f < features; f += 1) {
      expect(histogramOf(tensors, 'pre.feature', f)).toEqual(countBins(groups(axes, f)));
    }
    for (let s = 0; s < (shape[0] ?? 0); s += 1) {
      expect(histogramOf(tensors, 'pre.sample', s)).toEqual(countBins(groups([0], s)));
    }
  });

  it('has histograms of large samples that look at all of each', () => {
    const [samples, rows] = [2, 700_000];
    const recorder = new DeepRecorder(new Set([ID]));
    const values = Float32Array.from({ length: samples * rows }, (_, at) =>
      at % rows < rows / 2 ? 1 : 100,
    );
    recorder.add(ID, 'pre', values, featureMap([samples, rows, 1], [2]));
    const tensors = recorder.frames(0)[0]?.tensors ?? {};
    for (let sample = 0; sample < samples; sample += 1) {
      const histogram = histogramOf(tensors, 'pre.sample', sample);
      const [low, high] = [histogram.get(binOf(1)) ?? 0, histogram.get(binOf(100)) ?? 0];
      expect(low).toBeGreaterThan(100_000);
      expect(high / low).toBeCloseTo(1, 3);
    }
  });

  it('has rows as they are, and where they were', () => {
    const tensors = deepOf([1, 2, 3, 4, 5, 6], [1, 2, 3], [1]);
    expect([...(tensors['pre.rows'] ?? [])]).toEqual([1, 4, 2, 5, 3, 6]);
    expect([...(tensors['pre.rowIndices'] ?? [])]).toEqual([0, 1, 2]);
  });

  it('takes no more rows than a frame may hold, spread evenly, the same of both taps', () => {
    const recorder = new DeepRecorder(new Set([ID]));
    const map = featureMap([9000, 2], [1]);
    const values = Float32Array.from({ length: 18_000 }, (_, at) => at + 1);
    for (const tap of TAPS) recorder.add(ID, tap, values, map);
    const tensors = recorder.frames(0)[0]?.tensors ?? {};
    const indices = [...(tensors['pre.rowIndices'] ?? [])];
    expect(indices).toHaveLength(4096);
    expect([...(tensors['gradPost.rowIndices'] ?? [])]).toEqual(indices);
    expect(tensors['pre.rows']?.[2 * 4095]).toBe(2 * (indices[4095] ?? 0) + 1);
    expect(indices[4095]).toBeGreaterThan(8_990);
    expect(tensors['post.rows']).toBeUndefined();
  });

  it('is of layers that are due, and their first call', () => {
    const recorder = new DeepRecorder(new Set([ID]));
    const map = featureMap([2, 2], [1]);
    recorder.add(layerId(4), 'pre', Float32Array.from([1, 2, 3, 4]), map);
    expect(recorder.frames(0)).toEqual([]);
    recorder.add(ID, 'pre', Float32Array.from([1, 2, 3, 4]), map);
    recorder.add(ID, 'pre', Float32Array.from([5, 6, 7, 8]), map);
    expect([...(recorder.frames(0)[0]?.tensors['pre.rows'] ?? [])]).toEqual([1, 2, 3, 4]);
  });

  it('is of no layer more than once in half a second, and of few at once', () => {
    const schedule = new DeepSchedule();
    expect(schedule.due(0).size).toBe(0);
    schedule.focus = new Set([1, 2, 3, 4, 5, 6].map(layerId));
    const first = schedule.due(1000);
    expect(first.size).toBe(4);
    for (const layer of first) schedule.sent(layer, 1000);
    expect([...schedule.due(1100)].map(Number)).toEqual([5, 6]);
    for (const layer of schedule.due(1100)) schedule.sent(layer, 1100);
    expect(schedule.due(1499).size).toBe(0);
    expect([...schedule.due(1500)].map(Number)).toEqual([1, 2, 3, 4]);
  });
});

describe('the covariance of features', () => {
  it('is that of plain loops, over rows of finite values', () => {
    const [rows, features] = [23, 5];
    const matrix = Float32Array.from(randomNumbers(rows * features, 9), (value, at) =>
      at === 17 ? NaN : 3000 + value * (1 + (at % features)),
    );
    const finite = Array.from({ length: rows }, (_, row) => [
      ...matrix.subarray(row * features, (row + 1) * features),
    ]).filter((row) => row.every(Number.isFinite));
    expect(finite).toHaveLength(rows - 1);
    const mean = (of: (row: number[]) => number) =>
      finite.reduce((sum, row) => sum + of(row), 0) / finite.length;
    const means = Array.from({ length: features }, (_, f) => mean((row) => row[f] ?? NaN));
    const { mean: actual, covariance, rows: taken } = covarianceOf(matrix, features);
    expect(taken).toBe(rows - 1);
    means.forEach((value, f) => expect(actual[f]).toBeCloseTo(value, 2));
    for (let a = 0; a < features; a += 1) {
      for (let b = 0; b < features; b += 1) {
        const expected = mean(
          (row) => ((row[a] ?? NaN) - (means[a] ?? NaN)) * ((row[b] ?? NaN) - (means[b] ?? NaN)),
        );
        expect(covariance[a * features + b]).toBeCloseTo(expected, 5);
      }
    }
  });
});

describe('a program whose layers are in focus', () => {
  let workshop: Workshop;
  beforeAll(async () => {
    workshop = await Workshop.open();
  });
  afterAll(() => workshop.close());

  it('sends what is in them now and then, beside every step', async () => {
    const focus = { kind: 'focus', layers: [0, 1] };
    const greeting = encodeBlob(focus as { kind: string });
    const collector = await Collector.start({ greeting });
    try {
      const args = ['minimize', '30'];
      const { code } = await workshop.run('training.cjs', { collector, args });
      expect(code).toBe(0);
      const { deeps, steps } = collector.only;
      expect(collector.only.of('bye')[0]?.errors).toBe(0);
      expect(steps).toHaveLength(30);
      expect(new Set(deeps.map(({ frame }) => Number(frame.layer)))).toEqual(new Set([0, 1]));
      for (const { frame, tensors } of deeps) {
        expect(frame).toMatchObject({ features: 16, taps: TAPS });
        expect(tensors['pre.rows']).toHaveLength(40 * 16);
        expect(tensors['post.covariance']).toHaveLength(256);
        expect(tensors['post.covarianceRows']).toEqual(Uint32Array.of(40));
        const name = frame.layer === 0 ? 'batch' : 'layer';
        const mean = steps[frame.step]?.get(name, 'pre', 'featureMean') ?? [];
        mean.forEach((value, f) => expect(tensors['pre.mean']?.[f]).toBeCloseTo(value, 5));
      }
    } finally {
      await collector.close();
    }
  });
});
