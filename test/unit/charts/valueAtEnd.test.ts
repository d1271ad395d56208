import { describe, expect, it } from 'vitest';
import { valueAtEnd } from '../../../webview/charts/seriesGeometry';

describe('where a line leaves its plot', () => {
  it('is its last value, where all steps are shown', () => {
    expect(valueAtEnd([0, 1, 2], [5, 6, 7], 2)).toBe(7);
    expect(valueAtEnd([0, 1, 2], [5, 6, NaN], 2)).toBe(6);
    expect(valueAtEnd([0, 1, 2], [5, null, undefined], 2)).toBe(5);
  });

  it('lies on the way to the next step that is not shown', () => {
    expect(valueAtEnd([0, 100, 180], [1, 2, 10], 120)).toBe(4);
    expect(valueAtEnd([0, 100, 140, 180], [1, 2, NaN, 10], 120)).toBe(4);
    expect(valueAtEnd([100, 180], [NaN, 10], 120)).toBe(10);
  });

  it('is nowhere without values', () => {
    expect(valueAtEnd([], [], 1)).toBeNaN();
    expect(valueAtEnd([1], [NaN], 1)).toBeNaN();
  });
});
