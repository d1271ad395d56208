import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { encodeBlob } from '../../../extension/protocol/safetensors';
import { Collector } from './harness/collector';
import { FLAVOURS, Workshop, type Flavour } from './harness/programs';

const NATIVE: Flavour = '@tensorflow/tfjs-node';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let workshop: Workshop;
let collector: Collector;
beforeAll(async () => {
  workshop = await Workshop.open();
});
afterAll(() => workshop.close());

async function withCollector(
  body: (collector: Collector) => Promise<void>,
  options: Parameters<typeof Collector.start>[0] = {},
) {
  collector = await Collector.start(options);
  try {
    await body(collector);
  } finally {
    await collector.close();
  }
}

describe('a process that does not train', () => {
  it('runs as ever and does not connect: npm', () =>
    withCollector(async () => {
      const npm = 'require("node:child_process").execSync("npm --version", { stdio: "inherit" })';
      const { code, stdout, stderr } = await workshop.runNode(['-e', npm], { collector });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout.trim()).toMatch(/^\d+\.\d+/);
      expect(collector.connections).toEqual([]);
    }));

  it('runs as ever and does not connect: TensorFlow.js in a worker thread', () =>
    withCollector(async () => {
      const { code, stdout } = await workshop.run('workers.cjs', { collector });
      expect(code).toBe(0);
      expect(stdout).toMatch(/^cost -?\d/m);
      expect(collector.connections).toEqual([]);
    }));

  it('is left alone when capture is off, or there is no collector', () =>
    withCollector(async () => {
      const off = { collector, capture: { enabled: false }, args: ['end', '2'] };
      expect(await workshop.run('exits.cjs', off)).toMatchObject({ code: 0 });
      expect(collector.connections).toEqual([]);
      await collector.close();
      const gone = await workshop.run('exits.cjs', { collector, args: ['end', '30'] });
      expect(gone).toMatchObject({ code: 0, stdout: expect.stringContaining('trained') });
      collector = await Collector.start();
    }));
});

describe('a program that fails', () => {
  it('fails with the same error as without the agent: batch normalization without scale', () =>
    withCollector(async () => {
      const { stdout: expected } = await workshop.run('scaleFalse.cjs');
      const { stdout } = await workshop.run('scaleFalse.cjs', { collector });
      expect(expected).toMatch(/^TypeError: /m);
      expect(stdout).toBe(expected);
      expect(collector.only.of('bye')[0]).toMatchObject({ steps: 1, sent: 1, errors: 0 });
      const [step] = collector.only.steps;
      expect(step?.get('other', 'pre', 'counts')[0]).toBe(1);
    }));
});

describe('a program with something missing', () => {
  const eventOf = () => collector.only.of('event').map(({ event }) => event);

  it('is told that it has no norm layer, at its end', () =>
    withCollector(async () => {
      await workshop.run('plain.cjs', { collector, args: ['3'] });
      expect(eventOf()).toEqual(['no-norm-layer']);
      expect(collector.only.of('bye')[0]?.steps).toBe(3);
    }));

  it('is told that it has no norm layer, after 20 steps', () =>
    withCollector(async () => {
      await workshop.run('plain.cjs', { collector, args: ['25'] });
      expect(eventOf()).toEqual(['no-norm-layer']);
      expect(collector.only.of('event')[0]?.message).toMatch(/20 optimizer updates/);
    }));

  it('is told that it has no optimizer step, and shows its layers', () =>
    withCollector(async () => {
      await workshop.run('inference.cjs', { collector });
      expect(eventOf()).toEqual(['no-optimizer-step']);
      expect(collector.only.of('layout')[0]?.layers.map(({ name }) => name)).toEqual(['norm']);
    }));
});

describe.each(FLAVOURS)('on %s, what was captured arrives', (flavour) => {
  it.each([
    ['exit', 3],
    ['throw', 1],
    ['end', 0],
  ])('when the program ends by %s', (how, exitCode) =>
    withCollector(async () => {
      const { code } = await workshop.run('exits.cjs', { flavour, collector, args: [how, '15'] });
      expect(code).toBe(exitCode);
      expect(collector.only.steps).toHaveLength(15);
      expect(collector.only.of('bye')[0]).toMatchObject({ steps: 15, sent: 15, dropped: 0 });
      expect(collector.only.pending).toBe(0);
    }),
  );
});

