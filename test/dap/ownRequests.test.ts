/** Requests that the interposer makes itself, against an adapter that is made for the case. */
import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { connectAdapter } from '../../extension/debug/interposer/connectedAdapter';
import { encodeMessage, MessageParser } from '../../extension/debug/interposer/framing';
import { Interposer } from '../../extension/debug/interposer/interposer';
import type { Message, Request } from '../../extension/debug/interposer/messages';

async function serve(connected: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    connected(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

async function until(holds: () => boolean, what: string): Promise<void> {
  const deadline = performance.now() + 5_000;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(`Waited in vain until ${what}.`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** An interposer that attached, with an adapter that answers everything but evaluates. */
async function injecting() {
  const evaluates: Request[] = [];
  let adapter: Socket | undefined;
  const port = await serve((socket) => {
    adapter = socket;
    const parser = new MessageParser();
    let seq = 0;
    socket.on('data', (chunk: Buffer) => {
      for (const message of parser.push(chunk)) {
        if (message.type !== 'request') continue;
        if (message.command === 'evaluate') {
          evaluates.push(message);
          continue;
        }
        const { command, seq: request_seq } = message;
        const response = { seq: ++seq, type: 'response', request_seq, command, success: true };
        socket.write(encodeMessage(response as Message));
      }
    });
  });
  const notices: string[] = [];
  const sent: Message[] = [];
  const interposer = new Interposer({
    upstream: { kind: 'connect', host: '127.0.0.1', port },
    capture: { agentDir: '/agent', environment: {} },
    onNotice: (sentence) => notices.push(sentence),
  });
  onTestFinished(() => interposer.dispose());
  interposer.onDidSendMessage((message) => sent.push(message));
  let seq = 0;
  const ask = (command: string, args: object = {}) =>
    interposer.handleMessage({ seq: ++seq, type: 'request', command, arguments: args } as Request);
  ask('initialize');
  ask('attach', { connect: { port } });
  await until(() => evaluates.length === 2, 'the agent is being injected');
  return { interposer, notices, sent, ask, closeAdapter: () => adapter?.destroy() };
}

describe('an injection that the adapter does not answer', () => {
  const later = () => vi.advanceTimersByTimeAsync(60_000);

  test.each<[string, (session: Awaited<ReturnType<typeof injecting>>) => void]>([
    ['the person disconnects', ({ ask }) => ask('disconnect', { terminateDebuggee: false })],
    ['the session is disposed', ({ interposer }) => interposer.dispose()],
  ])('is no failure when %s', async (_, end) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const session = await injecting();
    end(session);
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    await later();
    expect(session.notices).toEqual([]);
  });

  test('tells of the adapter alone when that is what failed', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const session = await injecting();
    session.closeAdapter();
    await until(() => session.notices.length > 0, 'the end is told');
    await later();
    expect(session.notices).toEqual([
      expect.stringMatching(/^The connection to the debug adapter/),
    ]);
  });

  test('is told as a failure while the session goes on', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const session = await injecting();
    await later();
    expect(session.notices).toEqual([
      expect.stringMatching(/^Norm capture could not be started .*\(no answer\)/),
    ]);
  });
});

describe('a connection to an adapter', () => {
  test('ends although the other end reads nothing more', async () => {
    let adapter: Socket | undefined;
    const port = await serve((socket) => {
      adapter = socket;
      socket.pause();
    });
    const events = { onMessage: () => undefined, onEnd: () => undefined };
    const upstream = connectAdapter({ kind: 'connect', host: '127.0.0.1', port }, events);
    await until(() => adapter !== undefined, 'it is connected');
    const bytes = Buffer.alloc(64 * 1024 * 1024, 1);
    upstream.send(bytes);
    upstream.dispose();
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    let received = 0;
    adapter?.on('data', (chunk: Buffer) => (received += chunk.length));
    const closed = new Promise((resolve) => adapter?.once('close', resolve));
    adapter?.resume();
    await closed;
    expect(received).toBeLessThan(bytes.length);
  });
});
