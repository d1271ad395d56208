import { describe, expect, it } from 'vitest';
import { covariateShift } from '../../../extension/core/analysis/covariateShift';
import {
  depthProfile,
  gradientRatio,
  updateRatio,
  vectorNorm,
} from '../../../extension/core/analysis/gradientFlow';
import { lossLandscape } from '../../../extension/core/analysis/lossLandscape';
import { noiseScale } from '../../../extension/core/analysis/noiseScale';
import { gaussians } from './histogramOf';

const draw = gaussians(81);

describe('the size of gradients and updates', () => {
  it('is told by norms, without what is not a number', () => {
    expect(vectorNorm([3, NaN, 4])).toBe(5);
    expect(vectorNorm([NaN])).toBeNaN();
    expect(gradientRatio(6, 3)).toBe(2);
    expect(gradientRatio(6, 0)).toBeNaN();
    expect(updateRatio([3, 4], [0, 0.05])).toBeCloseTo(0.01, 12);
    expect(updateRatio([0, 0], [1, 1])).toBeNaN();
  });

  it('over the layers is a factor from one to the next', () => {
    const { perLayer, spread } = depthProfile([8, 4, 2, 1]);
    expect(perLayer).toBeCloseTo(0.5, 12);
    expect(spread).toBeCloseTo(8, 12);
    // A layer without a gradient keeps its place.
    expect(depthProfile([8, NaN, 0, 1]).perLayer).toBeCloseTo(0.5, 12);
    expect(depthProfile([3]).perLayer).toBeNaN();
  });
});

describe('noiseScale', () => {
  it('finds the noise of gradients with a known one', () => {
    const [d, small, big] = [200, 4, 64];
    const truth = draw(d);
    const perSample = Array.from({ length: big * 60 }, () =>
      truth.map((value, j) => value + (draw(1)[0] ?? 0) * (1 + (j % 3))),
    );
    const squared = (size: number) => {
      let sum = 0;
      const groups = perSample.length / size;
      for (let at = 0; at < perSample.length; at += size) {
        const group = perSample.slice(at, at + size);
        for (let j = 0; j < d; j++) {
          sum += (group.reduce((total, g) => total + (g[j] ?? NaN), 0) / size) ** 2 / groups;
        }
      }
      return sum;
    };
    const figures = noiseScale(squared(small), small, squared(big), big);
    const trace = truth.reduce((sum, _, j) => sum + (1 + (j % 3)) ** 2, 0);
    const energy = truth.reduce((sum, value) => sum + value ** 2, 0);
    expect(Math.abs(figures.noise / trace - 1)).toBeLessThan(0.05);
    expect(Math.abs(figures.squaredGradient / energy - 1)).toBeLessThan(0.05);
    expect(figures.scale).toBeCloseTo(figures.noise / figures.squaredGradient, 12);
  });

  it('is not known where the noise hides the gradient', () => {
    expect(noiseScale(100, 1, 1, 4).scale).toBeNaN();
  });
});

describe('covariateShift', () => {
  it('is the distance and the angle of two gradients', () => {
    expect(covariateShift([1, 2], [1, 2])).toEqual({ distance: 0, cosine: 1 });
    const { distance, cosine } = covariateShift([1, 0], [0, 2]);
    expect(distance).toBeCloseTo(Math.sqrt(5), 12);
    expect(cosine).toBe(0);
    expect(covariateShift([0, 0], [1, 1]).cosine).toBeNaN();
  });
});

describe('lossLandscape', () => {
  it('of a parabola has its curvature for smoothness', () => {
    // L = ½ Σ c x²; the gradient is c x.
    const curvatures = [1, 4];
    const at = [2, 1];
    const gradientAt = (x: readonly number[]) =>
      x.map((value, j) => (curvatures[j] ?? NaN) * value);
    const lossAt = (x: readonly number[]) =>
      x.reduce((sum, value, j) => sum + ((curvatures[j] ?? NaN) * value ** 2) / 2, 0);
    const g = gradientAt(at);
    const points = [0.1, 0.2].map((length) => {
      const x = at.map((value, j) => value - length * (g[j] ?? NaN));
      return { length, loss: lossAt(x), gradient: gradientAt(x) };
    });
    const landscape = lossLandscape(g, points);
    const along = Math.hypot(1 * 2, 4 * 4) / Math.hypot(2, 4);
    expect(landscape.smoothness).toBeCloseTo(along, 12);
    expect(landscape.loss).toEqual([points[1]?.loss, points[0]?.loss]);
    expect(landscape.gradientChange[0]).toBeCloseTo(0.1 * along * Math.hypot(...g), 12);
  });
});