describe('the connection', () => {
  it('works over TCP', () =>
    withCollector(
      async () => {
        await workshop.run('training.cjs', { collector, args: ['minimize', '4'] });
        expect(collector.only.steps).toHaveLength(4);
        expect(collector.only.of('bye')).toHaveLength(1);
      },
      { tcp: true },
    ));

  it('sends while a program trains without ever yielding to the event loop', () =>
    withCollector(async () => {
      const args = ['end', '400', '128'];
      const run = workshop.run('exits.cjs', { collector, args });
      const early = await new Promise<number>((resolve) => {
        const timer = setInterval(() => {
          const steps = collector.connections[0]?.of('step').length ?? 0;
          if (steps > 0) {
            clearInterval(timer);
            resolve(steps);
          }
        }, 10);
      });
      expect(early).toBeLessThan(400);
      collector.send(
        encodeBlob({ kind: 'configure', capture: { enabled: false } } as { kind: string }),
      );
      expect(await run).toMatchObject({ code: 0 });
      // The command has been heard within the same loop.
      expect(collector.only.of('bye')[0]?.sent).toBeLessThan(400);
      expect(collector.only.of('bye')[0]?.steps).toBe(400);
    }));

  it('may end in the middle of a run: the program goes on', () =>
    withCollector(
      async () => {
        const args = ['minimize', '30'];
        const { code, stdout } = await workshop.run('training.cjs', { collector, args });
        expect(code).toBe(0);
        const { stdout: expected } = await workshop.run('training.cjs', { args });
        expect(stdout).toBe(expected);
        expect(collector.only.steps.length).toBeLessThan(30);
      },
      { endAfter: 60_000 },
    ));

  it('to a collector that never reads costs whole steps, not the program', () =>
    withCollector(
      async () => {
        const options = { flavour: NATIVE, collector, args: ['exit', '40', '16384', '2'] };
        // Ended by `run` if it waited for the collector.
        expect(await workshop.run('exits.cjs', options)).toMatchObject({ code: 3 });
        expect(collector.only.of('bye')).toEqual([]);
      },
      { readAtMost: 1 },
    ));

  it('to a slow collector: what was dropped is counted', () =>
    withCollector(
      async (slow) => {
        const options = { flavour: NATIVE, collector, args: ['end', '60', '16384', '2'] };
        const run = workshop.run('exits.cjs', options);
        const reading = setInterval(() => slow.resume(), 10);
        expect(await run).toMatchObject({ code: 0 });
        // The process may be gone before all that it sent has been read.
        await expect.poll(() => collector.only.of('bye').length, { timeout: 20_000 }).toBe(1);
        clearInterval(reading);
        const [bye] = collector.only.of('bye');
        expect(bye?.dropped).toBeGreaterThan(0);
        expect((bye?.sent ?? 0) + (bye?.dropped ?? 0)).toBe(60);
        expect(collector.only.steps).toHaveLength(bye?.sent ?? -1);
        expect(collector.only.steps.at(-1)?.frame.dropped).toBeGreaterThan(0);
      },
      { readAtMost: 1 },
    ));
});

describe('the budget', () => {
  it('skips steps and says how many, and what capture costs', () =>
    withCollector(async () => {
      const options = { collector, capture: { budgetPercent: 0.5 }, args: ['minimize', '1500'] };
      await workshop.run('training.cjs', options);
      const [bye] = collector.only.of('bye');
      expect(bye?.skipped).toBeGreaterThan(50);
      expect((bye?.sent ?? 0) + (bye?.skipped ?? 0)).toBe(1500);
      const last = collector.only.steps.at(-1)?.frame;
      expect(last?.interval).toBeGreaterThan(1);
      expect(last?.overheadPercent).toBeGreaterThan(0);
    }));
});
