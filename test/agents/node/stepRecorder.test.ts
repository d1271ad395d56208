import { describe, expect, it } from 'vitest';
import { featureMap } from '../../../extension/agents/node/featureMap';
import { LayerRegistry } from '../../../extension/agents/node/layerRegistry';
import { StepRecorder } from '../../../extension/agents/node/stepRecorder';
import { randomNumbers } from './harness/reference';

describe('the histograms of a step', () => {
  it('are never empty for a tensor of few, long rows', () => {
    const shape = [8, 100_000];
    const layer = { name: 'norm', _refCount: 1 };
    const kind = { className: 'LayerNormalization', family: 'layer', featureAxis: null } as const;
    const record = new LayerRegistry().add({ layer, kind, constructedAt: null });
    if (!record) throw new Error('There is no place for one layer.');
    const values = Float32Array.from(randomNumbers(800_000, 5), (value) => value || 1);
    const map = featureMap(shape, [1]);
    const totals = Array.from({ length: 13 }, (_, step) => {
      const recorder = new StepRecorder(step, new Set());
      recorder.add(record, 'pre', values, { map, padding: undefined });
      const histogram = recorder.lookup()(record.id, 'pre')?.histogram ?? new Uint32Array(0);
      return [histogram.reduce((sum, count) => sum + count, 0), recorder.histogramStride];
    });
    expect(totals).toEqual(totals.map(() => [100_000, 8]));
    expect(record.info.status).toEqual([
      { code: 'sampled', reason: "One row in 8 of this layer's tensors is in its histograms." },
    ]);
  });
});
