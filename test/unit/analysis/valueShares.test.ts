import { describe, expect, it } from 'vitest';
import { deadShare, saturation } from '../../../extension/core/analysis/valueShares';
import { gaussians, histogramOf } from './histogramOf';

describe('the saturated share', () => {
  it('is that of the values themselves, as nearly as the bins allow', () => {
    const normal = gaussians(11)(200_000);
    const expected = normal.filter((value) => Math.abs(value) > 2.09).length / normal.length;
    expect(expected).toBeCloseTo(0.0366, 2);
    expect(Math.abs(saturation(histogramOf(normal)) - expected)).toBeLessThan(0.002);
  });

  it('counts both signs, whole bins beyond the limit in full, and zeros among all', () => {
    expect(saturation(histogramOf([3, -3, 0.5, -0.5]))).toBe(0.5);
    expect(saturation({ ...histogramOf([3, -3]), zero: 6 })).toBe(0.25);
    expect(saturation(histogramOf([1, 2]))).toBeCloseTo(((2.25 - 2.09) / 0.25) * 0.5, 6);
  });

  it('is not known of nothing', () => {
    expect(saturation({ bins: [], counts: [], zero: 0 })).toBeNaN();
  });
});

describe('the dead share', () => {
  it('is that of features whose variance is zero, of those that have one', () => {
    expect(deadShare(Float32Array.of(0, 1e-30, 2, NaN))).toBeCloseTo(1 / 3, 6);
    expect(deadShare(Float32Array.of(NaN))).toBeNaN();
    expect(deadShare(new Float32Array(0))).toBeNaN();
  });
});
