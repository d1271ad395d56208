import { describe, expect, it } from 'vitest';
import { batchVersusRunning } from '../../../extension/core/analysis/batchVersusRunning';
import { evalShift } from '../../../extension/core/analysis/evalShift';
import {
  AsIfBatchNorm,
  fusedKerasConvention,
  kerasConvention,
  torchConvention,
  updateRunning,
} from '../../../extension/core/analysis/runningStatistics';
import { gaussians } from './histogramOf';
import { momentsOf } from './momentsOf';

const draw = gaussians(41);
const n = 12;
const rows = Array.from({ length: n }, () => draw(3).map((value, j) => value * (j + 1) + 2 * j));
const columns = [0, 1, 2].map((j) => rows.map((row) => row[j] as number));
const batch = {
  mean: columns.map((column) => momentsOf(column).mean),
  variance: columns.map((column) => momentsOf(column).m2 / n),
};
const running = { mean: [0.5, -1, 3], variance: [1.5, 2, 0.7] };
const gamma = [1.2, -0.4, 2];
const beta = [0.1, 3, -1];

describe('updateRunning', () => {
  it('follows the conventions of the frameworks', () => {
    const bessel = n / (n - 1);
    const cases = [
      [torchConvention(), 0.1, bessel],
      [kerasConvention(), 0.01, 1],
      [fusedKerasConvention(), 0.01, bessel],
    ] as const;
    for (const [convention, weight, correction] of cases) {
      const after = updateRunning(running, batch, n, convention);
      for (let j = 0; j < 3; j++) {
        const [m, v] = [running.mean[j] ?? NaN, running.variance[j] ?? NaN];
        expect(after.mean[j]).toBeCloseTo(m + weight * ((batch.mean[j] ?? NaN) - m), 12);
        expect(after.variance[j]).toBeCloseTo(
          v + weight * ((batch.variance[j] ?? NaN) * correction - v),
          12,
        );
      }
    }
  });

  it('keeps what it had of features without a finite value, and takes one value as it is', () => {
    const hole = { mean: [NaN, 1, 1], variance: [NaN, 0, 0] };
    const after = updateRunning(running, hole, 1, torchConvention());
    expect(after.mean[0]).toBe(0.5);
    expect(after.variance[1]).toBeCloseTo(0.9 * 2, 12);
  });

  it('as if the layer were a BatchNorm begins with the first batch', () => {
    const asIf = new AsIfBatchNorm();
    expect(asIf.current).toBeUndefined();
    asIf.add(batch, n);
    expect([...(asIf.current?.mean ?? [])]).toEqual(batch.mean);
    asIf.add({ mean: [0, 0, 0], variance: [0, 0, 0] }, n);
    asIf.current?.mean.forEach((mean, j) => {
      expect(mean).toBeCloseTo(0.9 * (batch.mean[j] ?? NaN), 12);
    });
    asIf.add({ mean: [7], variance: [2] }, 5);
    expect([...(asIf.current?.mean ?? [])]).toEqual([7]);
  });
});

describe('batchVersusRunning', () => {
  it('has the distances of Shen et al. and of the TID', () => {
    const figures = batchVersusRunning(batch, running);
    const shift = batch.mean.map((mean, j) => mean - (running.mean[j] ?? NaN));
    const change = batch.variance.map((variance, j) => variance - (running.variance[j] ?? NaN));
    const norm = (vector: readonly number[]) => Math.hypot(...vector);
    expect(figures.shenMean).toBeCloseTo(norm(shift) / 3, 12);
    expect(figures.shenVariance).toBeCloseTo(norm(change) / 3, 12);
    expect(figures.rmsMean).toBeCloseTo(norm(shift) / Math.sqrt(3), 12);
    expect(figures.rmsVariance).toBeCloseTo(norm(change) / Math.sqrt(3), 12);
    let [mean, deviation] = [0, 0];
    for (let j = 0; j < 3; j++) {
      const sigma = Math.sqrt(batch.variance[j] ?? NaN);
      mean += Math.abs(shift[j] ?? NaN) / sigma / 3;
      deviation += Math.abs(Math.sqrt(running.variance[j] ?? NaN) / sigma - 1) / 3;
    }
    expect(figures.tidMean).toBeCloseTo(mean, 12);
    expect(figures.tidDeviation).toBeCloseTo(deviation, 12);
  });

  it('leaves out features that are NaN, and constant ones of what is divided by their spread', () => {
    const figures = batchVersusRunning(
      { mean: [NaN, 1, 2], variance: [NaN, 4, 0] },
      { mean: [0, 3, 2], variance: [1, 9, 1] },
    );
    expect(figures.tidMean).toBe(1);
    expect(figures.tidDeviation).toBe(0.5);
    expect(figures.shenMean).toBeCloseTo(2 / 2, 12);
    expect(batchVersusRunning(batch, { mean: [], variance: [] }).shenMean).toBeNaN();
  });
});

describe('evalShift', () => {
  it('is the shift of the outputs themselves, from the moments alone', () => {
    const eps = 1e-3;
    const outputs = (statistics: { mean: readonly number[]; variance: readonly number[] }) =>
      rows.map((row) =>
        row.map(
          (value, j) =>
            ((gamma[j] ?? NaN) * (value - (statistics.mean[j] ?? NaN))) /
              Math.sqrt((statistics.variance[j] ?? NaN) + eps) +
            (beta[j] ?? NaN),
        ),
      );
    const train = outputs(batch).flat();
    const evaluated = outputs(running).flat();
    const squares = train.reduce((sum, y, i) => sum + ((evaluated[i] ?? NaN) - y) ** 2, 0);
    const rms = Math.sqrt(squares / train.length);
    const { m2 } = momentsOf(train);
    const shift = evalShift({ batch, running, eps, gamma, beta });
    expect(shift.rms).toBeCloseTo(rms, 10);
    expect(shift.relative).toBeCloseTo(rms / Math.sqrt(m2 / train.length), 10);
  });

  it('is 0 where both statistics agree', () => {
    expect(evalShift({ batch, running: batch, eps: 1e-5 }).rms).toBe(0);
  });
});
