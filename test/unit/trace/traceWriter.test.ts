import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startOfTrace, traceStem } from '../../../extension/core/trace/traceNames';
import { TraceWriter } from '../../../extension/core/trace/traceWriter';

let folder: string;
const log: string[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ns-'));
  log.length = 0;
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const writer = (name: string, maxBytes = 1e9) =>
  new TraceWriter(join(folder, name), maxBytes, (_, message) => log.push(message));

describe('TraceWriter', () => {
  it('never overwrites a file and says why nothing is written', async () => {
    await writeFile(join(folder, 'a'), 'of another run');
    const trace = writer('a');
    trace.append('hello', [Uint8Array.of(1, 2, 3)]);
    await trace.close();
    trace.append('step', [Uint8Array.of(4)]);
    expect(await readFile(join(folder, 'a'), 'utf8')).toBe('of another run');
    expect(log).toEqual([expect.stringContaining('is not written')]);
  });

  it('leaves steps out when the disk is slower than the training, and no other frame', async () => {
    const trace = writer('b');
    const step = new Uint8Array(9 * 1024 * 1024).fill(7);
    trace.append('hello', [Uint8Array.of(1)]);
    // All in one turn, so that nothing can reach the disk in between.
    for (let i = 0; i < 10; i++) trace.append('step', [step]);
    await trace.close();
    const written = await readFile(join(folder, 'b'));
    expect((written.length - 1) % step.length).toBe(0);
    expect((written.length - 1) / step.length).toBeGreaterThan(2);
    expect((written.length - 1) / step.length).toBeLessThan(10);
    expect(log).toEqual([expect.stringContaining('misses some steps')]);
  });

  it('takes deep captures up to a share of its limit, and every other frame', async () => {
    const trace = writer('c', 4_000);
    const deep = new Uint8Array(400).fill(8);
    trace.append('hello', [Uint8Array.of(1)]);
    for (let i = 0; i < 10; i++) {
      trace.append('deep', [deep]);
      trace.append('step', [Uint8Array.of(2)]);
    }
    await trace.close();
    const written = await readFile(join(folder, 'c'));
    expect(written.filter((byte) => byte === 8)).toHaveLength(2 * 400);
    expect(written.filter((byte) => byte === 2)).toHaveLength(10);
    // Said once, however many are left out.
    expect(log).toEqual([expect.stringContaining('has no room for some of the deep captures')]);
  });
});

describe('trace names', () => {
  it('tell the start of the run, and nothing of what is not a trace', () => {
    expect(startOfTrace(`${traceStem(1700000000123.9, '/a/b/train.py')}.normtrace`)).toBe(
      1700000000123,
    );
    for (const name of ['train.normtrace', '12-train.py', 'x12-a.normtrace', '.normtrace']) {
      expect(startOfTrace(name)).toBeUndefined();
    }
  });

  it.each([
    ['C:\\work\\my model.py', '5-my_model.py'],
    ['/tmp/训练.py', '5-训练.py'],
    ['..', '5-..'],
    ['a/../../..\\', '5-..'],
    ['', '5-'],
    [`/x/${'n'.repeat(500)}.py`, `5-${'n'.repeat(60)}`],
  ])('of %j have no character that a file system minds', (program, stem) => {
    expect(traceStem(5, program)).toBe(stem);
  });
});
