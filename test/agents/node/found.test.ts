import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { TAPS } from '../../../extension/protocol/layers';
import { Collector, type Connection } from './harness/collector';
import { FLAVOURS, lineOf, Workshop, type RunOptions } from './harness/programs';
import { groupMoments } from './harness/reference';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let workshop: Workshop;
beforeAll(async () => {
  workshop = await Workshop.open();
});
afterAll(() => workshop.close());

async function capture(name: string, options: RunOptions = {}) {
  const collector = await Collector.start();
  try {
    const result = await workshop.run(name, { ...options, collector });
    expect(result).toMatchObject({ code: 0 });
    const connection = collector.only;
    expect(connection.of('bye')[0]?.errors).toBe(0);
    return { connection, stdout: result.stdout };
  } finally {
    await collector.close();
  }
}

const layersOf = (connection: Connection) => connection.of('layout').at(-1)?.layers ?? [];
const codesOf = (connection: Connection, name: string) =>
  layersOf(connection)
    .find((layer) => layer.name === name)
    ?.status.map(({ code }) => code);

describe.each(FLAVOURS)('tf.batchNorm outside of a layer on %s', (flavour) => {
  it('is a layer for each line that calls it, and for each call of that line', async () => {
    const { connection } = await capture('functional.cjs', { flavour });
    const file = `${flavour.split('/')[1]} functional.cjs`;
    const helper = await lineOf('functional.cjs', 'helper');
    const block = await lineOf('functional.cjs', 'block');
    const name = `${file}:${helper}`;
    const [first, second, third, norm] = [name, `${name} (call 2)`, `${file}:${block}`, 'norm'];
    expect(layersOf(connection)).toMatchObject([
      {
        name: first,
        className: 'tf.batchNorm',
        family: 'batch',
        features: 3,
        featureAxes: [1],
        inputShape: [4, 3],
        call: 0,
        calledAt: { file: path.join(workshop.folder, file), line: helper },
      },
      { name: second, className: 'tf.batchNorm', call: 1 },
      { name: third, features: 3, featureAxes: [2], inputShape: [2, 2, 3], call: 0 },
      { name: 'norm', className: 'BatchNormalization', call: 0 },
    ]);
    for (const call of [first, second, third])
      expect(codesOf(connection, call)).toEqual(['functional']);
    expect(codesOf(connection, norm)).toEqual([]);
    const [step] = connection.steps;
    for (const call of [first, second, third, norm]) {
      for (const tap of TAPS) expect(step?.get(call, tap, 'counts').slice(0, 2)).toEqual([1, 12]);
    }
    const x = [1, 2, 4, 3, 5, 9, -2, 0, 1, 4, 4, 4];
    const { mean } = groupMoments(x, [4, 3], [1]);
    step?.get(first, 'pre', 'featureMean').forEach((value, f) => {
      expect(value).toBeCloseTo(mean[f] ?? NaN, 5);
    });
    expect(step?.get(first, 'pre', 'sampleMean')).toHaveLength(4);
    expect(step?.parameter(first, 'gamma')).toEqual([1, 2, 3]);
    expect(step?.parameter(first, 'beta')).toEqual([0, 0, 1]);
    expect(step?.parameter(first, 'gammaGradient').every(Number.isFinite)).toBe(true);
    // The same line with another gain.
    expect(step?.parameter(second, 'gamma')).toEqual([4, 5, 6]);
    expect(step?.parameter(second, 'gammaGradient')).not.toEqual(
      step?.parameter(first, 'gammaGradient'),
    );
  });
});

