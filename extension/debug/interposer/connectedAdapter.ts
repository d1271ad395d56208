import { connect, type Socket } from 'node:net';
import { MalformedMessage, MessageParser } from './framing';
import type { UpstreamEnd } from './sentences';
import type { Upstream, UpstreamEvents, UpstreamTarget } from './upstream';

type ConnectTarget = Extract<UpstreamTarget, { kind: 'connect' }>;

const CONNECT_TIMEOUT_MS = 10_000;

/** An adapter that a debuggee started (`debugpy.listen`), or the parent session's for a child. */
class ConnectedAdapter implements Upstream {
  private readonly parser = new MessageParser();
  private readonly address: string;
  private connected = false;
  private over = false;

  constructor(
    private readonly socket: Socket,
    target: ConnectTarget,
    private readonly events: UpstreamEvents,
  ) {
    this.address = `${target.host}:${target.port}`;
    socket.setNoDelay(true);
    socket.setTimeout(CONNECT_TIMEOUT_MS, () => {
      socket.destroy(new Error('no answer'));
    });
    socket.on('connect', () => {
      this.connected = true;
      socket.setTimeout(0);
    });
    socket.on('data', (chunk: Buffer) => this.read(chunk));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (!this.connected) this.unreachable(error.code ?? error.message);
    });
    socket.on('close', () => this.end({ kind: 'closed', address: this.address }));
  }

  send(bytes: Uint8Array): void {
    if (this.socket.writable) this.socket.write(bytes);
  }

  dispose(): void {
    this.over = true;
    this.socket.end();
    this.socket.destroySoon();
  }

  private read(chunk: Buffer): void {
    if (this.over) return;
    try {
      for (const message of this.parser.push(chunk)) this.events.onMessage(message);
    } catch (error) {
      if (!(error instanceof MalformedMessage)) throw error;
      this.unreachable(error.message);
      this.socket.destroy();
    }
  }

  private unreachable(detail: string): void {
    this.end({ kind: 'unreachable', address: this.address, detail });
  }

  private end(end: UpstreamEnd): void {
    if (this.over) return;
    this.over = true;
    this.events.onEnd(end);
  }
}

export function connectAdapter(target: ConnectTarget, events: UpstreamEvents): Upstream {
  return new ConnectedAdapter(connect(target.port, target.host), target, events);
}
