import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { MAX_CAPTURED } from '../../../extension/agents/node/layerRegistry';
import { Collector } from './harness/collector';
import { Workshop } from './harness/programs';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let workshop: Workshop;
beforeAll(async () => {
  workshop = await Workshop.open();
});
afterAll(() => workshop.close());

async function capture(...args: readonly (string | number)[]) {
  const collector = await Collector.start();
  try {
    const result = await workshop.run('folds.cjs', { collector, args: args.map(String) });
    expect(result).toMatchObject({ code: 0 });
    expect(collector.only.of('bye')[0]?.errors).toBe(0);
    return collector.only;
  } finally {
    await collector.close();
  }
}

describe('a program that builds one model after another', () => {
  it.each(['dispose', 'collect'])(
    'lists the layers of the model that trains, not the dead ones: %s',
    async (fate) => {
      const [folds, updates] = [6, 3];
      const { steps } = await capture(fate, folds, 2, updates);
      expect(steps).toHaveLength(folds * updates);
      for (const { frame, layout } of steps) {
        const fold = Math.floor(frame.step / updates);
        const ids = layout.layers.map(({ id }) => Number(id));
        expect(ids).toContain(2 * fold);
        expect(ids).toContain(2 * fold + 1);
        // A collected layer may go a little later.
        expect(ids.length).toBeLessThanOrEqual(fate === 'dispose' ? 2 : 4);
      }
      // x is [fold + 1, 1; 0, 2 · fold], so the figures are those of the last fold.
      const name = fate === 'dispose' ? 'norm0' : (steps.at(-1)?.layout.layers.at(-2)?.name ?? '');
      expect(steps.at(-1)?.get(name, 'pre', 'featureMax')).toEqual([6, 10]);
    },
  );

  it('gives a layer whose predecessor is disposed its own name', async () => {
    const { steps } = await capture('dispose', 3, 2, 2);
    for (const { layout } of steps) {
      expect(layout.layers.map(({ name }) => name)).toEqual(['norm0', 'norm1']);
    }
  });

  it('tells living layers of one name apart', async () => {
    const { steps } = await capture('keep', 3, 2, 2);
    expect(steps.at(-1)?.layout.layers.map(({ name }) => name)).toEqual([
      'norm0',
      'norm1',
      'norm0 (2)',
      'norm1 (2)',
      'norm0 (3)',
      'norm1 (3)',
    ]);
    const [first, third] = [steps[0], steps.at(-1)];
    expect(first?.get('norm0', 'pre', 'featureMax')).toEqual([1, 1]);
    expect(third?.get('norm0 (3)', 'pre', 'featureMax')).toEqual([3, 4]);
    expect(third?.get('norm0', 'pre', 'counts')[0]).toBe(0);
  });

  it.each([
    ['dispose', 1],
    ['keep', 5],
  ])('is captured to its end however many models it builds: %s', async (fate, updates) => {
    const [folds, layers] = [6, 300];
    const connection = await capture(fate, folds, layers, updates);
    expect(connection.of('event')).toEqual([]);
    expect(folds * layers).toBeGreaterThan(MAX_CAPTURED);
    // Layouts of so many layers are large; on a busy machine some steps are dropped for them.
    const [bye] = connection.of('bye');
    expect((bye?.sent ?? 0) + (bye?.dropped ?? 0)).toBe(folds * updates);
    const last = connection.steps.at(-1);
    expect(last?.frame.step).toBeGreaterThanOrEqual((folds - 1) * updates);
    const fired = last?.layout.layers.filter(
      ({ name }) => last.get(name, 'post', 'counts')[0] === 1,
    );
    expect(fired).toHaveLength(layers);
  });
});
