import { describe, expect, it } from 'vitest';
import type { Family } from '../../../extension/protocol/layers';
import {
  formatConstant,
  formatCount,
  formatNumber,
  formatPercent,
  formatTick,
} from '../../../webview/format';
import { nearestIndex } from '../../../webview/charts/nearest';
import { profileRange } from '../../../webview/charts/ranges';
import { axisLetters, boxOf } from '../../../webview/views/layer/tensorGeometry';
import { layerInfo } from './harness/knownRun';

describe('numbers', () => {
  it.each([
    [0, '0'],
    [-0, '0'],
    [1, '1.00'],
    [-1.2345, '−1.23'],
    [0.0012345, '0.00123'],
    [0.00012345, '1.23e−4'],
    [999.4, '999'],
    [999.6, '1,000'],
    [12345.6, '12,346'],
    [-1.5e7, '−1.50e7'],
    [1.5e-45, '1.50e−45'],
    [Infinity, '∞'],
    [-Infinity, '−∞'],
    [NaN, '–'],
    [null, '–'],
    [undefined, '–'],
  ])('%s is written %s', (value, written) => {
    expect(formatNumber(value)).toBe(written);
  });

  it.each([
    [formatCount(1234567), '1,234,567'],
    [formatCount(-1234), '−1,234'],
    [formatCount(null), '–'],
    [formatTick(-0.5), '−0.5'],
    [formatTick(1e-4), '1e−4'],
    [formatTick(2500), '2,500'],
    [formatTick(0.30000000000000004), '0.3'],
    [formatConstant(1e-5), '1e−5'],
    [formatConstant(0.1), '0.1'],
    [formatConstant(1.1920928955078125e-7), '1.19e−7'],
    [formatPercent(0.8333), '0.83'],
    [formatPercent(null), '–'],
  ])('%s reads %s', (written, wanted) => {
    expect(written).toBe(wanted);
  });
});

describe('the nearest step', () => {
  const steps = Float64Array.from([0, 4, 8, 100]);
  it.each([
    [-5, 0],
    [1, 0],
    [2, 0],
    [3, 1],
    [53, 2],
    [55, 3],
    [1e9, 3],
  ])('of %d is at %d', (value, index) => {
    expect(nearestIndex(steps, value)).toBe(index);
  });
  it('of no steps is none', () => {
    expect(nearestIndex(new Float64Array(0), 3)).toBe(-1);
  });
});

describe('the range of a profile', () => {
  const row = (...values: number[]) => Float32Array.from(values);
  it('is not squeezed by one extreme value', () => {
    const [low, high] = profileRange([
      { mean: row(0, 0), std: row(1, 1), min: row(-2, -2), max: row(2, 1e6) },
    ]);
    expect(low).toBeCloseTo(-2);
    expect(high).toBeCloseTo(2.6);
  });
  it('leaves out features that have no value', () => {
    const empty = { mean: row(NaN), std: row(NaN), min: row(NaN), max: row(NaN) };
    const known = { mean: row(1), std: row(0.5), min: row(0.4), max: row(1.7) };
    expect(profileRange([empty, known]).map((x) => Math.round(x * 10) / 10)).toEqual([0.4, 1.7]);
  });
});

describe('the drawing of a tensor', () => {
  const of = (
    family: Family,
    inputShape: readonly number[],
    normalizedAxes: readonly number[],
    featureAxes: readonly number[],
  ) => {
    const info = layerInfo(0, 'norm', { family, inputShape, normalizedAxes, featureAxes });
    const box = boxOf(info);
    const letters = axisLetters(info);
    return (['depth', 'height', 'width'] as const).map((name) => {
      const edge = box?.[name];
      const axes = edge?.axes.map((axis) => letters[axis]).join('');
      return edge ? `${axes} ${edge.sizes.join('×')} ${edge.covered}` : null;
    });
  };

  it('marks one channel of all samples and places for BatchNorm', () => {
    expect(of('batch', [16, 64, 28, 28], [0, 2, 3], [1])).toEqual([
      'N 16 all',
      'HW 28×28 all',
      'C 64 one',
    ]);
    expect(of('batch', [32, 14, 14, 8], [0, 1, 2], [3])).toEqual([
      'N 32 all',
      'HW 14×14 all',
      'C 8 one',
    ]);
    expect(of('batch', [32, 64], [0], [1])).toEqual([null, 'N 32 all', 'C 64 one']);
  });
  it('marks all features of one token for LayerNorm and RMSNorm', () => {
    for (const family of ['layer', 'rms'] as const) {
      expect(of(family, [16, 128, 256], [2], [2])).toEqual(['B 16 one', 'S 128 one', 'E 256 all']);
    }
    expect(of('layer', [16, 256], [1], [1])).toEqual([null, 'B 16 one', 'E 256 all']);
  });
  it('marks all of one sample for a LayerNorm over several axes', () => {
    expect(of('layer', [16, 8, 4, 5], [1, 2, 3], [1, 2, 3])).toEqual([
      'N 16 one',
      'HW 4×5 all',
      'C 8 all',
    ]);
    expect(of('layer', [16, 12, 8], [1, 2], [1, 2])).toEqual(['B 16 one', 'S 12 all', 'E 8 all']);
  });
  it('marks some channels of one sample for GroupNorm, and one for InstanceNorm', () => {
    const shape = [16, 64, 7, 7];
    expect(of('group', shape, [1, 2, 3], [1])).toEqual(['N 16 one', 'HW 7×7 all', 'C 64 group']);
    expect(of('instance', shape, [2, 3], [1])).toEqual(['N 16 one', 'HW 7×7 all', 'C 64 one']);
  });
  it('is nothing for an unknown shape, and still a box for a tensor of six axes', () => {
    expect(of('layer', [], [], [])).toEqual([null, null, null]);
    expect(of('layer', [2, 3, 4, 5, 6, 7], [5], [5])).toEqual([
      '0 2 one',
      '1234 3×4×5×6 one',
      '5 7 all',
    ]);
  });
});
