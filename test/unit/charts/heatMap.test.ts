import { describe, expect, it } from 'vitest';
import { columnAt, columnEdges, columnsOfPixels } from '../../../webview/charts/heatMapGeometry';
import { cellColours, lineColours } from '../../../webview/charts/heatMapImage';
import {
  BEYOND,
  colourIndex,
  placing,
  heatScale,
  NEUTRAL,
  NOT_MEASURED,
  placeOf,
  RAMP_END,
  RAMP_START,
} from '../../../webview/charts/heatMapScale';
import { groupLayers, layOutRows, modelRows } from '../../../webview/charts/modelRows';

const floats = (...values: number[]) => Float32Array.from(values);
const steps = (...values: number[]) => Float64Array.from(values);

describe('the columns of a heat map', () => {
  it('meet halfway between steps, and the outer ones reach as far as the inner ones', () => {
    const each = steps(0, 1, 2, 10);
    expect([...columnEdges(each, each)]).toEqual([-0.5, 0.5, 1.5, 6, 14]);
  });

  it('of several steps reach half a step beyond them', () => {
    expect([...columnEdges(steps(0, 4, 8), steps(3, 7, 11))]).toEqual([-0.5, 3.5, 7.5, 11.5]);
  });

  it('is half a step to each side where there is only one', () => {
    expect([...columnEdges(steps(7), steps(7))]).toEqual([6.5, 7.5]);
    expect(columnEdges(steps(), steps())).toHaveLength(0);
  });

  it('are found by a step within them', () => {
    const edges = columnEdges(steps(0, 4, 8), steps(3, 7, 11));
    expect([-1, 0, 3, 4, 11, 12].map((step) => columnAt(edges, step))).toEqual([
      -1, 0, 0, 1, 2, -1,
    ]);
  });

  it('all fall on a pixel, however many there are', () => {
    const edges = Float64Array.from({ length: 101 }, (_, i) => i);
    const pairs = columnsOfPixels(edges, 7);
    const seen = new Set<number>();
    for (let pixel = 0; pixel < 7; pixel++) {
      for (let at = pairs[2 * pixel] ?? 0; at <= (pairs[2 * pixel + 1] ?? -1); at++) seen.add(at);
    }
    expect(seen.size).toBe(100);
    // And fewer columns than pixels cover them all, each in its share.
    expect([...columnsOfPixels(Float64Array.of(0, 1, 4), 4)]).toEqual([0, 0, 1, 1, 1, 1, 1, 1]);
  });
});

