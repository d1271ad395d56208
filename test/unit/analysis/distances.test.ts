import { describe, expect, it } from 'vitest';
import {
  diagonalFrechet,
  gaussianDivergence,
  gaussianDivergences,
} from '../../../extension/core/analysis/gaussianDistances';
import {
  frechetFloor,
  gaussianFloor,
  psiFloor,
  wassersteinFloor,
} from '../../../extension/core/analysis/nullFloors';
import { QuantileBins } from '../../../extension/core/analysis/quantileBins';
import {
  hellingerDistance,
  jensenShannonDistance,
  populationStability,
} from '../../../extension/core/analysis/shareDistances';
import { normedWasserstein, wasserstein1 } from '../../../extension/core/analysis/wasserstein';
import { gaussians, sorted } from './histogramOf';
import { momentsOf } from './momentsOf';

const draw = gaussians(3);
const average = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Of samples of equal size: the mean distance of the values in order. */
function plainWasserstein(a: readonly number[], b: readonly number[]) {
  const [x, y] = [a, b].map((values) => [...values].sort((p, q) => p - q));
  return average((x ?? []).map((value, i) => Math.abs(value - (y?.[i] ?? Number.NaN))));
}

describe('wasserstein1', () => {
  it('is what has to be moved, times how far', () => {
    expect(wasserstein1([0, 1, 2, 5], [1, 1, 0, 0], [0, 0, 1, 1])).toBeCloseTo(3, 12);
    expect(wasserstein1([0, 1, 2, 5], [2, 0, 0, 2], [0, 0, 0, 7])).toBeCloseTo(2.5, 12);
    expect(wasserstein1([0, 1], [3, 3], [5, 5])).toBe(0);
    expect(wasserstein1([0, 1], [0, 0], [5, 5])).toBeNaN();
  });

  it('in deviations agrees with that of the values themselves, to the width of a bin', () => {
    for (const [mean, std] of [
      [0.5, 1],
      [0, 2],
      [-3, 1],
    ] as const) {
      const [a, b] = [draw(4000), draw(4000, mean, std)];
      const deviation = Math.sqrt(momentsOf(a).m2 / a.length);
      const measured = normedWasserstein(sorted(a), sorted(b), deviation);
      expect(measured).toBeCloseTo(plainWasserstein(a, b) / deviation, 1);
    }
  });

  it('does not depend on the scale, and is not known without a spread unless nothing moved', () => {
    const of = (values: readonly number[], scale: number) =>
      sorted(values.map((value) => value * scale));
    const [a, b] = [draw(500), draw(500, 1)];
    const small = normedWasserstein(of(a, 2 ** -40), of(b, 2 ** -40), 2 ** -40);
    expect(small).toBeCloseTo(normedWasserstein(of(a, 1), of(b, 1), 1), 12);
    const constant = of([2, 2], 1);
    expect(normedWasserstein(constant, constant, 0)).toBe(0);
    expect(normedWasserstein(constant, of([3], 1), 0)).toBeNaN();
  });

  it('of zeros and both signs counts zeros where they lie', () => {
    const distance = normedWasserstein(sorted([0, 0]), sorted([1, -1]), 1);
    // The bin of 1 is 1 … 1.125.
    expect(distance).toBeCloseTo(1.0625, 12);
  });
});

describe('distances of shares', () => {
  const [reference, current] = [
    [10, 30, 0, 60],
    [20, 0, 5, 25],
  ] as const;
  const p = reference.map((count) => count / 100);
  const q = current.map((count) => count / 50);

  it('are the textbook formulas, with 0.0001 for the share of an empty bin in the PSI alone', () => {
    let psi = 0;
    let js = 0;
    let affinity = 0;
    p.forEach((share, i) => {
      const other = q[i] as number;
      const [a, b] = [share || 0.0001, other || 0.0001];
      psi += (a - b) * Math.log(a / b);
      const middle = (share + other) / 2;
      if (share > 0) js += (share * Math.log(share / middle)) / 2;
      if (other > 0) js += (other * Math.log(other / middle)) / 2;
      affinity += Math.sqrt(share * other);
    });
    expect(populationStability(reference, current)).toBeCloseTo(psi, 12);
    expect(jensenShannonDistance(reference, current)).toBeCloseTo(Math.sqrt(js), 12);
    expect(hellingerDistance(reference, current)).toBeCloseTo(Math.sqrt(1 - affinity), 12);
  });

  it('are 0 of equal shares, greatest of disjoint ones, and not known of nothing', () => {
    expect(populationStability([1, 2], [2, 4])).toBe(0);
    expect(jensenShannonDistance([1, 0], [0, 3])).toBeCloseTo(Math.sqrt(Math.LN2), 12);
    expect(hellingerDistance([1, 0], [0, 3])).toBe(1);
    for (const of of [populationStability, jensenShannonDistance, hellingerDistance]) {
      expect(of([0, 0], [1, 1])).toBeNaN();
    }
  });
});

