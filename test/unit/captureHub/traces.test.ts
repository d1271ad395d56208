import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CaptureSession } from '../../../extension/core/captureHub';
import { layerId } from '../../../extension/protocol/ids';
import { decodeBlob } from '../../../extension/protocol/safetensors';
import { sendFrames, until } from '../../fixtures/agentSocket';
import { framesOf, syntheticRun } from '../../fixtures/syntheticRun';
import { useHub } from './hubBench';

const bench = useHub();
const run = syntheticRun({ layers: 2, steps: 6, program: '/home/ada/train.py' });
const frames = framesOf(run);
const unfinished = framesOf(run, false);

describe('traces', () => {
  const traces = () => join(bench.folder, 'traces');

  async function finishedRun(program = '/home/ada/train.py'): Promise<CaptureSession> {
    const session = bench.open(program);
    const socket = await bench.agent(session);
    await sendFrames(socket, frames);
    socket.end();
    await bench.phase(session, 'ended');
    session.end(0);
    return session;
  }

  it.skipIf(process.platform === 'win32')(
    'are restored past what is named like one but can not be read without waiting',
    async () => {
      const session = await finishedRun();
      await bench.hub.dispose();
      const [id] = session.runs;
      const pipes = ['5-pipe.py.normtrace', `${id}.normtrace.lock`].map((name) =>
        join(traces(), name),
      );
      for (const pipe of pipes) execFileSync('mkfifo', [pipe]);
      await symlink('/dev/zero', join(traces(), '6-device.py.normtrace'));
      await bench.start();
      await bench.hub.restore();
      expect(bench.hub.store.runs().map((restored) => restored.id)).toEqual([id]);
    },
  );

  it('hold the frames byte for byte and give the run back under its id after a reload', async () => {
    const session = await finishedRun();
    const [id] = session.runs;
    const layer = { view: 'layer', layer: layerId(1), step: 'live', points: 50 } as const;
    const ask = () =>
      id
        ? decodeBlob(bench.hub.store.query({ ...layer, run: id, ridges: 5, ridgePoints: 9 }))
        : undefined;
    const before = ask();
    await bench.hub.dispose();
    const written = await readFile(join(traces(), `${id}.normtrace`));
    expect(written.equals(Buffer.concat(frames))).toBe(true);

    await bench.start();
    await bench.hub.restore();
    await bench.hub.restore();
    expect(bench.hub.store.runs()).toHaveLength(1);
    expect(bench.hub.store.runs()[0]).toMatchObject({
      id,
      phase: 'ended',
      sessionType: '',
      steps: 6,
    });
    expect(bench.hub.store.runs()[0]?.notice).toMatch(
      /^Restored from the run of \d{4}-\d\d-\d\d \d\d:\d\d\.$/,
    );
    expect(ask()?.tensors).toEqual(before?.tensors);
  });

  it('are named safely, whatever the program is called', async () => {
    const session = await finishedRun('/tmp/наука ../a:b*?"<>|\u0000 c.py');
    await bench.hub.dispose();
    const [name] = await readdir(traces());
    expect(name).toMatch(/^\d+-[\p{L}\p{N}._-]+\.normtrace$/u);
    expect(`${session.runs[0]}.normtrace`).toBe(name);
  });

  it('of a process that did not end in order, or that were cut, are restored with a word on it', async () => {
    const session = bench.open();
    const socket = await bench.agent(session);
    await sendFrames(socket, unfinished);
    await until(() => bench.summary(session).steps === 6, 'all steps came');
    socket.destroy();
    await bench.phase(session, 'disconnected');
    await bench.hub.dispose();
    await bench.start();
    await bench.hub.restore();
    expect(bench.hub.store.runs()[0]?.steps).toBe(6);
    expect(bench.hub.store.runs()[0]?.notice).toMatch(
      /^Restored from .*\. The process did not end in order, or the rest of its trace was not kept\.$/,
    );
  });

  it('that another window writes are neither restored nor removed, until it is gone', async () => {
    const ids: (string | undefined)[] = [];
    for (const name of ['a', 'b']) ids.push((await finishedRun(`${name}.py`)).runs[0]);
    await bench.hub.dispose();
    const [foreign, stale] = ids.map((id) => join(traces(), `${id}.normtrace`));
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    const dead = spawn(process.execPath, ['-e', '']);
    await once(dead, 'exit');
    await writeFile(`${foreign}.lock`, String(other.pid));
    await writeFile(`${stale}.lock`, String(dead.pid));
    try {
      await bench.start();
      const restoring = bench.hub.restore();
      await until(() => bench.hub.store.runs().length > 0, 'a run was restored');
      expect(bench.hub.store.runs().map(({ id }) => id)).toEqual([ids[1]]);
      for (const name of ['c', 'd', 'e']) await finishedRun(`${name}.py`);
      await bench.hub.dispose();
      await restoring;
      const left = await readdir(traces());
      expect(left).toContain(`${ids[0]}.normtrace`);
      expect(left).not.toContain(`${ids[1]}.normtrace`);
      expect(left.filter((name) => name.endsWith('.lock'))).toEqual([`${ids[0]}.normtrace.lock`]);
    } finally {
      other.kill('SIGKILL');
      await once(other, 'exit');
    }
    await bench.start();
    await bench.hub.restore();
    expect(bench.hub.store.runs().map(({ id }) => id)).toContain(ids[0]);
  });

  it('are marked while they are written', async () => {
    const session = bench.open();
    const socket = await bench.agent(session);
    await sendFrames(socket, unfinished);
    await until(() => bench.summary(session).steps === 6, 'all steps came');
    const lock = join(traces(), `${session.runs[0]}.normtrace.lock`);
    expect(await readFile(lock, 'utf8')).toBe(String(process.pid));
    socket.destroy();
    await bench.phase(session, 'disconnected');
    await bench.hub.dispose();
    expect(await readdir(traces())).toEqual([`${session.runs[0]}.normtrace`]);
  });

  it('of the newest three runs are kept', async () => {
    const ids: (string | undefined)[] = [];
    for (let i = 0; i < 5; i++) {
      ids.push((await finishedRun(`run${i}.py`)).runs[0]);
      await new Promise((resolve) => setTimeout(resolve, 3));
    }
    await bench.hub.dispose();
    expect((await readdir(traces())).sort()).toEqual(ids.slice(2).map((id) => `${id}.normtrace`));
  });

  it('whose tail was torn, or that are damaged, give what can be read and say so', async () => {
    const torn = (await finishedRun('torn.py')).runs[0];
    const damaged = (await finishedRun('damaged.py')).runs[0];
    await bench.hub.dispose();
    const bytes = Buffer.concat(frames);
    await truncate(
      join(traces(), `${torn}.normtrace`),
      bytes.length - (frames[8]?.length ?? 0) - 10,
    );
    const at = Buffer.concat(frames.slice(0, 4)).length;
    bytes.fill(0xee, at, at + 400);
    await writeFile(join(traces(), `${damaged}.normtrace`), bytes);
    await writeFile(join(traces(), '123-nonsense.normtrace'), 'this is no trace at all');
    await writeFile(join(traces(), 'notes.txt'), 'not ours');

    await bench.start();
    await bench.hub.restore();
    const restored = (id: string | undefined) =>
      bench.hub.store.runs().find((entry) => entry.id === id);
    expect(restored(torn)?.steps).toBe(5);
    expect(restored(torn)?.notice).toMatch(/\. Its last frame is not whole and was left out\.$/);
    expect(restored(damaged)?.steps).toBe(2);
    expect(restored(damaged)?.notice).toMatch(/\. The rest of its trace could not be read: .*\.$/);
    expect(bench.hub.store.runs()).toHaveLength(2);
    expect(bench.log.join('\n')).toMatch(/123-nonsense\.normtrace holds no run/);
  });

  it('stop at their limit with a word in the log, while the run goes on', async () => {
    await bench.hub.dispose();
    const limit = Buffer.concat(frames.slice(0, 4)).length + 10;
    await bench.start({ maxTraceBytes: limit });
    const session = await finishedRun();
    expect(bench.summary(session).steps).toBe(6);
    await bench.hub.dispose();
    const written = await readFile(join(traces(), `${session.runs[0]}.normtrace`));
    expect(written.equals(Buffer.concat(frames.slice(0, 4)))).toBe(true);
    expect(bench.log.filter((line) => line.includes('ends here'))).toHaveLength(1);
  });

  it('that can not be written cost nothing but a word in the log', async () => {
    await bench.hub.dispose();
    await writeFile(join(bench.folder, 'file'), '');
    await bench.start({ traceDir: join(bench.folder, 'file') });
    expect(bench.summary(await finishedRun()).steps).toBe(6);
    expect(bench.log.join()).toContain('not kept over a reload');
    await bench.hub.restore();
  });

  it('are not written when there is no folder for them', async () => {
    await bench.hub.dispose();
    await bench.start({ traceDir: null });
    expect(bench.summary(await finishedRun()).steps).toBe(6);
    await bench.hub.restore();
    expect(bench.hub.store.runs()).toHaveLength(1);
  });
});

describe('the hub', () => {
  it('leaves nothing behind when it is disposed in the middle of a run', async () => {
    const session = bench.open();
    const socket = await bench.agent(session);
    await sendFrames(socket, unfinished);
    await until(() => bench.summary(session).steps === 6, 'all steps came');
    await bench.hub.dispose();
    await bench.hub.dispose();
    expect(await readdir(bench.folder)).toEqual(['traces']);
    const [name] = await readdir(join(bench.folder, 'traces'));
    const written = await readFile(join(bench.folder, 'traces', name ?? ''));
    expect(written.equals(Buffer.concat(unfinished))).toBe(true);
  });
});
