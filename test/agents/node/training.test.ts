import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { encodeBlob } from '../../../extension/protocol/safetensors';
import { Collector, type Connection } from './harness/collector';
import { FLAVOURS, lineOf, Workshop, type Flavour, type RunOptions } from './harness/programs';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let workshop: Workshop;
beforeAll(async () => {
  workshop = await Workshop.open();
});
afterAll(() => workshop.close());

interface Outcome {
  readonly losses: number[];
  readonly tensors: number[];
  readonly weights: number[][];
}

/** Puts every layer in focus. */
const greeting = encodeBlob({
  kind: 'focus',
  layers: Array.from({ length: 16 }, (_, id) => id),
} as { kind: string });

async function capture(name: string, options: RunOptions = {}) {
  const collector = await Collector.start({ greeting });
  try {
    const result = await workshop.run(name, { ...options, collector });
    expect(result).toMatchObject({ code: 0 });
    const connection = collector.only;
    expect(connection.token).toBe(collector.token);
    expect(connection.pending).toBe(0);
    return { connection, stdout: result.stdout };
  } finally {
    await collector.close();
  }
}

const codes = (connection: Connection, name: string) =>
  connection
    .of('layout')
    .at(-1)
    ?.layers.find((layer) => layer.name === name)
    ?.status.map((status) => status.code);

const WAYS = ['fit', 'trainOnBatch', 'minimize', 'synchronous'];
const STEPS = 12;
const RUNS: readonly (readonly [way: string, flavour: Flavour])[] = [
  ...FLAVOURS.flatMap((flavour) => WAYS.map((way) => [way, flavour] as const)),
  // The same binding as that of tfjs-node, under another name.
  ['fit', '@tensorflow/tfjs-node-gpu'],
];

describe('training', () => {
  it.each(RUNS)(
    'by %s on %s: every update is a step, with its loss, and nothing else changes',
    async (way, flavour) => {
      const args = [way, String(STEPS)];
      const without = await workshop.run('training.cjs', { flavour, args });
      const { connection, stdout } = await capture('training.cjs', { flavour, args });
      const outcome = JSON.parse(stdout) as Outcome;
      const expected = JSON.parse(without.stdout) as Outcome;

      // Bit for bit the same training, no random number drawn, no tensor left behind.
      expect(outcome.weights).toEqual(expected.weights);
      expect(outcome.losses).toEqual(expected.losses);
      expect(outcome.tensors).toEqual(expected.tensors);
      expect(new Set(outcome.tensors.slice(1)).size).toBe(1);

      const { steps } = connection;
      expect(steps.map(({ frame }) => frame.step)).toEqual(
        Array.from({ length: STEPS }, (_, i) => i),
      );
      expect(steps.map(({ frame }) => frame.loss)).toEqual(outcome.losses);
      expect(connection.of('bye')).toEqual([
        { kind: 'bye', steps: STEPS, sent: STEPS, dropped: 0, skipped: 0, errors: 0 },
      ]);
      for (const step of steps) {
        for (const layer of ['batch', 'layer']) {
          for (const tap of ['pre', 'post', 'gradPost', 'gradPre'] as const) {
            const [calls, , samples] = step.get(layer, tap, 'counts');
            const batch = way === 'fit' ? [16, 16, 8][step.frame.step % 3] : 40;
            expect([calls, samples]).toEqual([1, batch]);
          }
        }
      }
      const [hello] = connection.of('hello');
      expect(hello?.backend).toBe(flavour === '@tensorflow/tfjs' ? 'cpu' : 'tensorflow');
      expect(hello?.frameworkVersion).toMatch(/^4\./);
      expect(hello?.pid).toBeGreaterThan(0);
      expect(codes(connection, 'batch')).toEqual([]);
    },
  );
});

