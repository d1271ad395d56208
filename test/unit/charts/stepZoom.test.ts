import { describe, expect, it } from 'vitest';
import { between, panned, zoomed } from '../../../webview/charts/stepZoom';

const WHOLE = [0, 1_000] as const;

describe('zooming over steps', () => {
  it('keeps the step under the pointer where it is', () => {
    expect(zoomed([0, 1_000], 0.5, 250, WHOLE)).toEqual([125, 625]);
    expect(zoomed([200, 600], 0.5, 600, WHOLE)).toEqual([400, 600]);
  });

  it('ends at the run, and shows all of it when nearly all would be shown', () => {
    expect(zoomed([800, 1_000], 2, 1_000, WHOLE)).toEqual([600, 1_000]);
    expect(zoomed([0, 600], 2, 300, WHOLE)).toEqual([0, 900]);
    expect(zoomed([2, 999], 1.001, 500, WHOLE)).toBeNull();
    expect(zoomed([100, 900], 4, 500, WHOLE)).toBeNull();
  });

  it('shows two steps at least', () => {
    const range = zoomed([500, 502], 0.01, 501, WHOLE);
    expect(range?.[1]).toBe((range?.[0] ?? NaN) + 2);
  });

  it('moves as far as the run reaches and keeps its length', () => {
    expect(panned([100, 300], 50, WHOLE)).toEqual([150, 350]);
    expect(panned([100, 300], -500, WHOLE)).toEqual([0, 200]);
    expect(panned([100, 300], 5_000, WHOLE)).toEqual([800, 1_000]);
  });

  it('takes two steps in either order', () => {
    expect(between(700.4, 299.6, WHOLE)).toEqual([300, 700]);
    expect(between(-50, 2_000, WHOLE)).toBeNull();
  });
});
