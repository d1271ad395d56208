import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Collector, type CapturedStep } from './harness/collector';
import { FLAVOURS, Workshop } from './harness/programs';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let workshop: Workshop;
beforeAll(async () => {
  workshop = await Workshop.open();
});
afterAll(() => workshop.close());

interface Told {
  /** gamma, beta, moving mean and variance of `batch`; gamma of `layer`; gain of `scaled`, of `own`. */
  readonly before: number[][];
  readonly after: number[][];
  readonly gradients: Record<string, number[]>;
  readonly names: string[];
}

const CASES = [
  ['batch', 'gamma', 0, 0],
  ['batch', 'beta', 1, 1],
  ['layer', 'gamma', 4, 2],
  ['scaled', 'gamma', 5, 3],
  ['own', 'gamma', 6, 4],
] as const;

function expectStep(step: CapturedStep, { before, after, gradients, names }: Told) {
  for (const [layer, parameter, index, name] of CASES) {
    const old = before[index] ?? [];
    expect(step.parameter(layer, parameter)).toEqual(old);
    expect(step.parameter(layer, `${parameter}Gradient`)).toEqual(gradients[names[name] ?? '']);
    step.parameter(layer, `${parameter}Update`).forEach((value, f) => {
      expect(value).toBe(Math.fround((after[index]?.[f] ?? NaN) - (old[f] ?? NaN)));
    });
  }
  expect(step.parameter('batch', 'runningMean')).toEqual(before[2]);
  expect(step.parameter('batch', 'runningVariance')).toEqual(before[3]);
}

describe.each(FLAVOURS)('parameters on %s', (flavour) => {
  it('are those before the update, with the gradients the optimizer applies and what it changes', async () => {
    const collector = await Collector.start();
    try {
      const { code, stdout } = await workshop.run('parameters.cjs', { flavour, collector });
      expect(code).toBe(0);
      expect(collector.only.of('bye')[0]?.errors).toBe(0);
      const told = JSON.parse(stdout) as Told[];
      const { steps } = collector.only;
      expect(steps).toHaveLength(told.length);
      steps.forEach((step, index) => {
        const expected = told[index];
        if (expected) expectStep(step, expected);
      });
      const slots = steps[0]?.layout.parameters.map(({ layer, parameter }) => [layer, parameter]);
      expect(slots).toEqual([
        [0, 'gamma'],
        [0, 'beta'],
        [0, 'gammaGradient'],
        [0, 'betaGradient'],
        [0, 'gammaUpdate'],
        [0, 'betaUpdate'],
        [0, 'runningMean'],
        [0, 'runningVariance'],
        [1, 'gamma'],
        [1, 'beta'],
        [1, 'gammaGradient'],
        [1, 'betaGradient'],
        [1, 'gammaUpdate'],
        [1, 'betaUpdate'],
        [2, 'gamma'],
        [2, 'gammaGradient'],
        [2, 'gammaUpdate'],
        [3, 'gamma'],
        [3, 'gammaGradient'],
        [3, 'gammaUpdate'],
      ]);
    } finally {
      await collector.close();
    }
  });
});