describe('the colours of a heat map', () => {
  it('are not flattened by a single spike, which is marked as beyond them', () => {
    const values = Float32Array.from({ length: 1_000 }, (_, i) => i / 1_000);
    values[500] = 1_000;
    const scale = heatScale(values, false, true);
    expect(scale?.high).toBeCloseTo(0.995, 2);
    expect(scale?.largest).toBe(1_000);
    const cells = cellColours(values, floats(NaN), 1_000, scale ?? expect.fail());
    expect(cells[500]).toBe(BEYOND);
    expect(cells[990]).toBeGreaterThan(RAMP_END - 6);
    expect(cells[0]).toBe(RAMP_START);
  });

  it('reach to the largest value where none lies far out', () => {
    expect(heatScale(floats(1, 2, 3, 4), false, true)).toMatchObject({ low: 0, high: 4 });
    expect(heatScale(floats(1, 2, 3, 4), false, false)?.low).toBeGreaterThan(0.99);
  });

  it('tell what is not measured, what sampling makes, and what is zero apart', () => {
    const scale = { log: false, low: 0, high: 1, largest: 1 };
    expect(colourIndex(NaN, 0.2, placing(scale))).toBe(NOT_MEASURED);
    expect(colourIndex(0.2, 0.2, placing(scale))).toBe(NEUTRAL);
    expect(colourIndex(0, NaN, placing(scale))).toBe(RAMP_START);
    expect(colourIndex(1, NaN, placing(scale))).toBe(RAMP_END);
    expect(colourIndex(1.1, NaN, placing(scale))).toBe(BEYOND);
    expect(colourIndex(Infinity, NaN, placing(scale))).toBe(BEYOND);
  });

  it('begin at what sampling alone makes', () => {
    expect(heatScale(floats(0.1, 0.5, 2), false, true, floats(0.25, NaN, 0.25))).toMatchObject({
      low: 0.25,
      high: 2,
    });
    // What is little above its floor stays pale, and where nothing is there is a scale all the same.
    expect(heatScale(floats(0.1, 0.2), false, true, floats(0.25, 0.25))).toMatchObject({
      low: 0.25,
      high: 1,
    });
  });

  it('have a decade in equal parts of a logarithmic scale, and no place for zero', () => {
    const scale = { log: true, low: 0.01, high: 100, largest: 100 };
    expect([0.01, 0.1, 1, 100].map((value) => placeOf(value, scale))).toEqual([
      expect.closeTo(0),
      expect.closeTo(0.25),
      expect.closeTo(0.5),
      expect.closeTo(1),
    ]);
    expect(colourIndex(0, NaN, placing(scale))).toBe(RAMP_START);
    expect(heatScale(floats(0, 0, 0), true, false)).toMatchObject({ log: false });
    expect(heatScale(floats(NaN), true, false)).toBeUndefined();
  });
});

describe('the image of a heat map', () => {
  const names = ['in', 'blocks.0.a', 'blocks.0.b', 'blocks.1.a', 'blocks.1.b'];
  const groups = groupLayers(names);
  const edges = columnEdges(steps(0, 1, 2), steps(0, 1, 2));
  /** Layer i has 10 · (i + 1) everywhere; the last layer a spike at the second step. */
  const cells = Uint8Array.from({ length: 15 }, (_, at) =>
    at === 13 ? 200 : 10 * (Math.floor(at / 3) + 1),
  );

  it('has a line a row, and in it a part a column', () => {
    const rows = modelRows(names, groups, () => false);
    const layout = layOutRows(rows, 10);
    expect(layout.rowHeight).toBe(2);
    const lines = lineColours(cells, rows, layout, edges, { width: 3, height: 5 });
    expect([...lines]).toEqual([10, 10, 10, 20, 20, 20, 30, 30, 30, 40, 40, 40, 50, 200, 50]);
  });

  it('shows of a closed group the layer furthest out', () => {
    const rows = modelRows(names, groups, ({ path }) => path === 'blocks.1');
    expect(rows.map(({ layers }) => layers)).toEqual([[0], [1], [2], [3, 4]]);
    const layout = layOutRows(rows, 8);
    const lines = lineColours(cells, rows, layout, edges, { width: 3, height: 4 });
    expect([...lines.subarray(9)]).toEqual([50, 200, 50]);
  });

  it('loses no spike where several columns and rows share a pixel', () => {
    const rows = modelRows(names, groups, () => false);
    const layout = { tops: [0, 0.4, 0.8, 1.2, 1.6, 2], rowHeight: 0.4, height: 2 };
    const lines = lineColours(cells, rows, layout, edges, { width: 1, height: 2 });
    expect([...lines]).toEqual([30, 200]);
  });

  it('leaves the lines between tall rows empty', () => {
    const rows = modelRows(names, groups, () => false);
    const layout = layOutRows(rows, 50);
    expect(layout.rowHeight).toBe(10);
    // A gap of five before each group, and a line below each row.
    expect(layout.tops).toEqual([0, 15, 25, 40, 50, 60]);
    const lines = lineColours(cells, rows, layout, edges, { width: 1, height: 60 });
    expect([lines[8], lines[9], lines[12], lines[15], lines[23], lines[24]]).toEqual([
      10, 0, 0, 20, 20, 0,
    ]);
  });
});
