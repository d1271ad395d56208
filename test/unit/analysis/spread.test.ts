import { describe, expect, it } from 'vitest';
import { covarianceOf, mergeCovariances } from '../../../extension/core/analysis/covariance';
import {
  conditionFloor,
  conditionNumber,
  eigenvalues,
  entropyRank,
} from '../../../extension/core/analysis/spectrum';
import {
  correlationFigures,
  correlationFloor,
  participationFloor,
  participationRatio,
} from '../../../extension/core/analysis/whitening';
import { gaussians } from './histogramOf';

const draw = gaussians(61);
const mixed = (n: number, d: number) =>
  Array.from({ length: n }, () => {
    const common = draw(1)[0] ?? 0;
    return draw(d).map((value, j) => value * (1 + j) + common * j + j);
  });

describe('covariances', () => {
  it('merge to that of all rows together', () => {
    const rows = mixed(60, 4);
    const whole = covarianceOf(rows);
    const merged = mergeCovariances(covarianceOf(rows.slice(0, 17)), covarianceOf(rows.slice(17)));
    expect(merged.n).toBe(60);
    Array.from(whole.matrix).forEach((entry, at) => {
      expect(merged.matrix[at]).toBeCloseTo(entry, 10);
    });
    Array.from(whole.mean).forEach((mean, j) => expect(merged.mean[j]).toBeCloseTo(mean, 12));
    expect(mergeCovariances(covarianceOf([]), whole)).toBe(whole);
  });
});

describe('the spread over directions', () => {
  const rows = mixed(80, 5);
  const { matrix } = covarianceOf(rows);
  const entry = (i: number, j: number) => matrix[i * 5 + j] ?? Number.NaN;
  const values = eigenvalues(matrix);

  it('has eigenvalues with the trace, the energy and the determinant of the matrix', () => {
    const sum = values.reduce((total, value) => total + value, 0);
    const squares = values.reduce((total, value) => total + value ** 2, 0);
    expect(sum).toBeCloseTo(
      [0, 1, 2, 3, 4].reduce((total, i) => total + entry(i, i), 0),
      9,
    );
    expect(squares).toBeCloseTo(
      Array.from(matrix).reduce((total, value) => total + value ** 2, 0),
      7,
    );
    expect([...values]).toEqual([...values].sort((a, b) => b - a));
    const two = eigenvalues([2, 1, 1, 2]);
    expect(two[0]).toBeCloseTo(3, 14);
    expect(two[1]).toBeCloseTo(1, 14);
    expect([...eigenvalues([4, 0, 0, 0])]).toEqual([4, 0]);
  });

  it('has ranks that are the number of directions of equal variance', () => {
    expect(participationRatio([2, 0, 0, 0, 2, 0, 0, 0, 0])).toBeCloseTo(2, 12);
    expect(entropyRank([3, 3, 3, 0])).toBeCloseTo(3, 12);
    const squares = values.reduce((total, value) => total + value ** 2, 0);
    const sum = values.reduce((total, value) => total + value, 0);
    expect(participationRatio(matrix)).toBeCloseTo(sum ** 2 / squares, 9);
    expect(participationRatio([0, 0, 0, 0])).toBeNaN();
    expect(conditionNumber([8, 2])).toBe(4);
    expect(conditionNumber([8, 0])).toBe(Number.POSITIVE_INFINITY);
  });

  it('has the correlations of the features that vary', () => {
    let [absolute, squares, pairs] = [0, 0, 0];
    for (let i = 0; i < 5; i++) {
      for (let j = i + 1; j < 5; j++) {
        const r = entry(i, j) / Math.sqrt(entry(i, i) * entry(j, j));
        absolute += Math.abs(r);
        squares += r * r;
        pairs++;
      }
    }
    const figures = correlationFigures(matrix);
    expect(figures.meanAbsolute).toBeCloseTo(absolute / pairs, 12);
    expect(figures.offDiagonalEnergy).toBeCloseTo((2 * squares) / 20, 12);
    expect(figures.participationRatio).toBeCloseTo(25 / (5 + 2 * squares), 12);
    expect(correlationFigures([1, 0, 0, 0]).features).toBe(1);
    expect(correlationFigures([1, 0, 0, 0]).meanAbsolute).toBeNaN();
  });

  it('has floors that white data shows', () => {
    const [n, d] = [128, 32];
    const white = covarianceOf(Array.from({ length: n }, () => draw(d))).matrix;
    const near = (value: number, floor: number, share: number) =>
      expect(Math.abs(value / floor - 1)).toBeLessThan(share);
    near(participationRatio(white), participationFloor(d, n), 0.06);
    near(correlationFigures(white).meanAbsolute, correlationFloor(n), 0.1);
    near(conditionNumber(eigenvalues(white)), conditionFloor(d, n), 0.35);
    expect(conditionFloor(5, 5)).toBe(Number.POSITIVE_INFINITY);
  });
});
