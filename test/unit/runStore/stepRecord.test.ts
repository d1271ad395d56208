import { describe, expect, it } from 'vitest';
import { SlotIndex } from '../../../extension/core/frames/slotIndex';
import { StepRecord } from '../../../extension/core/runStore/stepRecord';
import type { StepTensors } from '../../../extension/core/frames/receivedFrame';
import { binEdges } from '../../../extension/protocol/bitBins';
import {
  packStep,
  stepBody,
  syntheticLayer,
  syntheticLayout,
  syntheticRun,
} from '../../fixtures/syntheticRun';

const layers = [syntheticLayer(0, 3, 4), syntheticLayer(1, 3, 4)] as const;
const layout = syntheticLayout(layers, 4);
const index = new SlotIndex(layout);
const values = [
  [1, 2, 3],
  [2, 2, 2],
  [-9, 4, 8],
  [0, 0, 1.5],
];
const record = new StepRecord({
  ...stepBody(3),
  index,
  tensors: packStep(
    layout,
    [{ pre: values }, { pre: values }],
    [{ gamma: [1, 2, 3] }],
  ) as unknown as StepTensors,
});

describe('a step record', () => {
  it('has the figures of the whole tensor and its furthest rows', () => {
    const reading = record.tap(layers[1].id, 'pre');
    const all = values.flat();
    const mean = all.reduce((sum, value) => sum + value, 0) / all.length;
    expect(reading?.whole('mean')).toBeCloseTo(mean, 6);
    expect(reading?.whole('max')).toBe(8);
    expect(reading?.whole('headroom')).toBe(Math.fround(9 / 3.4028234663852886e38));
    expect(reading?.whole('mean', 'unpaddedWhole')).toBeNaN();
    const rows = reading?.extremeRows() ?? [];
    expect(rows.map(({ index: row }) => row)).toEqual([2, 3, 0, 1]);
    expect(rows[0]?.mean).toBe(1);
    expect(rows[0]?.variance).toBeCloseTo(158 / 3, 5);
  });

  it('has histograms of the means and variances of rows where a layer has rows', () => {
    const [batch, layer] = layers.map(({ id }) => record.tap(id, 'pre'));
    expect(batch?.histogram('rowMean')).toBeUndefined();
    const means = layer?.histogram('rowMean');
    const intervals = Array.from(means?.bins ?? []).map((bin) => binEdges(bin));
    for (const mean of [2, 1, 0.5]) {
      expect(intervals.some(([lower, upper]) => lower <= mean && mean < upper)).toBe(true);
    }
    expect(Array.from(means?.counts ?? []).reduce((sum, count) => sum + count, 0)).toBe(4);
    // A row of one value has no variance, and zero has no bin.
    const variances = layer?.histogram('rowVariance');
    expect(Array.from(variances?.counts ?? []).reduce((sum, count) => sum + count, 0)).toBe(3);
  });

  it('has the vectors of a layer: NaN where they were not read, empty where there are none', () => {
    expect([...record.parameter(layers[0].id, 'gamma')]).toEqual([1, 2, 3]);
    expect([...record.parameter(layers[1].id, 'gamma')]).toEqual([NaN, NaN, NaN]);
    expect(record.parameter(layers[1].id, 'runningMean')).toHaveLength(0);
  });

  it('takes the whole tensor from its features where nothing better was sent', () => {
    const slots = layout.slots.filter(({ statistic }) => statistic !== 'whole');
    const { tensors } = record;
    const plain = new StepRecord({
      ...stepBody(3),
      index: new SlotIndex({ ...layout, slots }),
      tensors,
    });
    const id = layers[0].id;
    expect(plain.tap(id, 'pre')?.whole('mean')).toBeNaN();
    const [whole, pooled] = [record, plain].map((from) => from.tap(id, 'pre')?.pooled);
    expect(pooled?.mean).toBeCloseTo(whole?.mean ?? NaN, 6);
    expect(pooled?.variance).toBeCloseTo(whole?.variance ?? NaN, 5);
  });

  it('of a synthetic run holds what the run learned', () => {
    const run = syntheticRun({ layers: 1, steps: 3, features: 2, samples: 4 });
    const [first, second] = run.steps.map(({ vectors }) => vectors[0]);
    const moved = (first?.gamma ?? []).map((value, j) => value + (first?.gammaUpdate?.[j] ?? 0));
    expect(second?.gamma).toEqual(moved);
  });
});