describe('a layer that several places share', () => {
  it('is told apart by the order of its calls', async () => {
    const { connection } = await capture('shared.cjs', { args: ['3'] });
    expect(layersOf(connection).map(({ name, call }) => [name, call])).toEqual([
      ['norm', 0],
      ['norm (call 2)', 1],
      ['norm (call 3)', 2],
      ['last', 0],
    ]);
    for (const step of connection.steps) {
      for (const name of ['norm', 'norm (call 2)', 'norm (call 3)']) {
        for (const tap of TAPS)
          expect(step.get(name, tap, 'counts').slice(0, 3)).toEqual([1, 24, 6]);
      }
      // Behind a ReLU there are zeros, before it and behind a tanh there are none.
      const zeros = (name: string) => step.get(name, 'pre', 'counts')[6];
      expect([zeros('norm'), zeros('norm (call 3)')]).toEqual([0, 0]);
      expect(zeros('norm (call 2)')).toBeGreaterThan(0);
      expect(step.parameter('norm (call 3)', 'gamma')).toEqual(step.parameter('norm', 'gamma'));
    }
    expect(codesOf(connection, 'norm (call 2)')).toEqual([]);
  });

  it('is one layer where it is called more than eight times', async () => {
    const { connection } = await capture('shared.cjs', { args: ['9'] });
    expect(layersOf(connection).map(({ name }) => name)).toEqual(['norm', 'last']);
    expect(codesOf(connection, 'norm')).toEqual(['shared']);
    for (const step of connection.steps) {
      for (const tap of TAPS) {
        expect(step.get('norm', tap, 'counts').slice(0, 3)).toEqual([9, 9 * 24, 9 * 6]);
      }
    }
  });
});

describe('a model that is loaded', () => {
  it.each(FLAVOURS)('has its layers found, within tf.tidy too: %s', async (flavour) => {
    const { connection, stdout } = await capture('loaded.cjs', { flavour });
    expect(layersOf(connection).slice(-2)).toMatchObject([
      { name: 'bn', family: 'batch', features: 5 },
      { name: 'ln', family: 'layer', features: 5 },
    ]);
    expect(connection.steps).toHaveLength(4);
    for (const name of ['bn', 'ln']) {
      for (const tap of TAPS) {
        expect(connection.steps[3]?.get(name, tap, 'counts').slice(0, 3)).toEqual([1, 40, 8]);
      }
    }
    const counts = JSON.parse(stdout) as number[];
    expect(new Set(counts.slice(1)).size).toBe(1);
  });
});

describe('extra classes', () => {
  it('have the family and the feature axis of the settings', async () => {
    const extraClasses = [{ pattern: 'Whiten*', family: 'instance', featureAxis: 1 }] as const;
    const { connection } = await capture('custom.cjs', {
      capture: {
        extraClasses: [...extraClasses, { pattern: 'Whit*', family: null, featureAxis: null }],
      },
    });
    expect(layersOf(connection).find(({ name }) => name === 'whitening')).toMatchObject({
      family: 'instance',
      featureAxes: [1],
    });
  });
});

describe('padding', () => {
  it('is told by the mask of the layer, and else by constant rows', async () => {
    const { connection } = await capture('padded.cjs');
    const [step] = connection.steps;
    if (!step) throw new Error('no step');
    const padding = (name: string, tap: (typeof TAPS)[number]) => step.get(name, tap, 'counts')[8];
    for (const tap of TAPS) {
      expect([padding('plain', tap), padding('batch', tap)]).toEqual([2, 2]);
    }
    // The embedding's gradient ends there, so dL/dx is not asked for beyond it.
    expect(padding('masked', 'pre')).toBe(5);
    for (const name of ['masked', 'plain', 'batch'])
      expect(codesOf(connection, name)).toEqual(['padding']);
    for (const name of ['plain', 'batch']) {
      expect(step.get(name, 'pre', 'unpaddedFeatureMean')).toEqual([2.5, 3.5, 5]);
      expect(step.get(name, 'pre', 'unpaddedFeatureVariance')).toEqual([2.25, 2.25, 4]);
      const [mean, , , , min, max] = step.get(name, 'pre', 'unpaddedWhole');
      expect([min, max]).toEqual([1, 7]);
      expect(mean).toBeCloseTo(22 / 6, 6);
      expect(step.get(name, 'pre', 'featureMean')).toEqual([1.25, 1.75, 2.5]);
    }
  });
});
