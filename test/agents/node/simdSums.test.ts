import { afterEach, describe, expect, it, vi } from 'vitest';
import { featureMap } from '../../../extension/agents/node/featureMap';
import { sumByVectors } from '../../../extension/agents/node/simdSums';
import type { Sums } from '../../../extension/agents/node/sums';
import { groupMoments, randomNumbers } from './harness/reference';

function sumsOf(values: Float32Array, rows: number, features: number, centre: number) {
  const sums: Sums = {
    ...{ centre, s1: 0, s2: 0, s3: 0, s4: 0, zero: 0, tiny: 0 },
    featureSum: new Float64Array(features),
    featureSquares: new Float64Array(features),
    sampleSum: new Float64Array(0),
    sampleSquares: new Float64Array(0),
    rowSum: new Float64Array(rows),
    rowSquares: new Float64Array(rows),
    min: new Float64Array(features).fill(Infinity),
    max: new Float64Array(features).fill(-Infinity),
  };
  return { summed: sumByVectors(values, sums), ...sums };
}

/** Difference of a sum from that of its parts, beside the sum of their magnitudes. */
function errorOf(actual: number | undefined, parts: readonly number[]): number {
  const expected = parts.reduce((sum, part) => sum + part, 0);
  const scale = parts.reduce((sum, part) => sum + Math.abs(part), 0);
  return scale === 0 ? (actual ?? NaN) : Math.abs((actual ?? NaN) - expected) / scale;
}

const power = (k: number) => (d: number) => d ** k;
const smallest = (values: readonly number[]) => values.reduce((a, b) => Math.min(a, b), Infinity);

/** Compares all sums with those of the values as plain lists. */
function expectSums(values: Float32Array, rows: number, features: number, centre: number) {
  const actual = sumsOf(values, rows, features, centre);
  const inFours = features - (features % 4);
  const byFeature = Array.from({ length: features }, (): number[] => []);
  const byRow = Array.from({ length: rows }, (): number[] => []);
  values.forEach((x, at) => {
    if (at % features >= inFours) return;
    byFeature[at % features]?.push(x);
    byRow[Math.floor(at / features)]?.push(x);
  });
  const all = byRow.flat().map((x) => x - centre);
  const errors = [errorOf(actual.s3, all.map(power(3))), errorOf(actual.s4, all.map(power(4)))];
  for (const [lists, sums, squares] of [
    [byFeature, actual.featureSum, actual.featureSquares],
    [byRow, actual.rowSum, actual.rowSquares],
  ] as const) {
    lists.forEach((own, index) => {
      const d = own.map((x) => x - centre);
      errors.push(errorOf(sums[index], d), errorOf(squares[index], d.map(power(2))));
    });
  }
  expect(actual.summed).toBe(inFours);
  expect(errors.every((error) => error <= 1e-12)).toBe(true);
  expect([...actual.min]).toEqual(byFeature.map(smallest));
  expect([...actual.max]).toEqual(byFeature.map((own) => -smallest(own.map((x) => -x))));
}

describe('sums by vectors', () => {
  it.each([
    ['one vector', 1, 4],
    ['rows of two vectors', 37, 8],
    ['features that do not come in fours', 11, 7],
    ['more rows than are summed at a time', 2100, 4],
    ['more values than are summed at a time', 300, 64],
    ['more features than are summed at a time', 3, 4104],
    ['rows longer than what is summed at a time', 3, 20_003],
  ])('are those of plain loops: %s', (_, rows, features) => {
    const values = Float32Array.from(randomNumbers(rows * features, rows), (x) => 2 + x);
    expectSums(values, rows, features, 1.5);
  });

  it('keep the digits of float64 far from the centre, and over many magnitudes', () => {
    const far = Float32Array.from(randomNumbers(800, 3), (x) => 3000 + 1.732 * x);
    expectSums(far, 100, 8, 0);
    const wide = Float32Array.from(randomNumbers(800, 4), (x) => Math.sign(x) * 10 ** (30 * x));
    expectSums(wide, 100, 8, 0);
  });

  it('do not overflow: the fourth powers of the largest float32', () => {
    const largest = (2 - 2 ** -23) * 2 ** 127;
    const values = Float32Array.from({ length: 64 }, (_, at) => (at % 3 ? largest : -largest));
    expectSums(values, 8, 8, 0);
    expect(sumsOf(values, 8, 8, 0).s4).toBe(64 * largest ** 4);
  });

  it('count zeros and subnormals of either sign, each time afresh', () => {
    const values = Float32Array.from([0, -0, 2 ** -149, -(2 ** -127), 2 ** -126, -1, 2, 3]);
    for (let call = 0; call < 2; call += 1) {
      expect(sumsOf(values, 2, 4, 0)).toMatchObject({ zero: 2, tiny: 4 });
    }
  });

  it.each([NaN, Infinity, -Infinity])('are not finite where a value is %d', (value) => {
    for (let at = 0; at < 8; at += 1) {
      const values = Float32Array.from({ length: 8 }, (_, index) => (index === at ? value : 1));
      expect(Number.isFinite(sumsOf(values, 2, 4, 0.5).s4)).toBe(false);
    }
  });

  it('leave what is no feature of theirs as it was', () => {
    expect(sumsOf(Float32Array.of(1, 2, 3, 4, 5, 6), 2, 3, 0)).toMatchObject({
      summed: 0,
      s4: 0,
      min: new Float64Array(3).fill(Infinity),
      rowSum: new Float64Array(2),
    });
    const { min, featureSum } = sumsOf(Float32Array.of(1, 2, 3, 4, 5), 1, 5, 0);
    expect([min[4], featureSum[4]]).toEqual([Infinity, 0]);
  });
});

describe('where there are no vectors', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.resetModules();
  });

  it.each([
    ['no WebAssembly', undefined],
    [
      'none that compiles',
      {
        Module: class {
          constructor() {
            throw new WebAssembly.CompileError();
          }
        },
      },
    ],
  ])('statistics are the same: %s', async (_, assembly) => {
    vi.resetModules();
    vi.stubGlobal('WebAssembly', assembly);
    const { summarize } = await import('../../../extension/agents/node/statistics');
    const values = randomNumbers(120, 9).map((x, at) => (at % 7 === 0 ? 0 : x));
    const { tap } = summarize(Float32Array.from(values), featureMap([15, 8], [1]), 15);
    const expected = groupMoments(values, [15, 8], [1]);
    tap.mean.forEach((mean, f) => expect(mean).toBeCloseTo(expected.mean[f] ?? NaN, 12));
    tap.squares.forEach((m2, f) => expect(m2 / 15).toBeCloseTo(expected.variance[f] ?? NaN, 12));
    expect([...tap.min]).toEqual(expected.min);
    expect([...tap.max]).toEqual(expected.max);
    expect([tap.zero, tap.subnormal]).toEqual([18, 0]);
  });
});
