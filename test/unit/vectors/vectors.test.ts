import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../../../scripts/setup/command';
import { inRoot } from '../../../scripts/setup/paths';
import { relativeError, compare, judge } from '../../../scripts/vectors/comparison';
import { momentsBy } from '../../../scripts/vectors/reference';
import { reportOf, tableOf } from '../../../scripts/vectors/report';
import { runVectors } from '../../../scripts/vectors/run';
import { oneRow, withVectors } from './vectorFolder';

/** Two micro-batches of one sample of one number: 1 and 3. */
const gradients = {
  per_sample: [[1], [3]],
  micro_batch: 1,
  norm: 2,
  g2_unbiased: 3,
  trace_sigma_unbiased: 2,
  noise_scale: 2 / 3,
};
const gaussian = {
  mean_ref: [0, 0],
  var_ref: [1, 4],
  mean_cur: [1, 2],
  var_cur: [1, 4],
  diag_frechet_sq: 5,
  sym_kl_per_feature: [1, 1],
  moment_drift_mean: 1.5,
  moment_drift_mean_in_sigmas: 1,
};
const histogram = {
  counts_ref: [1, 1],
  counts_cur: [0, 2],
  edges: [0, 2, 4],
  w1: 1,
  psi: (0.5 - 0.0001) * Math.log(0.5 / 0.0001) + (0.5 - 1) * Math.log(0.5),
  js_distance: Math.sqrt((0.5 * Math.log(2) + 0.5 * Math.log(2 / 3) + Math.log(4 / 3)) / 2),
  hellinger: Math.sqrt(1 - Math.SQRT1_2),
};
const right = {
  'gradients.json': gradients,
  'drift.json': { histograms: [histogram], gaussian },
  'norms.json': oneRow(),
};

const core = (files: Readonly<Record<string, unknown>>) =>
  withVectors(files, (folder) => runVectors(folder, ['core']));

describe('vectors', () => {
  it('that are right have no failure, whatever their files are called', async () => {
    const all = await core({ ...right, 'renamed.json': gradients });
    expect(all.map(({ file }) => file)).toEqual([
      'drift.json',
      'gradients.json',
      'norms.json',
      'renamed.json',
    ]);
    const report = reportOf(all);
    expect(report).toMatchObject({ cases: 5, failed: 0 });
    expect(report.files['drift.json']?.core).toBeLessThan(1e-12);
    expect(report.files['drift.json']?.python).toBeUndefined();
    expect(tableOf(all).split('\n')[1]).toMatch(/^drift\.json +- +- +\d/);
  });

  it.each([
    ['gradients.json', { ...gradients, noise_scale: (2 / 3) * (1 + 1e-8) }],
    ['drift.json', { histograms: [{ ...histogram, w1: 1.001 }], gaussian }],
    ['drift.json', { histograms: [histogram], gaussian: { ...gaussian, diag_frechet_sq: -5 } }],
    ['norms.json', oneRow({ dx: [[[0.2, 0.2, -0.4]]] })],
  ])('with one wrong number in %s fail there only', async (file, body) => {
    const all = await core({ ...right, [file]: body });
    expect(reportOf(all).failed).toBe(1);
    const failing = all.filter(({ outcomes }) =>
      outcomes.core.some(({ failures }) => failures.length > 0),
    );
    expect(failing.map((entry) => entry.file)).toEqual([file]);
  });

  it.each<[string, unknown, RegExp]>([
    ['is no JSON', '{"cases": [', /^bad\.json is not valid JSON\.$/],
    ['is a list', [], /^bad\.json is not a JSON object\.$/],
    ['is of no known form', { note: 1 }, /^bad\.json is of no form/],
    ['lacks a figure', { ...gradients, norm: undefined }, /"norm" that is not a number/],
    ['has a text for a number', { ...gradients, norm: 'two' }, /"norm" that is not a number/],
    ['has ragged rows', { ...gradients, per_sample: [[1], [2, 3]] }, /rows are of one length/],
    ['has micro-batches that do not fit', { ...gradients, micro_batch: 3 }, /do not divide/],
    ['has no case', { cases: [] }, /"cases" that is not a list of objects/],
    ['has a kind that is not known', oneRow({ kind: 'spectral' }), /of a kind that is not known/],
    ['has a y of another shape', oneRow({ y: [[[1, 2]]] }), /"y" of another shape/],
  ])('whose file %s are refused in a sentence', async (_, body, sentence) => {
    await expect(core({ 'bad.json': body })).rejects.toThrow(sentence);
  });

  it('need at least one file', async () => {
    await expect(core({})).rejects.toThrow(/holds no vector file/);
  });
});

describe('npm run vectors', () => {
  const script = inRoot('scripts', 'vectors.ts');
  const run = (...args: readonly string[]) =>
    runCommand(process.execPath, ['--import', 'tsx', script, ...args], { cwd: inRoot() });

  it('writes a report and tells right, wrong and malformed by its exit code', async () => {
    await withVectors(right, async (folder) => {
      const json = join(folder, 'report.txt');
      const { code, output } = await run(folder, '--engine', 'core', '--json', json);
      expect(output).toContain('4 cases, 0 failed.');
      expect(code).toBe(0);
      expect(JSON.parse(await readFile(json, 'utf8'))).toMatchObject({ cases: 4, failed: 0 });
    });
    const wrong = { ...right, 'gradients.json': { ...gradients, norm: 2.1 } };
    await withVectors(wrong, async (folder) => {
      const { code, output } = await run(folder, '--engine', 'core');
      expect(output).toMatch(/gradients\.json, core: noise scale: norm is off by 4\.8e-2/);
      expect(code).toBe(1);
    });
    await withVectors({ 'bad.json': '{' }, async (folder) => {
      const { code, output } = await run(folder, '--engine', 'core');
      expect(output.trim()).toBe('bad.json is not valid JSON.');
      expect(code).toBe(2);
    });
    expect((await run()).code).toBe(2);
  }, 60_000);
});

describe('the error of a comparison', () => {
  it('is relative to the largest expected value, or to the scale given', () => {
    expect(relativeError(compare('', [1, 10.1], [1, 10]))).toBeCloseTo(0.01, 12);
    expect(relativeError(compare('', [0.1], [0], { scale: 2 }))).toBeCloseTo(0.05, 12);
    expect(relativeError(compare('', 0.1, 0))).toBe(0.1);
  });

  it('is infinite where a value is missing or is not a number', () => {
    expect(relativeError(compare('', [1], [1, 2]))).toBe(Number.POSITIVE_INFINITY);
    expect(relativeError(compare('', [1, NaN], [1, 2]))).toBe(Number.POSITIVE_INFINITY);
    expect(judge('a case', [compare('it', NaN, 1)], 0.1).failures).toHaveLength(1);
  });
});

describe('the reference statistics', () => {
  it('split a tensor by features and by samples', () => {
    const { features, samples, whole } = momentsBy([1, 2, 3, 4, 5, 6, 7, 8], {
      shape: [2, 2, 2],
      featureAxis: 1,
    });
    expect(features.map(({ mean }) => mean)).toEqual([3.5, 5.5]);
    expect(samples.map(({ mean }) => mean)).toEqual([2.5, 6.5]);
    expect(whole).toMatchObject({ n: 8, mean: 4.5, variance: 5.25, min: 1, max: 8 });
  });
});
