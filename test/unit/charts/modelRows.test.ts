import { describe, expect, it } from 'vitest';
import {
  groupLayers,
  groupPath,
  layOutRows,
  modelRows,
  rowAt,
} from '../../../webview/charts/modelRows';
import { fitted, gutterWidth, rowLabels } from '../../../webview/charts/rowGutter';

const measure = (text: string) => 6 * text.length;

describe('the groups of layers', () => {
  it('are blocks of the model, which end in a number, else modules', () => {
    expect(groupPath('encoder.layers.3.attention.norm')).toBe('encoder.layers.3');
    expect(groupPath('layer1.0.downsample.1')).toBe('layer1.0');
    expect(groupPath('features.4')).toBe('features');
    expect(groupPath('bn1')).toBe('');
  });

  it('hold neighbours only, in model order, and no single layer', () => {
    const names = ['bn1', 'a.0.x', 'a.0.y', 'b.0.x', 'a.0.z', 'a.0.w'];
    expect(groupLayers(names).map(({ path, layers }) => [path, layers])).toEqual([
      ['', [0]],
      ['a.0', [1, 2]],
      ['', [3]],
      ['a.0', [4, 5]],
    ]);
    expect(new Set(groupLayers(names).map(({ key }) => key)).size).toBe(4);
  });

  it('become one row when they are closed', () => {
    const names = ['bn1', 'a.0.x', 'a.0.y'];
    const rows = modelRows(names, groupLayers(names), ({ path }) => path === 'a.0');
    expect(rows.map(({ leaf, layers }) => [leaf, layers])).toEqual([
      ['bn1', [0]],
      ['', [1, 2]],
    ]);
  });
});

describe('rows', () => {
  const names = Array.from({ length: 500 }, (_, i) => `layers.${Math.floor(i / 2)}.norm${i % 2}`);
  const rows = modelRows(names, groupLayers(names), () => false);

  it('are found by height, and none is outside', () => {
    const layout = layOutRows(rows.slice(0, 6), 60);
    expect(layout.tops).toEqual([0, 10, 25, 35, 50, 60, 70]);
    expect([-1, 0, 9, 10, 22, 25, 69, 70].map((y) => rowAt(layout, y))).toEqual([
      -1, 0, 0, 1, 1, 2, 5, -1,
    ]);
  });

  it('get lower the more there are, down to two pixels', () => {
    expect(layOutRows(rows.slice(0, 4), 600).rowHeight).toBe(30);
    expect(layOutRows(rows, 600)).toMatchObject({ rowHeight: 2, height: 1_000 });
  });

  it('have names that do not run into one another', () => {
    const layout = layOutRows(rows, 600);
    const labels = rowLabels(rows, layout);
    expect(labels[0]).toMatchObject({ row: 0, group: 'layers.0', leaf: '' });
    const tops = labels.map(({ row }) => layout.tops[row] ?? 0);
    const gaps = tops.slice(2).map((top, i) => top - (tops[i + 1] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(13);
    expect(labels.length).toBeGreaterThan(50);
  });

  it('have a name each where there is room, and the group at its first', () => {
    const layout = layOutRows(rows.slice(0, 4), 600);
    expect(rowLabels(rows.slice(0, 4), layout)).toEqual([
      { row: 0, group: 'layers.0', leaf: 'norm0' },
      { row: 1, group: '', leaf: 'norm1' },
      { row: 2, group: 'layers.1', leaf: 'norm0' },
      { row: 3, group: '', leaf: 'norm1' },
    ]);
  });

  it('keep the end of a name that is too long', () => {
    expect(fitted('encoder.layers.11', 200, measure)).toBe('encoder.layers.11');
    expect(fitted('encoder.layers.11', 60, measure)).toBe('…layers.11');
    expect(fitted('encoder', 3, measure)).toBe('');
  });

  it('take no more width than they need or may', () => {
    const labels = [{ row: 0, group: 'layers.10', leaf: 'norm1' }];
    // Nine and five letters, the gap between them, the mark, and the gap to the plot.
    expect(gutterWidth(labels, measure, 400)).toBe(54 + 8 + 30 + 14 + 8);
    expect(gutterWidth(labels, measure, 100)).toBe(100);
  });
});