describe('QuantileBins', () => {
  it('hold about a tenth of the reference each, to the width of a bin', () => {
    const reference = sorted(draw(20_000));
    const bins = new QuantileBins(reference);
    expect(bins.length).toBe(10);
    const counts = bins.count(reference);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(20_000);
    for (const count of counts) expect(Math.abs(count / 20_000 - 0.1)).toBeLessThan(0.06);
  });

  it('are fewer where a bin holds several tenths', () => {
    const reference = sorted([0, 0, 0, 0, 0, 0, 0, 1, 2, 3]);
    const bins = new QuantileBins(reference);
    expect([...bins.count(reference)]).toEqual([7, 1, 1, 1]);
    expect(new QuantileBins(sorted([0, 0])).length).toBe(1);
    expect(new QuantileBins(sorted([])).length).toBe(1);
  });

  it('count what lies beyond the reference in the outermost ones', () => {
    const bins = new QuantileBins(sorted([1, 2, 3, 4]), 2);
    expect([...bins.count(sorted([-9, 0, 99]))]).toEqual([2, 1]);
  });
});

describe('Gaussian distances', () => {
  it('are the closed forms', () => {
    const kl = (m1: number, v1: number, m2: number, v2: number) =>
      0.5 * (Math.log(v2 / v1) + (v1 + (m1 - m2) ** 2) / v2 - 1);
    expect(gaussianDivergence(1, 2, -0.5, 3)).toBeCloseTo(
      kl(1, 2, -0.5, 3) + kl(-0.5, 3, 1, 2),
      12,
    );
    const before = { mean: [1, 4], variance: [4, 0] };
    const after = { mean: [3, 4], variance: [9, 0] };
    expect(diagonalFrechet(before, after)).toBe(4 + 1);
    expect([...gaussianDivergences(before, after)]).toEqual([gaussianDivergence(1, 4, 3, 9), 0]);
    expect(gaussianDivergence(1, 0, 2, 0)).toBeNaN();
  });
});

describe('the floors', () => {
  const sizes = [100, 150] as const;
  const trials = Array.from(
    { length: 400 },
    () => sizes.map((n) => draw(n)) as [number[], number[]],
  );
  const moments = trials.map((pair) =>
    pair.map((values) => {
      const { n, mean, m2 } = momentsOf(values);
      return { mean, variance: m2 / n };
    }),
  );
  const measured = (of: (at: number) => number) => average(trials.map((_, at) => of(at)));
  const side = (at: number, which: 0 | 1) => {
    const found = moments[at]?.[which];
    if (!found) throw new Error('No such trial.');
    return { mean: [found.mean], variance: [found.variance] };
  };

  it('are what the distances of independent samples come to on average', () => {
    const [n, m] = sizes;
    const within = (value: number, floor: number, share: number) =>
      expect(Math.abs(value / floor - 1)).toBeLessThan(share);
    within(
      measured((at) => plainWassersteinOf(trials[at])),
      wassersteinFloor(n, m),
      0.35,
    );
    within(
      measured((at) => gaussianDivergences(side(at, 0), side(at, 1))[0] ?? Number.NaN),
      gaussianFloor(n, m),
      0.25,
    );
    within(
      measured((at) => diagonalFrechet(side(at, 0), side(at, 1))),
      frechetFloor(1, n, m),
      0.25,
    );
    within(
      measured((at) => {
        const counts = trials[at]?.map((values) => {
          const deciles = new Float64Array(10);
          for (const value of values) {
            const cell = Math.min(9, Math.floor(10 * normalCdf(value)));
            deciles[cell] = (deciles[cell] ?? 0) + 1;
          }
          return deciles;
        });
        return populationStability(counts?.[0] ?? [], counts?.[1] ?? []);
      }),
      psiFloor(10, n, m),
      0.25,
    );
  });

  it('are not known without rows', () => {
    expect([wassersteinFloor(0, 3), psiFloor(10, 3, Number.NaN), gaussianFloor(-1, 2)]).toEqual([
      NaN,
      NaN,
      NaN,
    ]);
  });
});

/** Of samples of unlike sizes, at their quantiles. */
function plainWassersteinOf(pair: readonly [number[], number[]] | undefined): number {
  const [a, b] = (pair ?? []).map((values) => [...values].sort((p, q) => p - q));
  const grid = Array.from({ length: 3000 }, (_, i) => (i + 0.5) / 3000);
  const at = (values: readonly number[] | undefined, q: number) =>
    values?.[Math.floor(q * values.length)] ?? Number.NaN;
  return average(grid.map((q) => Math.abs(at(a, q) - at(b, q))));
}

/** Abramowitz and Stegun 7.1.26. */
function normalCdf(x: number): number {
  const z = Math.abs(x) / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * z);
  const poly =
    t *
    (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  const erf = 1 - poly * Math.exp(-z * z);
  return x >= 0 ? (1 + erf) / 2 : (1 - erf) / 2;
}