describe('layers', () => {
  it('have their names, classes and the lines where they are made and called', async () => {
    const { connection } = await capture('training.cjs', { args: ['fit', '3'] });
    const [layout] = connection.of('layout');
    const file = path.join(workshop.folder, 'tfjs training.cjs');
    const line = (marker: string) => lineOf('training.cjs', marker);
    expect(layout?.layers).toMatchObject([
      {
        id: 0,
        name: 'batch',
        className: 'BatchNormalization',
        family: 'batch',
        features: 16,
        constructedAt: { file, line: await line('batch') },
        calledAt: { file, line: await line('batch') },
      },
      {
        id: 1,
        name: 'layer',
        className: 'LayerNormalization',
        family: 'layer',
        features: 16,
        constructedAt: { file, line: await line('layer made') },
        calledAt: { file, line: await line('layer called') },
      },
    ]);
    expect(connection.of('hello')[0]?.program).toBe(file);
  });

  it.each(FLAVOURS)('are found in an ES module that imports %s', async (flavour) => {
    const { connection } = await capture('module.mjs', { flavour });
    const file = path.join(workshop.folder, `${flavour.split('/')[1]} module.mjs`);
    expect(connection.steps).toHaveLength(3);
    expect(connection.of('layout')[0]?.layers).toMatchObject([
      {
        name: 'esm',
        constructedAt: { file, line: await lineOf('module.mjs', 'made') },
        calledAt: { file, line: await lineOf('module.mjs', 'called') },
      },
    ]);
  });

  it('have the lines of the user, not of a library’s source maps, where source maps are on', async () => {
    const nodeOptions = '--enable-source-maps';
    const { connection } = await capture('module.mjs', { nodeOptions });
    const file = path.join(workshop.folder, 'tfjs module.mjs');
    expect(connection.of('layout')[0]?.layers).toMatchObject([
      { constructedAt: { file, line: await lineOf('module.mjs', 'made') } },
    ]);
  });

  it('of the user’s own are found by their class names, as is an optimizer of the user’s own', async () => {
    const capturing = { extraClasses: [{ pattern: 'White*', family: null, featureAxis: null }] };
    const { connection } = await capture('custom.cjs', { capture: capturing });
    const layout = connection.of('layout').at(-1);
    expect(layout?.layers.map(({ name, className, family }) => [name, className, family])).toEqual([
      ['rms', 'RMSNorm', 'rms'],
      ['quiet', 'Quiet', 'layer'],
      ['quiet (call 2)', 'Quiet', 'layer'],
      ['whitening', 'Whitening', 'other'],
    ]);
    expect(connection.steps).toHaveLength(4);
    for (const name of ['quiet', 'quiet (call 2)']) {
      expect(connection.steps[3]?.get(name, 'gradPre', 'counts').slice(0, 3)).toEqual([1, 24, 6]);
      expect(codes(connection, name)).toEqual([]);
    }
    expect(layout?.layers.map(({ call }) => call)).toEqual([0, 0, 1, 0]);
  });

  it('that train without `training: true` are marked', async () => {
    const config = { kind: 'batchNormalization', axis: -1, epsilon: 1e-3, shape: [4, 2] };
    const steps = [[{ x: [1, 2, 3, 4, 5, 6, 7, 8], w: [1, 0, 0, 1, 1, 0, 0, 1] }]];
    const args = [JSON.stringify({ ...config, steps, training: false })];
    const { connection } = await capture('oneLayer.cjs', { args });
    expect(codes(connection, 'norm')).toEqual(['eval']);
  });

  it('inside one bundled file are found under whatever name it has', async () => {
    await workshop.vendor('vendor.cjs');
    const { connection } = await capture('bundled.cjs');
    expect(connection.steps).toHaveLength(2);
    expect(connection.of('layout')[0]?.layers.map(({ name }) => name)).toEqual(['vendored']);
  });
});

describe('passes', () => {
  it('that are no training are not mixed in', async () => {
    const { connection } = await capture('passes.cjs');
    const [first, second] = connection.steps;
    for (const step of [first, second]) {
      for (const tap of ['pre', 'post', 'gradPost', 'gradPre'] as const) {
        expect(step?.get('norm', tap, 'counts').slice(0, 3)).toEqual([1, 6, 2]);
      }
      expect(step?.get('norm', 'pre', 'featureMax')).toEqual([3, 5, 9]);
    }
    expect(connection.of('bye')[0]?.errors).toBe(0);
  });
});
