import { connect, type Socket } from 'node:net';
import type { Message } from './messages';
import { readMessages } from './readMessages';
import type { UpstreamEnd } from './sentences';
import type { Upstream, UpstreamEvents, UpstreamTarget } from './upstream';

type ConnectTarget = Extract<UpstreamTarget, { kind: 'connect' }>;

const CONNECT_TIMEOUT_MS = 10_000;
/** How long the other end may take to read what was sent last. */
const GRACE_MS = 1_000;

/** An adapter that a debuggee started (`debugpy.listen`), or the parent session's for a child. */
class ConnectedAdapter implements Upstream {
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
    readMessages(socket, {
      onMessage: (message) => this.receive(message),
      onMalformed: (reason) => {
        this.unreachable(reason);
        socket.destroy();
      },
    });
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
    this.socket.destroySoon();
    // An end that reads nothing any more would keep it open for ever.
    const timer = setTimeout(() => this.socket.destroy(), GRACE_MS);
    this.socket.once('close', () => clearTimeout(timer));
  }

  private receive(message: Message): void {
    if (!this.over) this.events.onMessage(message);
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
