import { describe, expect, it } from 'vitest';
import { SlotIndex } from '../../../extension/core/frames/slotIndex';
import { DetailHistory } from '../../../extension/core/runStore/detailHistory';
import { StepRecord } from '../../../extension/core/runStore/stepRecord';
import { layerId } from '../../../extension/protocol/ids';
import { stepBody } from '../../fixtures/syntheticRun';

const index = new SlotIndex({ slots: [], parameters: [], histograms: [], blockLength: 250 });
const OBJECT_BYTES = 1024;
const RECORD_BYTES = 1000 + OBJECT_BYTES;

const record = (step: number, floats = 250, layout = index): StepRecord =>
  new StepRecord({
    ...stepBody(step),
    index: layout,
    tensors: {
      block: new Float32Array(floats),
      splits: new Uint32Array(0),
      bins: new Uint16Array(0),
      counts: new Uint32Array(0),
    },
  });

describe('DetailHistory', () => {
  it('holds the whole run evenly and the newest steps without gaps, within its budget', () => {
    const history = new DetailHistory(100 * RECORD_BYTES + index.bytes);
    const last = 20_000;
    for (let step = 0; step <= last; step++) {
      history.push(record(step));
      expect(history.byteLength).toBeLessThanOrEqual(100 * RECORD_BYTES + index.bytes);
    }
    const steps = history.records().map(({ step }) => step);
    expect(steps[0]).toBe(0);
    expect(steps.slice(-40)).toEqual(Array.from({ length: 40 }, (_, i) => last - 39 + i));
    const old = steps.filter((step) => step < last - 100);
    const gaps = new Set(old.slice(1).map((step, at) => step - (old[at] ?? 0)));
    expect(gaps.size).toBe(1);
    expect(old.length).toBeGreaterThan(8);
    expect(last - (old.at(-1) ?? 0)).toBeLessThan(last / 8);
  });

  it('keeps the newest step even when it alone is over the budget', () => {
    const history = new DetailHistory(500);
    for (let step = 0; step < 5; step++) history.push(record(step));
    expect(history.records().map(({ step }) => step)).toEqual([4]);
  });

  it('counts the memory that views keep alive, not only their own length', () => {
    const buffer = new ArrayBuffer(40_000);
    const tensors = {
      block: new Float32Array(buffer, 0, 250),
      splits: new Uint32Array(buffer, 2000, 1),
      bins: new Uint16Array(0),
      counts: new Uint32Array(0),
    };
    expect(new StepRecord({ ...stepBody(0), index, tensors }).bytes).toBe(40_000 + OBJECT_BYTES);
  });

  it('counts steps without a value, and holds no more steps than it may', () => {
    const small = new DetailHistory(50 * OBJECT_BYTES + index.bytes);
    for (let step = 0; step < 5_000; step++) small.push(record(step, 0));
    expect(small.size).toBeLessThanOrEqual(50);
    const few = new DetailHistory(1e9, 100);
    for (let step = 0; step < 5_000; step++) {
      few.push(record(step, 0));
      expect(few.size).toBeLessThanOrEqual(100);
    }
    expect(few.records().at(-1)?.step).toBe(4_999);
    expect(few.records()[0]?.step).toBe(0);
  });

  it('counts each layout once, as long as a kept step needs it', () => {
    const layouts = Array.from(
      { length: 300 },
      (_, at) =>
        new SlotIndex({
          slots: [{ layer: layerId(at), tap: 'pre', statistic: 'counts', offset: 0, length: 8 }],
          parameters: [],
          histograms: [],
          blockLength: 250,
        }),
    );
    const sizeOf = (history: DetailHistory) => {
      const used = new Set(history.records().map((kept) => kept.index));
      const layoutBytes = [...used].reduce((sum, layout) => sum + layout.bytes, 0);
      return history.size * RECORD_BYTES + layoutBytes;
    };
    const history = new DetailHistory(40 * RECORD_BYTES);
    // A layout comes with an odd step, which thinning drops first, and is used by the next one.
    for (let step = 0; step < 600; step++) {
      history.push(record(step, 250, layouts[Math.floor((step + 1) / 2) % layouts.length]));
      expect(history.byteLength).toBe(sizeOf(history));
      expect(history.byteLength).toBeLessThanOrEqual(40 * RECORD_BYTES);
    }
    const shared = new DetailHistory(1e9);
    for (let step = 0; step < 10; step++) shared.push(record(step, 250, layouts[step % 2]));
    const twoLayouts = layouts.slice(0, 2).reduce((sum, layout) => sum + layout.bytes, 0);
    expect(shared.byteLength).toBe(10 * RECORD_BYTES + twoLayouts);
  });

  it('shrinks to a new budget and finds the nearest kept step', () => {
    const history = new DetailHistory(1e6);
    for (let step = 0; step < 200; step++) history.push(record(step * 10));
    history.setBudget(20 * RECORD_BYTES);
    expect(history.size).toBeLessThanOrEqual(20);
    expect(history.nearest(1986)?.step).toBe(1990);
    expect(history.nearest(-5)?.step).toBe(0);
    expect(history.nearest(1e9)?.step).toBe(1990);
    expect(new DetailHistory(1).nearest(3)).toBeUndefined();
  });
});
