import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AgentPeer } from '../../../extension/core/collector/agentConnection';
import { Collector } from '../../../extension/core/collector/collector';
import type { ReceivedFrame } from '../../../extension/core/frames/receivedFrame';
import { matchToken, newToken } from '../../../extension/core/collector/tokens';
import { ADDRESS_VARIABLE } from '../../../extension/protocol/environment';
import { MAX_CONNECTIONS } from '../../../extension/protocol/limits';
import { encodeBlob } from '../../../extension/protocol/safetensors';
import { closed, connectAgent, sendFrames, until } from '../../fixtures/agentSocket';
import { framesOf, syntheticRun } from '../../fixtures/syntheticRun';

const token = newToken();
const run = syntheticRun({ layers: 2, steps: 5 });
let root: string;
let collector: Collector | undefined;
let frames: ReceivedFrame[];
let reasons: string[];
let ends: number;
let log: string[];
const sockets: Socket[] = [];

const peer: AgentPeer = {
  frame: (frame) => void frames.push(frame),
  unreadable: (reason) => void reasons.push(reason),
  closed: () => void ends++,
};

async function start(options: { socketRoot?: string; tokenTimeoutMs?: number } = {}) {
  collector = await Collector.start({
    socketRoot: options.socketRoot ?? root,
    log: (_, message) => void log.push(message),
    admit: (received) => (matchToken(received, [{ token }]) ? peer : undefined),
    ...(options.tokenTimeoutMs === undefined ? {} : { tokenTimeoutMs: options.tokenTimeoutMs }),
  });
  return collector;
}

async function agent(sent = token): Promise<Socket> {
  const socket = await connectAgent({ [ADDRESS_VARIABLE]: collector?.endpoint ?? '' }, sent);
  sockets.push(socket);
  return socket;
}

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'ns-'));
  [frames, reasons, log, ends] = [[], [], [], 0];
});

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await collector?.dispose();
  collector = undefined;
  await rm(root, { recursive: true, force: true });
});

describe.skipIf(process.platform === 'win32')('the Unix socket', () => {
  it('lies in a folder that only its owner can enter, and is gone afterwards', async () => {
    const { endpoint } = await start();
    const path = endpoint.slice('unix:'.length);
    expect(endpoint.startsWith(`unix:${root}`)).toBe(true);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
    await agent();
    await collector?.dispose();
    expect(existsSync(path)).toBe(false);
    expect(readdirSync(root)).toEqual([]);
  });

  it('goes where its path is short enough when the folder asked for is not', async () => {
    const long = join(root, 'x'.repeat(100));
    await mkdir(long);
    const { endpoint } = await start({ socketRoot: long });
    expect(endpoint.startsWith(`unix:${tmpdir()}`)).toBe(true);
    expect(readdirSync(long)).toEqual([]);
  });

  it('falls back to the loopback interface when no folder can be had', async () => {
    const kept = process.env.TMPDIR;
    process.env.TMPDIR = join(root, 'missing');
    try {
      const { endpoint } = await start({ socketRoot: join(root, 'missing') });
      expect(endpoint).toMatch(/^tcp:127\.0\.0\.1:\d+$/);
      await sendFrames(await agent(), framesOf(run));
      await until(() => frames.length === 8, 'all frames came over TCP');
    } finally {
      if (kept === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = kept;
    }
  });
});

describe('the collector', () => {
  it('reads frames that come in the same packet as the token, and in single bytes', async () => {
    await start();
    const bytes = Buffer.concat([Buffer.from(token), ...framesOf(run).slice(0, 2)]);
    const together = await agent('');
    together.write(bytes);
    const apart = await agent('');
    apart.setNoDelay(true);
    for (const byte of bytes.subarray(0, 200)) {
      apart.write(Uint8Array.of(byte));
      if (byte % 16 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    apart.write(bytes.subarray(200));
    await until(() => frames.length === 4, 'both have sent hello and layout');
    expect(frames.map(({ kind }) => kind).sort()).toEqual(['hello', 'hello', 'layout', 'layout']);
  });

  it.each([
    ['another token', newToken()],
    ['the token with one digit changed', token.slice(0, -1) + (token.endsWith('0') ? '1' : '0')],
    ['the token in capitals', token.toUpperCase()],
    ['bytes that are no text', '\u00ff'.repeat(64)],
  ])('refuses %s without reading further', async (_, sent) => {
    await start();
    const socket = await agent(sent);
    socket.write(encodeBlob(run.hello));
    await closed(socket);
    expect(frames).toEqual([]);
    expect(log.join()).toContain('token');
  });

  it('closes a connection that sends no token in time', async () => {
    await start({ tokenTimeoutMs: 50 });
    const socket = await agent(token.slice(0, 63));
    await closed(socket);
    expect(log.join()).toContain('no token in time');
  });

  it('closes the connection of a bad frame with a sentence and goes on with others', async () => {
    await start();
    const bad = await agent();
    const good = await agent();
    await sendFrames(bad, [encodeBlob(run.hello), encodeBlob({ kind: 'bye' })]);
    await closed(bad);
    expect(reasons).toEqual([expect.stringMatching(/^The bye frame .*\.$/)]);
    await sendFrames(good, framesOf(run));
    await until(() => frames.length === 9, 'the good one was read');
    await until(() => ends === 1, 'the bad one has ended');
  });

  it('survives an error in taking a frame in', async () => {
    await start();
    const kept = peer.frame;
    peer.frame = () => {
      throw new TypeError('a defect');
    };
    const socket = await agent();
    await sendFrames(socket, [encodeBlob(run.hello)]);
    await closed(socket);
    peer.frame = kept;
    expect(reasons).toEqual(['A frame could not be taken in: a defect']);
  });

  it('lets a process in while more strangers than it holds say nothing', async () => {
    await start();
    const strangers = await Promise.all(
      Array.from({ length: 2 * MAX_CONNECTIONS }, () => agent('')),
    );
    const program = await agent();
    await sendFrames(program, [encodeBlob(run.hello)]);
    await until(() => frames.length === 1, 'the process was let in');
    await closed(strangers[0] as Socket);
    expect(log.filter((line) => line.includes('without a token')).length).toBeLessThanOrEqual(20);
    for (let i = 0; i < MAX_CONNECTIONS; i++) await agent('');
    await sendFrames(program, [encodeBlob(run.layout)]);
    await until(() => frames.length === 2, 'the process stays when others come');
  });

  it(`turns away processes above ${MAX_CONNECTIONS}`, async () => {
    await start();
    for (let i = 0; i < MAX_CONNECTIONS; i++) {
      await sendFrames(await agent(), [encodeBlob(run.hello)]);
    }
    await until(() => frames.length === MAX_CONNECTIONS, 'all have said hello');
    await closed(await agent());
    expect(log.join()).toContain('turned away');
    sockets[0]?.destroy();
    await until(() => ends === 1, 'one has left');
    await sendFrames(await agent(), [encodeBlob(run.hello)]);
    await until(() => frames.length === MAX_CONNECTIONS + 1, 'another one was let in');
  });
});
