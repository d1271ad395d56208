import { describe, expect, it } from 'vitest';
import { FigureSeries } from '../../../extension/core/runStore/figureSeries';
import { SeriesTable } from '../../../extension/core/runStore/seriesTable';

describe('SeriesTable', () => {
  it('keeps figures with their steps, first and newest included, when rows are left out', () => {
    const table = new SeriesTable(1e9, 100);
    const figures = new FigureSeries<'square'>(table);
    for (let step = 0; step < 5000; step++) {
      table.append(step);
      figures.set('square', step * step);
      expect(table.length).toBeLessThanOrEqual(100);
      expect(figures.newest('square')).toBe(Math.fround(step * step));
    }
    const steps = [...table.steps()];
    expect(steps[0]).toBe(0);
    expect(steps.at(-1)).toBe(4999);
    expect(steps).toEqual([...steps].sort((a, b) => a - b));
    const squares = figures.at('square', [...steps.keys()]);
    expect([...squares]).toEqual(steps.map((step) => Math.fround(step * step)));
  });

  it('keeps the newest steps without gaps, and older ones evenly back to the first', () => {
    const table = new SeriesTable(1e9, 100);
    for (let step = 0; step < 5003; step++) table.append(step);
    const steps = [...table.steps()];
    const gaps = steps.slice(1).map((step, at) => step - (steps[at] ?? 0));
    expect(gaps.slice(-40)).toEqual(Array.from({ length: 40 }, () => 1));
    // Half of the rows over all steps would be 100 apart; powers of two may double that once.
    expect(Math.max(...gaps)).toBeLessThanOrEqual(256);
    const older = gaps.slice(0, gaps.indexOf(1) - 1);
    expect(older.length).toBeGreaterThan(15);
    expect(new Set(older).size).toBe(1);
  });

  it('has NaN where a figure was not set, and before its column existed', () => {
    const table = new SeriesTable(1e9);
    const figures = new FigureSeries<'late'>(table);
    for (let step = 0; step < 300; step++) {
      table.append(step);
      if (step >= 200 && step % 2 === 0) figures.set('late', step);
    }
    const values = figures.at('late', [0, 198, 200, 201, 298, 299]);
    expect([...values]).toEqual([NaN, NaN, 200, NaN, 298, NaN]);
    expect(figures.newest('late')).toBeNaN();
  });

  it('stays within its bytes, also when many columns come late', () => {
    const table = new SeriesTable(100_000);
    const early = new FigureSeries<'a'>(table);
    for (let step = 0; step < 4000; step++) {
      table.append(step);
      early.set('a', step);
    }
    const late = Array.from({ length: 300 }, () => new FigureSeries<'a'>(table));
    for (let step = 4000; step < 4500; step++) {
      table.append(step);
      early.set('a', step);
      for (const series of late) series.set('a', step);
      expect(table.byteLength).toBeLessThanOrEqual(100_000);
    }
    const steps = [...table.steps()];
    expect(steps.at(-1)).toBe(4499);
    expect([...early.at('a', [...steps.keys()])]).toEqual(steps);
    expect(late[7]?.newest('a')).toBe(4499);
  });
});
