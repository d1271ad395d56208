import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { BlobReader } from '../../../extension/protocol/blobReader';
import {
  ADDRESS_VARIABLE,
  CAPTURE_VARIABLE,
  DEFAULT_CAPTURE,
  TOKEN_VARIABLE,
} from '../../../extension/protocol/environment';
import { layerId, runId } from '../../../extension/protocol/ids';
import { encodeBlob } from '../../../extension/protocol/safetensors';
import { closed, sendFrames, until } from '../../fixtures/agentSocket';
import { framesOf, stepBody, syntheticRun } from '../../fixtures/syntheticRun';
import { useHub } from './hubBench';

const bench = useHub();
const run = syntheticRun({ layers: 2, steps: 6, program: '/home/ada/train.py' });
const frames = framesOf(run);
const unfinished = framesOf(run, false);

/** V8's own, which is there for contexts that are made after the flag. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

/** Collects the commands that an agent gets. */
function commandsOf(socket: Socket): unknown[] {
  const reader = new BlobReader();
  const commands: unknown[] = [];
  socket.on('data', (chunk) => {
    for (const { body } of reader.push(chunk as Buffer)) commands.push(body);
  });
  return commands;
}

describe('a capture session', () => {
  it('waits for its process, follows it, and ends with it', async () => {
    const session = bench.open();
    expect(bench.summary(session)).toMatchObject({ phase: 'starting', framework: null, pid: 0 });
    const socket = await bench.agent(session);
    await sendFrames(socket, unfinished);
    await bench.phase(session, 'running');
    await until(() => bench.summary(session).steps === 6, 'all steps came');
    session.setPaused(true);
    expect(bench.summary(session).phase).toBe('paused');
    session.setPaused(false);
    expect(bench.summary(session).phase).toBe('running');
    await sendFrames(socket, frames.slice(-1));
    socket.end();
    await bench.phase(session, 'ended');
    session.end(0);
    expect(bench.summary(session)).toMatchObject({
      notice: null,
      program: 'train.py',
      layers: 2,
      steps: 6,
    });
    expect(session.notices).toEqual([]);
    expect(bench.hub.sessionByToken(session.token)).toBe(undefined);
  });

  it('gives its processes address, token and settings', () => {
    const { environment, token } = bench.open();
    expect(environment[TOKEN_VARIABLE]).toBe(token);
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect(environment[ADDRESS_VARIABLE]).toMatch(/^(unix|pipe|tcp):/);
    expect(JSON.parse(environment[CAPTURE_VARIABLE] ?? '')).toEqual(DEFAULT_CAPTURE);
    expect(bench.hub.sessionByToken(token)?.token).toBe(token);
    expect(bench.hub.sessionByToken('x')).toBeUndefined();
  });

  it('reads what is still on its way when its debug session ends first', async () => {
    const session = bench.open();
    const socket = await bench.agent(session);
    // Nothing was read yet: the frames lie in the socket when the session ends.
    for (const frame of frames) socket.write(frame);
    socket.end();
    session.end(0);
    await bench.phase(session, 'ended');
    expect(bench.summary(session)).toMatchObject({ steps: 6, framesReceived: 9, notice: null });
  });

  it('says so when the process never loaded a framework, with the exit code if it failed', async () => {
    const [fine, failed] = [bench.open(), bench.open('C:\\ada\\broken.py')];
    fine.end(0);
    failed.end(1);
    await bench.phase(fine, 'ended');
    await bench.phase(failed, 'ended');
    expect(bench.summary(fine).notice).toBe(
      'train.py ended without importing PyTorch or TensorFlow.js, so there was nothing to capture.',
    );
    expect(bench.summary(failed).notice).toBe(
      'broken.py ended with exit code 1 before importing PyTorch or TensorFlow.js, so there was nothing to capture.',
    );
    expect(fine.notices).toEqual([bench.summary(fine).notice]);
  });

  it('says so when there was no norm layer, or no step', async () => {
    const [none, still] = [bench.open(), bench.open()];
    const [a, b] = [await bench.agent(none), await bench.agent(still)];
    const bye = { ...run.bye, steps: 0 };
    await sendFrames(a, [encodeBlob(run.hello), encodeBlob(bye)]);
    await sendFrames(b, [...frames.slice(0, 2), encodeBlob(bye)]);
    a.end();
    b.end();
    await bench.phase(none, 'ended');
    await bench.phase(still, 'ended');
    expect(bench.summary(none).notice).toMatch(/^No normalization layer was found in train\.py/);
    expect(bench.summary(still).notice).toBe('train.py ended before a training step was captured.');
  });

  it('says after its end what there is to say about it, and then that it is finished', async () => {
    const [never, gone] = [bench.open('/home/ada/never.py'), bench.open('/home/ada/gone.py')];
    const socket = await bench.agent(gone);
    await sendFrames(socket, unfinished);
    await until(() => bench.summary(gone).steps === 6, 'all steps came');
    const finished: string[] = [];
    void never.finished.then(() => finished.push('never'));
    void gone.finished.then(() => finished.push('gone'));
    never.end(1);
    gone.end(0);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect([never.notices, gone.notices, finished]).toEqual([[], [], []]);
    socket.destroy();
    await Promise.all([never.finished, gone.finished]);
    expect(never.notices).toEqual([
      'never.py ended with exit code 1 before importing PyTorch or TensorFlow.js, so there was nothing to capture.',
    ]);
    expect(gone.notices).toEqual([
      expect.stringMatching(/^The training process vanished .*step is 5/),
    ]);
  });

  it('does not tell the person what they did: stop it', async () => {
    const [early, late] = [bench.open(), bench.open()];
    const socket = await bench.agent(late);
    await sendFrames(socket, unfinished);
    await until(() => bench.summary(late).steps === 6, 'all steps came');
    for (const session of [early, late]) session.setStopping();
    socket.destroy();
    for (const session of [early, late]) session.end();
    await Promise.all([early.finished, late.finished]);
    expect(bench.summary(early).notice).toBe('train.py was stopped before a step was captured.');
    expect([...early.notices, ...late.notices]).toEqual([]);
  });

  it('does not hold on to the runs of processes that have ended', async () => {
    await bench.hub.dispose();
    await bench.start({ maxRuns: 2, traceDir: null });
    const session = bench.open();
    const [first] = session.runs;
    const ended: WeakRef<object>[] = [];
    const newest = () => bench.hub.store.get(session.runs.at(-1) ?? runId(''));
    for (let at = 0; at < 5; at++) {
      const socket = await bench.agent(session);
      await sendFrames(socket, frames);
      socket.end();
      await until(() => newest()?.over === true && newest() !== ended.at(-1)?.deref(), 'it ended');
      const kept = newest();
      if (kept) ended.push(new WeakRef(kept));
    }
    expect(ended).toHaveLength(5);
    expect(session.runs).toHaveLength(2);
    expect(session.runs).not.toContain(first);
    expect(bench.hub.store.runs()).toHaveLength(2);
    await new Promise((resolve) => setTimeout(resolve, 10));
    collectGarbage();
    expect(ended.map((run) => run.deref() !== undefined)).toEqual([
      false,
      false,
      false,
      true,
      true,
    ]);
    session.setPaused(true);
    expect(bench.hub.store.runs().map(({ phase }) => phase)).toEqual(['ended', 'ended']);
    session.end(0);
    await session.finished;
  });

  it('passes on what the agent says to the person, once', async () => {
    const session = bench.open();
    const socket = await bench.agent(session);
    const event = { kind: 'event', event: 'hook-failed', message: 'A hook failed.' } as const;
    await sendFrames(socket, [encodeBlob(run.hello), encodeBlob(event), encodeBlob(event)]);
    await until(() => bench.summary(session).framesReceived === 3, 'the events came');
    expect(session.notices).toEqual(['A hook failed.']);
    expect(bench.summary(session).notice).toBe('A hook failed.');
  });

  it('makes no link or command of what a process says', async () => {
    const session = bench.open();
    const socket = await bench.agent(session);
    const message =
      'See [here](command:workbench.action.quit)\nand\u001b[2J [x](https://evil.test).';
    const event = { kind: 'event', event: 'hook-failed', message } as const;
    await sendFrames(socket, [encodeBlob(run.hello), encodeBlob(event)]);
    await until(() => session.notices.length === 1, 'the event came');
    expect(session.notices).toEqual([
      'See [here] (command:workbench.action.quit) and[2J [x] (https://evil.test).',
    ]);
  });

  it('does not let a process flood the log', async () => {
    const session = bench.open();
    const socket = await bench.agent(session);
    const lines = Array.from({ length: 3_000 }, (_, at) =>
      encodeBlob({ kind: 'log', level: 'info', message: `line ${at}` } as const),
    );
    await sendFrames(socket, [encodeBlob(run.hello), Buffer.concat(lines)]);
    await until(() => bench.summary(session).framesReceived === 3_001, 'all lines came');
    socket.end();
    await bench.phase(session, 'disconnected');
    const written = bench.log.filter((line) => line.startsWith('train.py: line'));
    expect(written[0]).toBe('train.py: line 0');
    expect(written.length).toBeLessThanOrEqual(200);
    const left = bench.log.flatMap((line) => /^(\d+) further lines/.exec(line)?.[1] ?? []);
    expect(written.length + left.reduce((sum, count) => sum + Number(count), 0)).toBe(3_000);
  });

  it('leaves what the agent said about missing norm layers standing at the end', async () => {
    const session = bench.open();
    const socket = await bench.agent(session);
    const empty = {
      ...run.layout,
      layers: [],
      slots: [],
      parameters: [],
      histograms: [],
      blockLength: 0,
    };
    const message = 'There is no norm layer; add its class to the settings.';
    const none = new Uint32Array(1);
    await sendFrames(socket, [
      encodeBlob(run.hello),
      encodeBlob(empty),
      encodeBlob(stepBody(0), {
        block: new Float32Array(0),
        splits: none,
        bins: new Uint16Array(0),
        counts: new Uint32Array(0),
      }),
      encodeBlob({ kind: 'event', event: 'no-norm-layer', message } as const),
      encodeBlob(run.bye),
    ]);
    socket.end();
    await bench.phase(session, 'ended');
    expect(bench.summary(session).notice).toBe(message);
    expect(session.notices).toEqual([message]);
  });

  it('mentions the exit code of a program that failed after training', async () => {
    const session = bench.open();
    const socket = await bench.agent(session);
    await sendFrames(socket, frames);
    socket.end();
    await bench.phase(session, 'ended');
    session.end(3);
    await until(() => session.notices.length > 0, 'a notice came');
    expect(session.notices).toEqual([
      'train.py ended with exit code 3; the last captured step is 5.',
    ]);
  });

  it('shows what was captured when the process is killed in the middle of a frame', async () => {
    const session = bench.open();
    const program = `
      const [host, token, frames] = [process.argv[1], process.argv[2], process.argv[3]];
      const path = host.slice(host.indexOf(':') + 1);
      const [address, port] = path.split(':');
      const socket = require('net').connect(host.startsWith('tcp:') ? { host: address, port: +port } : { path });
      socket.write(token);
      socket.write(require('fs').readFileSync(frames), () => process.stdout.write('sent'));
      setInterval(() => {}, 1000);`;
    const bytes = Buffer.concat(unfinished);
    await writeFile(join(bench.folder, 'frames'), bytes.subarray(0, bytes.length - 100));
    const child = spawn(process.execPath, [
      '-e',
      program,
      session.environment[ADDRESS_VARIABLE] ?? '',
      session.token,
      join(bench.folder, 'frames'),
    ]);
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await bench.phase(session, 'disconnected');
    session.end(-9);
    expect(bench.summary(session)).toMatchObject({
      steps: 5,
      notice:
        'The training process vanished (it may have been killed); the last captured step is 4.',
    });
    expect(session.notices).toHaveLength(1);
  });

  it('says that a process was stopped when the person asked for it', async () => {
    const session = bench.open();
    const socket = await bench.agent(session);
    await sendFrames(socket, unfinished);
    await until(() => bench.summary(session).steps === 6, 'the steps arrived');
    session.setStopping();
    socket.destroy();
    await bench.phase(session, 'ended');
    expect(bench.summary(session).notice).toBe(
      `${bench.summary(session).program} was stopped; the last captured step is 5.`,
    );
  });

  it("puts a session's own capture settings over the common ones", () => {
    const session = bench.hub.openSession({
      sessionType: 'normscope',
      program: 'train.py',
      capture: { budgetPercent: 0 },
    });
    expect(JSON.parse(session.environment[CAPTURE_VARIABLE] ?? '')).toEqual({
      ...DEFAULT_CAPTURE,
      budgetPercent: 0,
    });
    session.end();
  });

  it('keeps the run of a process that sends what can not be read', async () => {
    const session = bench.open();
    const socket = await bench.agent(session);
    await sendFrames(socket, [...unfinished, new Uint8Array(16).fill(255)]);
    await bench.phase(session, 'disconnected');
    expect(bench.summary(session).steps).toBe(6);
    expect(bench.summary(session).notice).toMatch(
      /^Capture of train\.py stopped; the last captured step is 5\. A frame announces a header of \d+ bytes; at most \d+ are accepted\.$/,
    );
  });

  it('lets go of a process that goes on after its debug session', async () => {
    const session = bench.open();
    const socket = await bench.agent(session);
    await sendFrames(socket, unfinished);
    await until(() => bench.summary(session).steps === 6, 'all steps came');
    session.end();
    session.end();
    await bench.phase(session, 'ended');
    expect(bench.summary(session).notice).toMatch(
      /ended while train\.py was still running; the last captured step is 5/,
    );
    await closed(socket);
  });

  it('makes a run of its own for each further process', async () => {
    const session = bench.open();
    const ranks = [0, 1, 2].map((rank) => ({ ...run.hello, rank, worldSize: 3, pid: 100 + rank }));
    for (const [at, hello] of ranks.entries()) {
      const socket = await bench.agent(session);
      await sendFrames(socket, [encodeBlob(hello), ...frames.slice(1)]);
      await until(() => session.runs.length === at + 1, 'the run is there');
      socket.end();
    }
    await bench.phase(session, 'ended', 2);
    expect(new Set(session.runs).size).toBe(3);
    expect([0, 1, 2].map((at) => bench.summary(session, at).rank)).toEqual([0, 1, 2]);
    expect(bench.hub.store.runs()).toHaveLength(3);
  });

  it('tells processes about new settings and about the layers that are looked at', async () => {
    const session = bench.open();
    const [first, second] = [await bench.agent(session), await bench.agent(session)];
    const commands = commandsOf(first);
    const others = commandsOf(second);
    await sendFrames(first, unfinished);
    await until(() => bench.summary(session).steps === 6, 'the first has connected');
    await sendFrames(second, unfinished);
    await until(() => session.runs.length === 2, 'the second has connected');
    const capture = { ...DEFAULT_CAPTURE, budgetPercent: 5 };
    bench.hub.setCapture(capture);
    const [id] = session.runs;
    if (id) bench.hub.focus(id, [layerId(1)]);
    await until(() => commands.length === 4 && others.length === 3, 'the commands came');
    expect(commands).toEqual([
      { kind: 'configure', capture: DEFAULT_CAPTURE },
      { kind: 'breakpoints', steps: false, nonFinite: false },
      { kind: 'configure', capture },
      { kind: 'focus', layers: [1] },
    ]);
    expect(JSON.parse(bench.open().environment[CAPTURE_VARIABLE] ?? '')).toEqual(capture);
  });
});
