import { describe, expect, it } from 'vitest';
import { rowGradient } from '../../../extension/core/analysis/layerNormTheorem';
import { normalizesWith } from '../../../extension/core/analysis/normalizesWithConstants';
import { meanInverseVariance, theoremOfStep } from '../../../extension/core/analysis/theoremOfStep';
import { gaussians, histogramOf } from './histogramOf';
import { momentsOf } from './momentsOf';

const draw = gaussians(51);
const H = 24;
const meanOf = (values: readonly number[]) => momentsOf(values).mean;
const varianceOf = (values: readonly number[]) => momentsOf(values).m2 / values.length;

/** Loss Σ g·y of one row, with the mean and σ as given or its own. */
function loss(
  x: readonly number[],
  g: readonly number[],
  eps: number,
  mean?: number,
  std?: number,
) {
  const mu = mean ?? meanOf(x);
  const variance = x.reduce((sum, value) => sum + (value - mu) ** 2, 0) / x.length;
  const sigma = std ?? Math.sqrt(variance + eps);
  return x.reduce((sum, value, i) => sum + ((g[i] ?? NaN) * (value - mu)) / sigma, 0);
}

function slope(of: (x: readonly number[]) => number, x: readonly number[], i: number): number {
  const h = 1e-5;
  const moved = (by: number) => x.map((value, at) => (at === i ? value + by : value));
  return (of(moved(h)) - of(moved(-h))) / (2 * h);
}

describe('rowGradient', () => {
  const x = draw(H, 1, 2);
  const g = draw(H, 0.3, 1);
  const eps = 1e-3;
  const mean = meanOf(x);
  const std = Math.sqrt(varianceOf(x) + eps);

  it.each([
    ['with its own statistics', {}, (v: readonly number[]) => loss(v, g, eps)],
    ['with a constant mean', { detachMean: true }, (v: readonly number[]) => loss(v, g, eps, mean)],
    [
      'with a constant deviation',
      { detachDeviation: true },
      (v: readonly number[]) => loss(v, g, eps, undefined, std),
    ],
    [
      'with constants',
      { detachMean: true, detachDeviation: true },
      (v: readonly number[]) => loss(v, g, eps, mean, std),
    ],
  ] as const)('is the slope of the loss %s', (_, detached, of) => {
    const { dx } = rowGradient(x, g, { eps, ...detached });
    for (let i = 0; i < H; i++) expect(dx[i]).toBeCloseTo(slope(of, x, i), 7);
  });

  it('is centred, orthogonal to the output, and of less variance than the bound', () => {
    const row = rowGradient(x, g);
    expect(Math.abs(row.meanDx)).toBeLessThan(1e-15);
    expect(Math.abs(row.alongOutput)).toBeLessThan(1e-13);
    expect(row.varianceDx).toBeCloseTo(row.exactVariance, 12);
    expect(row.varianceDx).toBeLessThan(row.bound);
    const detached = rowGradient(x, g, { detachMean: true, detachDeviation: true });
    expect(detached.varianceDx).toBeCloseTo(row.bound, 12);
    expect(detached.meanDx).toBeCloseTo(meanOf(g) / Math.sqrt(varianceOf(x)), 12);
  });
});

/** Many rows through a LayerNorm with gain γ, and their statistics as a step has them. */
function step(detached: boolean) {
  const gamma = draw(H, 1, 0.2);
  const eps = 1e-5;
  const rows = Array.from({ length: 400 }, (_, i) => ({
    x: draw(H, 0, 1 + (i % 5) / 5),
    g: draw(H, 0.2, 1),
  }));
  const dx = rows.map(({ x, g }) =>
    Array.from(
      rowGradient(
        x,
        g.map((value, j) => value * (gamma[j] ?? NaN)),
        { eps, detachMean: detached, detachDeviation: detached },
      ).dx,
    ),
  );
  const columns = gamma.map((_, j) => rows.map(({ g }) => g[j] ?? NaN));
  const all = dx.flat();
  return {
    gamma,
    eps,
    gradPre: { mean: meanOf(all), variance: varianceOf(all) },
    gradPost: { mean: columns.map(meanOf), variance: columns.map(varianceOf) },
    rowVariances: histogramOf(rows.map(({ x }) => varianceOf(x))),
    rows: rows.length,
    gradPreSets: { mean: dx.map(meanOf), variance: dx.map(varianceOf) },
    gradPostSets: {
      mean: rows.map(({ g }) => meanOf(g)),
      variance: rows.map(({ g }) => varianceOf(g)),
    },
    inverse: meanOf(rows.map(({ x }) => 1 / (varianceOf(x) + eps))),
    scaled: rows.flatMap(({ g }) => g.map((value, j) => value * (gamma[j] ?? NaN))),
  };
}

describe('theoremOfStep', () => {
  it('has exact means, and a bound that a LayerNorm keeps', () => {
    const made = step(false);
    const figures = theoremOfStep(made);
    expect(Math.abs(figures.meanBefore)).toBeLessThan(1e-12);
    expect(figures.meanAfter).toBeCloseTo(meanOf(made.scaled), 12);
    expect(figures.bound).toBeCloseTo(varianceOf(made.scaled) * made.inverse, 1);
    expect(figures.varianceBefore).toBeLessThan(figures.bound);
  });

  it('has a mean before the layer where it normalizes with constants', () => {
    const figures = theoremOfStep(step(true));
    expect(figures.meanBefore).toBeGreaterThan(0.1);
  });

  it('averages inverse variances to the width of a bin', () => {
    const variances = [0.5, 1, 3, 10];
    const expected = meanOf(variances.map((variance) => 1 / (variance + 0.1)));
    expect(meanInverseVariance(histogramOf(variances), 4, 0.1) / expected).toBeCloseTo(1, 1);
    expect(meanInverseVariance(histogramOf([]), 0, 0.1)).toBeNaN();
  });

  it('counts rows of variance 0, which have no bin', () => {
    const histogram = histogramOf([0.9, 0.9]);
    const one = 1 / (0.9 + 0.1);
    const withConstant = meanInverseVariance(histogram, 3, 0.1);
    expect(withConstant).toBeCloseTo((2 * one + 1 / 0.1) / 3, 1);
    expect(meanInverseVariance(histogram, NaN, 0.1)).toBeNaN();
  });
});

const setsOf = ({ gradPreSets, gradPostSets }: ReturnType<typeof step>) => ({
  gradPre: gradPreSets,
  gradPost: gradPostSets,
});

describe('normalizesWith', () => {
  it('tells a layer with its own statistics from one with constants', () => {
    expect(normalizesWith(setsOf(step(false)))).toBe('own statistics');
    expect(normalizesWith(setsOf(step(true)))).toBe('constants');
  });

  it('says nothing where the gradient is centred already, or there is none', () => {
    const centred = { mean: [0, 0], variance: [1, 1] };
    const none = { mean: [NaN, 0], variance: [NaN, 0] };
    expect(normalizesWith({ gradPre: centred, gradPost: centred })).toBe('unknown');
    const one = { mean: [1], variance: [1] };
    expect(normalizesWith({ gradPre: none, gradPost: one })).toBe('unknown');
  });
});
