import { describe, expect, it } from 'vitest';
import { depthRange, rowValue } from '../../../webview/charts/depthProfile';
import { groupLayers, modelRows } from '../../../webview/charts/modelRows';

const line = (...values: number[]) => ({
  tone: 'before' as const,
  values: Float32Array.from(values),
});

describe('the value axis of a depth profile', () => {
  it('holds the whole run and what is drawn, from zero on', () => {
    const [low, high] = depthRange({ lines: [line(1, 3)], extent: [0.5, 2], log: false });
    expect(low).toBe(0);
    expect(high).toBeCloseTo(3.12);
  });

  it('ends at powers of ten where it is logarithmic, without what is not above zero', () => {
    const range = { lines: [line(0, 0.02, NaN)], extent: [0.003, 5] as const, log: true };
    expect(depthRange(range)).toEqual([0.001, 10]);
    expect(depthRange({ ...range, reference: 200 })[1]).toBe(1_000);
  });

  it('is there where no value is', () => {
    expect(depthRange({ lines: [line(NaN)], extent: undefined, log: false })).toEqual([0, 1]);
    expect(depthRange({ lines: [line(NaN)], extent: undefined, log: true })).toEqual([0.1, 1]);
  });
});

describe('a closed group in a depth profile', () => {
  it('stands where its largest layer does', () => {
    const names = ['a.0.x', 'a.0.y', 'a.0.z'];
    const [row] = modelRows(names, groupLayers(names), () => true);
    expect(row && rowValue(Float32Array.of(2, 7, NaN), row)).toBe(7);
    expect(row && rowValue(Float32Array.of(NaN, NaN, NaN), row)).toBeNaN();
  });
});
