import { describe, expect, it } from 'vitest';
import { layerId } from '../../../extension/protocol/ids';
import type { LayerInfo } from '../../../extension/protocol/layers';
import {
  formatConstant,
  formatCount,
  formatNumber,
  formatPercent,
  formatTick,
} from '../../../webview/format';
import { nearestIndex } from '../../../webview/charts/nearest';
import { profileRange } from '../../../webview/charts/ranges';
import { boxOf } from '../../../webview/views/tensorGeometry';
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
  const of = (shape: number[], normalized: number[], features: number[]) => {
    const change: Partial<LayerInfo> = {
      id: layerId(0),
      inputShape: shape,
      normalizedAxes: normalized,
      featureAxes: features,
    };
    const box = boxOf(layerInfo(0, 'norm', change));
    return (['depth', 'height', 'width'] as const).map((name) => {
      const edge = box?.[name];
      return edge ? `${edge.axes.join('·')}:${edge.size}${edge.normalized ? '*' : ''}` : null;
    });
  };

  it('has an edge for each axis of a sequence', () => {
    expect(of([16, 128, 256], [2], [2])).toEqual(['0:16', '1:128', '2:256*']);
  });
  it('joins the places of an image, channels first', () => {
    expect(of([16, 64, 28, 28], [0, 2, 3], [1])).toEqual(['0:16*', '1:64', '2·3:784*']);
  });
  it('joins the places of an image, channels last', () => {
    expect(of([32, 14, 14, 8], [0, 1, 2], [3])).toEqual(['0:32*', '1·2:196*', '3:8']);
  });
  it('has no depth for a matrix and nothing for an unknown shape', () => {
    expect(of([32, 64], [0], [1])).toEqual([null, '0:32*', '1:64']);
    expect(of([], [], [])).toEqual([null, null, null]);
  });
  it('still is a box for a tensor of six axes', () => {
    expect(of([2, 3, 4, 5, 6, 7], [5], [5])).toEqual(['0:2', '1·2·3·4:360', '5:7*']);
  });
});
