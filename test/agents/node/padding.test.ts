import { describe, expect, it } from 'vitest';
import { featureMap } from '../../../extension/agents/node/featureMap';
import { merge } from '../../../extension/agents/node/merge';
import {
  asRows,
  paddingByConstantRows,
  paddingByMask,
  withoutPadding,
} from '../../../extension/agents/node/padding';
import { summarize } from '../../../extension/agents/node/statistics';
import { groupMoments, indexOf, randomNumbers } from './harness/reference';

describe('padding by a mask', () => {
  it('is where the mask is 0', () => {
    expect(paddingByMask([1, 0, 1, 0])).toMatchObject({
      kept: Uint8Array.from([1, 0, 1, 0]),
      paddingRows: 2,
      source: 'mask',
    });
  });

  it('is not told where no row or every row would be padding', () => {
    expect(paddingByMask([1, 1])).toBeUndefined();
    expect(paddingByMask([0, 0])).toBeUndefined();
  });
});

describe('padding by constant rows', () => {
  const found = (values: number[], shape: number[]) => {
    const map = featureMap(shape, [shape.length - 1]);
    const { rows } = summarize(Float32Array.from(values), map, 9, true);
    return rows && paddingByConstantRows(rows, map.features)?.kept;
  };

  it('is a row with the same value in all features, whatever its value', () => {
    const tenth = Math.fround(0.1);
    expect(found([1, 2, 3, 0, 0, 0, tenth, tenth, tenth], [3, 3])).toEqual(
      Uint8Array.from([1, 0, 0]),
    );
  });

  it('is not a row that is nearly constant, or has one value, or one that is not finite', () => {
    expect(found([1, 2, 3000, Math.fround(3000.0002), 3, 4], [3, 2])).toBeUndefined();
    expect(found([1, 2, 3], [3, 1])).toBeUndefined();
    expect(found([1, 2, NaN, 5, 3, 4], [3, 2])).toBeUndefined();
  });
});

describe('statistics without padding', () => {
  it.each([
    [[3, 4, 5], [2]],
    [[3, 5, 4], [1]],
    [
      [3, 2, 4, 3],
      [1, 3],
    ],
  ])('are those of the other rows alone: shape %j, features %j', (shape, axes) => {
    const size = shape.reduce((product, length) => product * length, 1);
    const values = randomNumbers(size, 4);
    const map = featureMap(shape, axes);
    const kept = Uint8Array.from({ length: 12 }, (_, row) => (row % 5 === 2 ? 0 : 1));
    const padding = { kept, paddingRows: 2, source: 'mask' } as const;
    const actual = withoutPadding(Float32Array.from(values), map, padding);
    const others = shape.map((_, axis) => axis).filter((axis) => !axes.includes(axis));
    const rowOf = (flat: number) => {
      const index = indexOf(flat, shape);
      return others.reduce((row, axis) => row * (shape[axis] ?? 1) + (index[axis] ?? 0), 0);
    };
    const masked = values.map((value, flat) => (kept[rowOf(flat)] === 1 ? value : NaN));
    const { mean, variance } = groupMoments(masked, shape, axes);
    mean.forEach((value, f) => {
      expect(actual.mean[f]).toBeCloseTo(value, 12);
      expect((actual.squares[f] ?? NaN) / (actual.count[f] ?? NaN)).toBeCloseTo(
        variance[f] ?? NaN,
        12,
      );
    });
    expect(actual.whole.n).toBe(masked.filter(Number.isFinite).length);
  });

  it('of a call with none are all it has', () => {
    const map = featureMap([2, 2], [1]);
    const [a, b, c] = [
      [1, 2],
      [3, 5, 0, 0],
      [7, 9],
    ].map((values) => summarize(Float32Array.from(values), map, 9).tap);
    if (!a || !b || !c) throw new Error('no tap');
    const padding = { kept: Uint8Array.from([1, 0]), paddingRows: 1, source: 'mask' } as const;
    b.unpadded = withoutPadding(Float32Array.from([3, 5, 0, 0]), map, padding);
    b.paddingRows = 1;
    merge(a, b, 9);
    merge(a, c, 9);
    expect(a.paddingRows).toBe(1);
    expect(a.unpadded?.whole).toMatchObject({ n: 6, mean: 27 / 6, min: 1, max: 9 });
    expect(a.unpadded?.mean[0]).toBeCloseTo(11 / 3, 12);
    expect(a.unpadded?.mean[1]).toBeCloseTo(16 / 3, 12);
    expect(a.whole.n).toBe(8);
  });
});

describe('a tensor as rows of features', () => {
  it('has the features of a row side by side', () => {
    const map = featureMap([1, 2, 3], [1]);
    expect([...asRows(Float32Array.from([1, 2, 3, 4, 5, 6]), map)]).toEqual([1, 4, 2, 5, 3, 6]);
    const kept = Uint8Array.from([1, 0, 1]);
    expect([...asRows(Float32Array.from([1, 2, 3, 4, 5, 6]), map, kept)]).toEqual([1, 4, 3, 6]);
  });
});
