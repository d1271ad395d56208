import { createServer, type Server, type Socket } from 'node:net';
import { TOKEN_LENGTH, type Endpoint } from '../../protocol/environment';
import { MAX_CONNECTIONS, TOKEN_TIMEOUT_MS } from '../../protocol/limits';
import { LimitedLog } from '../limitedLog';
import type { Log } from '../log';
import { AgentConnection, type AgentPeer } from './agentConnection';
import { listen, type Listening } from './listen';

/** Most connections that have not sent their token yet. */
const MAX_WAITING = MAX_CONNECTIONS;

export interface CollectorOptions {
  readonly socketRoot: string | undefined;
  readonly log: Log;
  /** Gives the peer for a connection that sent this token; undefined when it is nobody's. */
  readonly admit: (token: Uint8Array, connection: AgentConnection) => AgentPeer | undefined;
  readonly tokenTimeoutMs?: number;
}

/** Where training processes connect. */
export class Collector {
  private readonly authenticated = new Set<Socket>();
  /** Connections that have not sent their token, oldest first. */
  private readonly waiting = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly listening: Listening,
    private readonly refusals: LimitedLog,
  ) {}

  get endpoint(): Endpoint {
    return this.listening.endpoint;
  }

  /** @throws when not even the loopback interface can be listened on. */
  static async start(options: CollectorOptions): Promise<Collector> {
    const server = createServer();
    const listening = await listen(server, options.socketRoot, options.log);
    const collector = new Collector(server, listening, new LimitedLog(options.log));
    server.on('connection', (socket) => collector.accept(socket, options));
    server.on('error', (error) => options.log('error', `The collector failed: ${error.message}`));
    return collector;
  }

  /** Closes all connections and removes the socket. */
  async dispose(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    for (const socket of [...this.waiting, ...this.authenticated]) socket.destroy();
    await closed;
    await this.listening.removeFiles();
  }

  private accept(socket: Socket, options: CollectorOptions): void {
    socket.on('error', (error) => options.log('debug', `A connection broke: ${error.message}`));
    this.waiting.add(socket);
    socket.once('close', () => {
      this.waiting.delete(socket);
      this.authenticated.delete(socket);
    });
    this.awaitToken(socket, options);
    if (this.waiting.size > MAX_WAITING) this.dropOldestWaiting();
  }

  /** A process sends its token at once: whoever is silent the longest is the least likely one. */
  private dropOldestWaiting(): void {
    const [oldest] = this.waiting;
    if (!oldest) return;
    this.waiting.delete(oldest);
    this.refusals.write('warning', 'A connection was refused: too many wait without a token.');
    oldest.destroy();
  }

  /** Reads the token, and nothing else before it was found to be right. */
  private awaitToken(socket: Socket, options: CollectorOptions): void {
    let received: Buffer = Buffer.alloc(0);
    const refuse = (why: string) => {
      this.refusals.write('warning', `A connection was refused: ${why}.`);
      socket.destroy();
    };
    const timer = setTimeout(
      () => refuse('it sent no token in time'),
      options.tokenTimeoutMs ?? TOKEN_TIMEOUT_MS,
    );
    socket.once('close', () => clearTimeout(timer));
    const onData = (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      if (received.length < TOKEN_LENGTH) return;
      clearTimeout(timer);
      socket.off('data', onData);
      if (this.authenticated.size >= MAX_CONNECTIONS) {
        refuse(`a process was turned away, at most ${MAX_CONNECTIONS} can be captured at once`);
        return;
      }
      const connection = new AgentConnection(socket);
      const peer = options.admit(received.subarray(0, TOKEN_LENGTH), connection);
      if (!peer) {
        refuse('its token is not one of an open debug session');
        return;
      }
      this.waiting.delete(socket);
      this.authenticated.add(socket);
      connection.start(peer, received.subarray(TOKEN_LENGTH));
    };
    socket.on('data', onData);
  }
}
