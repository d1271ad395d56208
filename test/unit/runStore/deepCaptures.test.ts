import { describe, expect, it } from 'vitest';
import type { ReceivedDeep } from '../../../extension/core/frames/receivedFrame';
import { DeepCaptures } from '../../../extension/core/runStore/deepCaptures';
import { Run } from '../../../extension/core/runStore/run';
import { layerId, runId } from '../../../extension/protocol/ids';

const capture = (layer: number, step: number, bytes = 100): ReceivedDeep => ({
  kind: 'deep',
  layer: layerId(layer),
  step,
  features: 2,
  taps: [],
  tensors: {},
  bytes,
});

/** A capture whose only histogram counts as many values as its step. */
function withHistograms(layer: number, step: number, bytes = 100): ReceivedDeep {
  const featureHistograms = {
    splits: Uint32Array.of(0, 1),
    bins: Uint16Array.of(5),
    counts: Uint32Array.of(step),
  };
  const parts = { sampleHistograms: undefined, covariance: undefined, rows: undefined };
  const tensors = { pre: { featureHistograms, ...parts } };
  return { ...capture(layer, step, bytes), taps: ['pre'], tensors };
}

describe('DeepCaptures', () => {
  it('keeps the newest of each layer', () => {
    const captures = new DeepCaptures(1000);
    for (let step = 0; step < 5; step++) {
      captures.push(capture(0, step));
      captures.push(capture(1, step));
    }
    expect(captures.get(layerId(0))?.step).toBe(4);
    expect(captures.get(layerId(1))?.step).toBe(4);
    expect(captures.byteLength).toBe(200);
  });

  it('keeps the histograms of those before it, thinned evenly back to the first', () => {
    const captures = new DeepCaptures(1_000_000);
    for (let step = 0; step < 1000; step++) captures.push(withHistograms(0, step));
    const steps = captures.histograms(layerId(0)).map(({ step }) => step);
    expect(steps[0]).toBe(0);
    expect(steps.at(-1)).toBe(999);
    expect(steps.length).toBeGreaterThan(60);
    expect(steps.length).toBeLessThanOrEqual(130);
    const gaps = new Set(steps.slice(1, -1).map((step, i) => step - (steps[i] ?? 0)));
    expect(gaps.size).toBe(1);
    // Each as it came, in memory of its own.
    for (const { step, taps } of captures.histograms(layerId(0))) {
      expect([...(taps.pre?.feature?.counts ?? [])]).toEqual([step]);
    }
    expect(captures.byteLength).toBeLessThan(1_000_000);
  });

  it('thins former captures before the newest goes, within its budget', () => {
    const captures = new DeepCaptures(6_000);
    for (let step = 0; step < 50; step++) captures.push(withHistograms(0, step));
    expect(captures.get(layerId(0))?.step).toBe(49);
    expect(captures.byteLength).toBeLessThanOrEqual(6_000);
    expect(captures.histograms(layerId(0)).length).toBeGreaterThan(1);
    captures.push(withHistograms(1, 50, 5_500));
    expect(captures.get(layerId(1))?.step).toBe(50);
    expect(captures.histograms(layerId(0)).length).toBeLessThanOrEqual(1);
  });

  it('lets the layers go that were looked at the longest ago, within its budget', () => {
    const captures = new DeepCaptures(250);
    for (const [at, layer] of [0, 1, 0, 2].entries()) captures.push(capture(layer, at));
    expect([0, 1, 2].map((layer) => captures.get(layerId(layer))?.step)).toEqual([2, undefined, 3]);
    captures.push(capture(3, 9, 251));
    expect(captures.byteLength).toBe(0);
    captures.push(capture(3, 10, 240));
    captures.setBudget(100);
    expect(captures.get(layerId(3))).toBeUndefined();
  });

  it('is counted in the memory of its run', () => {
    const origin = { id: runId('a'), program: 'a.py', sessionType: '', startedAt: 0 };
    const run = new Run(origin, 10_000);
    const before = run.byteLength;
    run.accept(capture(0, 1, 3_000));
    expect(run.byteLength).toBe(before + 3_000);
    run.accept(capture(1, 1, 3_000));
    expect(run.byteLength).toBe(before + 3_000);
    run.setBudget(1_000);
    expect(run.deep.byteLength).toBe(0);
  });
});
