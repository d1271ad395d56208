import { createServer, type Server, type Socket } from 'node:net';
import { TOKEN_LENGTH, type Endpoint } from '../../protocol/environment';
import { MAX_CONNECTIONS, TOKEN_TIMEOUT_MS } from '../../protocol/limits';
import type { Log } from '../log';
import { AgentConnection, type AgentPeer } from './agentConnection';
import { listen, type Listening } from './listen';

export interface CollectorOptions {
  readonly socketRoot: string | undefined;
  readonly log: Log;
  /** Gives the peer for a connection that sent this token; undefined when it is nobody's. */
  readonly admit: (token: Uint8Array, connection: AgentConnection) => AgentPeer | undefined;
  readonly tokenTimeoutMs?: number;
}

/** Where training processes connect. */
export class Collector {
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly listening: Listening,
  ) {}

  get endpoint(): Endpoint {
    return this.listening.endpoint;
  }

  /** @throws when not even the loopback interface can be listened on. */
  static async start(options: CollectorOptions): Promise<Collector> {
    const server = createServer();
    const collector = new Collector(server, await listen(server, options.socketRoot, options.log));
    server.on('connection', (socket) => collector.accept(socket, options));
    server.on('error', (error) => options.log('error', `The collector failed: ${error.message}`));
    return collector;
  }

  /** Closes all connections and removes the socket. */
  async dispose(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    for (const socket of this.sockets) socket.destroy();
    await closed;
    await this.listening.removeFiles();
  }

  private accept(socket: Socket, options: CollectorOptions): void {
    socket.on('error', (error) => options.log('debug', `A connection broke: ${error.message}`));
    if (this.sockets.size >= MAX_CONNECTIONS) {
      options.log(
        'warning',
        `A process was turned away: at most ${MAX_CONNECTIONS} can be captured at once.`,
      );
      socket.destroy();
      return;
    }
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
    this.awaitToken(socket, options);
  }

  /** Reads the token, and nothing else before it was found to be right. */
  private awaitToken(socket: Socket, options: CollectorOptions): void {
    let received: Buffer = Buffer.alloc(0);
    const refuse = (why: string) => {
      options.log('warning', `A connection was refused: ${why}.`);
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
      const connection = new AgentConnection(socket);
      const peer = options.admit(received.subarray(0, TOKEN_LENGTH), connection);
      if (peer) connection.start(peer, received.subarray(TOKEN_LENGTH));
      else refuse('its token is not one of an open debug session');
    };
    socket.on('data', onData);
  }
}
