import { mkdtemp, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CaptureHub, type CaptureSession, type HubOptions } from '../../extension/core/captureHub';
import { BlobReader } from '../../extension/protocol/blobReader';
import {
  ADDRESS_VARIABLE,
  CAPTURE_VARIABLE,
  DEFAULT_CAPTURE,
  TOKEN_VARIABLE,
} from '../../extension/protocol/environment';
import { layerId, runId } from '../../extension/protocol/ids';
import { decodeBlob, encodeBlob } from '../../extension/protocol/safetensors';
import type { RunSummary } from '../../extension/protocol/views';
import { closed, connectAgent, sendFrames, until } from '../fixtures/agentSocket';
import { framesOf, stepBody, syntheticRun } from '../fixtures/syntheticRun';

const run = syntheticRun({ layers: 2, steps: 6, program: '/home/ada/train.py' });
const frames = framesOf(run);
const unfinished = framesOf(run, false);
let folder: string;
let hub: CaptureHub;
const sockets: Socket[] = [];
const log: string[] = [];

/** V8's own, which is there for contexts that are made after the flag. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

const startHub = (change: Partial<HubOptions> = {}) =>
  CaptureHub.start({
    socketRoot: folder,
    traceDir: join(folder, 'traces'),
    capture: DEFAULT_CAPTURE,
    log: (_, message) => void log.push(message),
    ...change,
  });

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ns-'));
  log.length = 0;
  hub = await startHub();
});

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await hub.dispose();
  await rm(folder, { recursive: true, force: true });
});

function open(program = '/home/ada/train.py'): CaptureSession & { readonly notices: string[] } {
  const session = hub.openSession({ sessionType: 'normscope', program });
  const notices: string[] = [];
  session.onNotice((message) => notices.push(message));
  return Object.assign(session, { notices });
}

async function agent(session: CaptureSession): Promise<Socket> {
  const socket = await connectAgent(session.environment);
  sockets.push(socket);
  return socket;
}

const summary = (session: CaptureSession, at = 0): RunSummary => {
  const found = hub.store.runs().find((entry) => entry.id === session.runs[at]);
  if (!found) throw new Error('The session has no such run.');
  return found;
};

const phase = (session: CaptureSession, wanted: RunSummary['phase'], at = 0) =>
  until(() => summary(session, at).phase === wanted, `the run is ${wanted}`);

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
    const session = open();
    expect(summary(session)).toMatchObject({ phase: 'starting', framework: null, pid: 0 });
    const socket = await agent(session);
    await sendFrames(socket, unfinished);
    await phase(session, 'running');
    await until(() => summary(session).steps === 6, 'all steps came');
    session.setPaused(true);
    expect(summary(session).phase).toBe('paused');
    session.setPaused(false);
    expect(summary(session).phase).toBe('running');
    await sendFrames(socket, frames.slice(-1));
    socket.end();
    await phase(session, 'ended');
    session.end(0);
    expect(summary(session)).toMatchObject({
      notice: null,
      program: 'train.py',
      layers: 2,
      steps: 6,
    });
    expect(session.notices).toEqual([]);
    expect(hub.sessionByToken(session.token)).toBe(undefined);
  });

  it('gives its processes address, token and settings', () => {
    const { environment, token } = open();
    expect(environment[TOKEN_VARIABLE]).toBe(token);
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect(environment[ADDRESS_VARIABLE]).toMatch(/^(unix|pipe|tcp):/);
    expect(JSON.parse(environment[CAPTURE_VARIABLE] ?? '')).toEqual(DEFAULT_CAPTURE);
    expect(hub.sessionByToken(token)?.token).toBe(token);
    expect(hub.sessionByToken('x')).toBeUndefined();
  });

  it('reads what is still on its way when its debug session ends first', async () => {
    const session = open();
    const socket = await agent(session);
    // Nothing was read yet: the frames lie in the socket when the session ends.
    for (const frame of frames) socket.write(frame);
    socket.end();
    session.end(0);
    await phase(session, 'ended');
    expect(summary(session)).toMatchObject({ steps: 6, framesReceived: 9, notice: null });
  });

  it('says so when the process never loaded a framework, with the exit code if it failed', async () => {
    const [fine, failed] = [open(), open('C:\\ada\\broken.py')];
    fine.end(0);
    failed.end(1);
    await phase(fine, 'ended');
    await phase(failed, 'ended');
    expect(summary(fine).notice).toBe(
      'train.py ended without importing PyTorch or TensorFlow.js, so there was nothing to capture.',
    );
    expect(summary(failed).notice).toBe(
      'broken.py ended with exit code 1 before importing PyTorch or TensorFlow.js, so there was nothing to capture.',
    );
    expect(fine.notices).toEqual([summary(fine).notice]);
  });

  it('says so when there was no norm layer, or no step', async () => {
    const [none, still] = [open(), open()];
    const [a, b] = [await agent(none), await agent(still)];
    const bye = { ...run.bye, steps: 0 };
    await sendFrames(a, [encodeBlob(run.hello), encodeBlob(bye)]);
    await sendFrames(b, [...frames.slice(0, 2), encodeBlob(bye)]);
    a.end();
    b.end();
    await phase(none, 'ended');
    await phase(still, 'ended');
    expect(summary(none).notice).toMatch(/^No normalization layer was found in train\.py/);
    expect(summary(still).notice).toBe('train.py ended before a training step was captured.');
  });

  it('says after its end what there is to say about it, and then that it is finished', async () => {
    const [never, gone] = [open('/home/ada/never.py'), open('/home/ada/gone.py')];
    const socket = await agent(gone);
    await sendFrames(socket, unfinished);
    await until(() => summary(gone).steps === 6, 'all steps came');
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
      expect.stringMatching(/^The training process vanished .*step 5/),
    ]);
  });

  it('does not tell the person what they did: stop it', async () => {
    const [early, late] = [open(), open()];
    const socket = await agent(late);
    await sendFrames(socket, unfinished);
    await until(() => summary(late).steps === 6, 'all steps came');
    for (const session of [early, late]) session.setStopping();
    socket.destroy();
    for (const session of [early, late]) session.end();
    await Promise.all([early.finished, late.finished]);
    expect(summary(early).notice).toBe('train.py was stopped before a step was captured.');
    expect([...early.notices, ...late.notices]).toEqual([]);
  });

  it('does not hold on to the runs of processes that have ended', async () => {
    await hub.dispose();
    hub = await startHub({ maxRuns: 2, traceDir: null });
    const session = open();
    const [first] = session.runs;
    const ended: WeakRef<object>[] = [];
    const newest = () => hub.store.get(session.runs.at(-1) ?? runId(''));
    for (let at = 0; at < 5; at++) {
      const socket = await agent(session);
      await sendFrames(socket, frames);
      socket.end();
      await until(() => newest()?.over === true && newest() !== ended.at(-1)?.deref(), 'it ended');
      const kept = newest();
      if (kept) ended.push(new WeakRef(kept));
    }
    expect(ended).toHaveLength(5);
    expect(session.runs).toHaveLength(2);
    expect(session.runs).not.toContain(first);
    expect(hub.store.runs()).toHaveLength(2);
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
    expect(hub.store.runs().map(({ phase }) => phase)).toEqual(['ended', 'ended']);
    session.end(0);
    await session.finished;
  });

  it('passes on what the agent says to the person, once', async () => {
    const session = open();
    const socket = await agent(session);
    const event = { kind: 'event', event: 'hook-failed', message: 'A hook failed.' } as const;
    await sendFrames(socket, [encodeBlob(run.hello), encodeBlob(event), encodeBlob(event)]);
    await until(() => summary(session).framesReceived === 3, 'the events came');
    expect(session.notices).toEqual(['A hook failed.']);
    expect(summary(session).notice).toBe('A hook failed.');
  });

  it('makes no link or command of what a process says', async () => {
    const session = open();
    const socket = await agent(session);
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
    const session = open();
    const socket = await agent(session);
    const lines = Array.from({ length: 3_000 }, (_, at) =>
      encodeBlob({ kind: 'log', level: 'info', message: `line ${at}` } as const),
    );
    await sendFrames(socket, [encodeBlob(run.hello), Buffer.concat(lines)]);
    await until(() => summary(session).framesReceived === 3_001, 'all lines came');
    socket.end();
    await phase(session, 'disconnected');
    const written = log.filter((line) => line.startsWith('train.py: line'));
    expect(written[0]).toBe('train.py: line 0');
    expect(written.length).toBeLessThanOrEqual(200);
    const left = log.flatMap((line) => /^(\d+) further lines/.exec(line)?.[1] ?? []);
    expect(written.length + left.reduce((sum, count) => sum + Number(count), 0)).toBe(3_000);
  });

  it('leaves what the agent said about missing norm layers standing at the end', async () => {
    const session = open();
    const socket = await agent(session);
    const empty = { ...run.layout, layers: [], slots: [], histograms: [], blockLength: 0 };
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
    await phase(session, 'ended');
    expect(summary(session).notice).toBe(message);
    expect(session.notices).toEqual([message]);
  });

  it('mentions the exit code of a program that failed after training', async () => {
    const session = open();
    const socket = await agent(session);
    await sendFrames(socket, frames);
    socket.end();
    await phase(session, 'ended');
    session.end(3);
    await until(() => session.notices.length > 0, 'a notice came');
    expect(session.notices).toEqual([
      'train.py ended with exit code 3 after step 5; what was captured until then is shown.',
    ]);
  });

  it('shows what was captured when the process is killed in the middle of a frame', async () => {
    const session = open();
    const program = `
      const [host, token, frames] = [process.argv[1], process.argv[2], process.argv[3]];
      const path = host.slice(host.indexOf(':') + 1);
      const [address, port] = path.split(':');
      const socket = require('net').connect(host.startsWith('tcp:') ? { host: address, port: +port } : { path });
      socket.write(token);
      socket.write(require('fs').readFileSync(frames), () => process.stdout.write('sent'));
      setInterval(() => {}, 1000);`;
    const bytes = Buffer.concat(unfinished);
    await writeFile(join(folder, 'frames'), bytes.subarray(0, bytes.length - 100));
    const child = spawn(process.execPath, [
      '-e',
      program,
      session.environment[ADDRESS_VARIABLE] ?? '',
      session.token,
      join(folder, 'frames'),
    ]);
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await phase(session, 'disconnected');
    session.end(-9);
    expect(summary(session)).toMatchObject({
      steps: 5,
      notice:
        'The training process vanished (it may have been killed) after step 4; what was captured until then is shown.',
    });
    expect(session.notices).toHaveLength(1);
  });

  it('says that a process was stopped when the person asked for it', async () => {
    const session = open();
    const socket = await agent(session);
    await sendFrames(socket, unfinished);
    await until(() => summary(session).steps === 6, 'the steps arrived');
    session.setStopping();
    socket.destroy();
    await phase(session, 'ended');
    expect(summary(session).notice).toBe(
      `${summary(session).program} was stopped after step 5; what was captured until then is shown.`,
    );
  });

  it("puts a session's own capture settings over the common ones", () => {
    const session = hub.openSession({
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
    const session = open();
    const socket = await agent(session);
    await sendFrames(socket, [...unfinished, new Uint8Array(16).fill(255)]);
    await phase(session, 'disconnected');
    expect(summary(session).steps).toBe(6);
    expect(summary(session).notice).toMatch(
      /^Capture of train\.py stopped after step 5; what was captured until then is shown\. A frame announces a header of \d+ bytes; at most \d+ are accepted\.$/,
    );
  });

  it('lets go of a process that goes on after its debug session', async () => {
    const session = open();
    const socket = await agent(session);
    await sendFrames(socket, unfinished);
    await until(() => summary(session).steps === 6, 'all steps came');
    session.end();
    session.end();
    await phase(session, 'ended');
    expect(summary(session).notice).toMatch(
      /ended while train\.py was still running, after step 5/,
    );
    await closed(socket);
  });

  it('makes a run of its own for each further process', async () => {
    const session = open();
    const ranks = [0, 1, 2].map((rank) => ({ ...run.hello, rank, worldSize: 3, pid: 100 + rank }));
    for (const [at, hello] of ranks.entries()) {
      const socket = await agent(session);
      await sendFrames(socket, [encodeBlob(hello), ...frames.slice(1)]);
      await until(() => session.runs.length === at + 1, 'the run is there');
      socket.end();
    }
    await phase(session, 'ended', 2);
    expect(new Set(session.runs).size).toBe(3);
    expect([0, 1, 2].map((at) => summary(session, at).rank)).toEqual([0, 1, 2]);
    expect(hub.store.runs()).toHaveLength(3);
  });

  it('tells processes about new settings and about the layers that are looked at', async () => {
    const session = open();
    const [first, second] = [await agent(session), await agent(session)];
    const commands = commandsOf(first);
    const others = commandsOf(second);
    await sendFrames(first, unfinished);
    await until(() => summary(session).steps === 6, 'the first has connected');
    await sendFrames(second, unfinished);
    await until(() => session.runs.length === 2, 'the second has connected');
    const capture = { ...DEFAULT_CAPTURE, budgetPercent: 5 };
    hub.setCapture(capture);
    const [id] = session.runs;
    if (id) hub.focus(id, [layerId(1)]);
    await until(() => commands.length === 3 && others.length === 2, 'the commands came');
    expect(commands).toEqual([
      { kind: 'configure', capture: DEFAULT_CAPTURE },
      { kind: 'configure', capture },
      { kind: 'focus', layers: [1] },
    ]);
    expect(JSON.parse(open().environment[CAPTURE_VARIABLE] ?? '')).toEqual(capture);
  });
});

describe('traces', () => {
  const traces = () => join(folder, 'traces');

  async function finishedRun(program = '/home/ada/train.py'): Promise<CaptureSession> {
    const session = open(program);
    const socket = await agent(session);
    await sendFrames(socket, frames);
    socket.end();
    await phase(session, 'ended');
    session.end(0);
    return session;
  }

  it.skipIf(process.platform === 'win32')(
    'are restored past what is named like one but can not be read without waiting',
    async () => {
      const session = await finishedRun();
      await hub.dispose();
      const [id] = session.runs;
      const pipes = ['5-pipe.py.normtrace', `${id}.normtrace.lock`].map((name) =>
        join(traces(), name),
      );
      for (const pipe of pipes) execFileSync('mkfifo', [pipe]);
      await symlink('/dev/zero', join(traces(), '6-device.py.normtrace'));
      hub = await startHub();
      await hub.restore();
      expect(hub.store.runs().map((restored) => restored.id)).toEqual([id]);
    },
  );

  it('hold the frames byte for byte and give the run back under its id after a reload', async () => {
    const session = await finishedRun();
    const [id] = session.runs;
    const layer = { view: 'layer', layer: layerId(1), step: 'live', points: 50 } as const;
    const ask = () =>
      id
        ? decodeBlob(hub.store.query({ ...layer, run: id, ridges: 5, ridgePoints: 9 }))
        : undefined;
    const before = ask();
    await hub.dispose();
    const written = await readFile(join(traces(), `${id}.normtrace`));
    expect(written.equals(Buffer.concat(frames))).toBe(true);

    hub = await startHub();
    await hub.restore();
    await hub.restore();
    expect(hub.store.runs()).toHaveLength(1);
    expect(hub.store.runs()[0]).toMatchObject({ id, phase: 'ended', sessionType: '', steps: 6 });
    expect(hub.store.runs()[0]?.notice).toMatch(
      /^Restored from the run of \d{4}-\d\d-\d\d \d\d:\d\d\.$/,
    );
    expect(ask()?.tensors).toEqual(before?.tensors);
  });

  it('are named safely, whatever the program is called', async () => {
    const session = await finishedRun('/tmp/наука ../a:b*?"<>|\u0000 c.py');
    await hub.dispose();
    const [name] = await readdir(traces());
    expect(name).toMatch(/^\d+-[\p{L}\p{N}._-]+\.normtrace$/u);
    expect(`${session.runs[0]}.normtrace`).toBe(name);
  });

  it('of a process that did not end in order, or that were cut, are restored with a word on it', async () => {
    const session = open();
    const socket = await agent(session);
    await sendFrames(socket, unfinished);
    await until(() => summary(session).steps === 6, 'all steps came');
    socket.destroy();
    await phase(session, 'disconnected');
    await hub.dispose();
    hub = await startHub();
    await hub.restore();
    expect(hub.store.runs()[0]?.steps).toBe(6);
    expect(hub.store.runs()[0]?.notice).toMatch(
      /^Restored from .*\. The process did not end in order, or the rest of its trace was not kept\.$/,
    );
  });

  it('that another window writes are neither restored nor removed, until it is gone', async () => {
    const ids: (string | undefined)[] = [];
    for (const name of ['a', 'b']) ids.push((await finishedRun(`${name}.py`)).runs[0]);
    await hub.dispose();
    const [foreign, stale] = ids.map((id) => join(traces(), `${id}.normtrace`));
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    const dead = spawn(process.execPath, ['-e', '']);
    await once(dead, 'exit');
    await writeFile(`${foreign}.lock`, String(other.pid));
    await writeFile(`${stale}.lock`, String(dead.pid));
    try {
      hub = await startHub();
      const restoring = hub.restore();
      await until(() => hub.store.runs().length > 0, 'a run was restored');
      expect(hub.store.runs().map(({ id }) => id)).toEqual([ids[1]]);
      for (const name of ['c', 'd', 'e']) await finishedRun(`${name}.py`);
      await hub.dispose();
      await restoring;
      const left = await readdir(traces());
      expect(left).toContain(`${ids[0]}.normtrace`);
      expect(left).not.toContain(`${ids[1]}.normtrace`);
      expect(left.filter((name) => name.endsWith('.lock'))).toEqual([`${ids[0]}.normtrace.lock`]);
    } finally {
      other.kill('SIGKILL');
      await once(other, 'exit');
    }
    hub = await startHub();
    await hub.restore();
    expect(hub.store.runs().map(({ id }) => id)).toContain(ids[0]);
  });

  it('are marked while they are written', async () => {
    const session = open();
    const socket = await agent(session);
    await sendFrames(socket, unfinished);
    await until(() => summary(session).steps === 6, 'all steps came');
    const lock = join(traces(), `${session.runs[0]}.normtrace.lock`);
    expect(await readFile(lock, 'utf8')).toBe(String(process.pid));
    socket.destroy();
    await phase(session, 'disconnected');
    await hub.dispose();
    expect(await readdir(traces())).toEqual([`${session.runs[0]}.normtrace`]);
  });

  it('of the newest three runs are kept', async () => {
    const ids: (string | undefined)[] = [];
    for (let i = 0; i < 5; i++) {
      ids.push((await finishedRun(`run${i}.py`)).runs[0]);
      await new Promise((resolve) => setTimeout(resolve, 3));
    }
    await hub.dispose();
    expect((await readdir(traces())).sort()).toEqual(ids.slice(2).map((id) => `${id}.normtrace`));
  });

  it('whose tail was torn, or that are damaged, give what can be read and say so', async () => {
    const torn = (await finishedRun('torn.py')).runs[0];
    const damaged = (await finishedRun('damaged.py')).runs[0];
    await hub.dispose();
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

    hub = await startHub();
    await hub.restore();
    const restored = (id: string | undefined) => hub.store.runs().find((entry) => entry.id === id);
    expect(restored(torn)?.steps).toBe(5);
    expect(restored(torn)?.notice).toMatch(/\. Its last frame is not whole and was left out\.$/);
    expect(restored(damaged)?.steps).toBe(2);
    expect(restored(damaged)?.notice).toMatch(/\. The rest of its trace could not be read: .*\.$/);
    expect(hub.store.runs()).toHaveLength(2);
    expect(log.join('\n')).toMatch(/123-nonsense\.normtrace holds no run/);
  });

  it('stop at their limit with a word in the log, while the run goes on', async () => {
    await hub.dispose();
    const limit = Buffer.concat(frames.slice(0, 4)).length + 10;
    hub = await startHub({ maxTraceBytes: limit });
    const session = await finishedRun();
    expect(summary(session).steps).toBe(6);
    await hub.dispose();
    const written = await readFile(join(traces(), `${session.runs[0]}.normtrace`));
    expect(written.equals(Buffer.concat(frames.slice(0, 4)))).toBe(true);
    expect(log.filter((line) => line.includes('ends here'))).toHaveLength(1);
  });

  it('that can not be written cost nothing but a word in the log', async () => {
    await hub.dispose();
    await writeFile(join(folder, 'file'), '');
    hub = await startHub({ traceDir: join(folder, 'file') });
    expect(summary(await finishedRun()).steps).toBe(6);
    expect(log.join()).toContain('not kept over a reload');
    await hub.restore();
  });

  it('are not written when there is no folder for them', async () => {
    await hub.dispose();
    hub = await startHub({ traceDir: null });
    expect(summary(await finishedRun()).steps).toBe(6);
    await hub.restore();
    expect(hub.store.runs()).toHaveLength(1);
  });
});

describe('the hub', () => {
  it('leaves nothing behind when it is disposed in the middle of a run', async () => {
    const session = open();
    const socket = await agent(session);
    await sendFrames(socket, unfinished);
    await until(() => summary(session).steps === 6, 'all steps came');
    await hub.dispose();
    await hub.dispose();
    expect(await readdir(folder)).toEqual(['traces']);
    const [name] = await readdir(join(folder, 'traces'));
    const written = await readFile(join(folder, 'traces', name ?? ''));
    expect(written.equals(Buffer.concat(unfinished))).toBe(true);
  });
});
