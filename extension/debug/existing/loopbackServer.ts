import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type * as vscode from 'vscode';
import { encodeMessage } from '../interposer/framing';
import { argumentsOf, asMessage, type Message } from '../interposer/messages';
import { readMessages } from '../interposer/readMessages';

/** Of a connection that does not hold the key: it may greet, and nothing else. */
const BEFORE_KEY: ReadonlySet<string> = new Set(['initialize']);
const STARTING: ReadonlySet<string> = new Set(['launch', 'attach']);

/**
 * A port of this machine at which VS Code reaches debug adapters of ours, one after the other: a
 * session that is restarted comes back to it. Anyone on the machine can connect to a port, so
 * nothing is started for whom does not have the key of the session's configuration.
 */
export class LoopbackServer {
  private next: vscode.DebugAdapter | undefined;
  private readonly open = new Set<vscode.DebugAdapter>();

  private constructor(
    private readonly server: Server,
    readonly port: number,
    private readonly keyName: string,
    private readonly key: string,
  ) {
    server.on('connection', (socket) => this.accept(socket));
  }

  /** @throws when the loopback interface can not be listened on. */
  static async listen(keyName: string, key: string): Promise<LoopbackServer> {
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host: '127.0.0.1', port: 0, backlog: 1 }, resolve);
    });
    server.unref();
    return new LoopbackServer(server, (server.address() as AddressInfo).port, keyName, key);
  }

  /** Says which adapter answers the next connection; it is disposed of with it. */
  serve(adapter: vscode.DebugAdapter): void {
    this.next?.dispose();
    this.next = adapter;
  }

  dispose(): void {
    this.server.close();
    this.next?.dispose();
    for (const adapter of this.open) adapter.dispose();
  }

  private accept(socket: Socket): void {
    const adapter = this.next;
    this.next = undefined;
    socket.on('error', () => socket.destroy());
    if (!adapter) {
      socket.destroy();
      return;
    }
    this.open.add(adapter);
    socket.setNoDelay(true);
    socket.once('close', () => {
      this.open.delete(adapter);
      adapter.dispose();
    });
    adapter.onDidSendMessage((sent) => {
      const message = asMessage(sent);
      if (message && socket.writable) socket.write(encodeMessage(message));
    });
    let trusted = false;
    readMessages(socket, {
      onMessage: (message) => {
        trusted ||= this.holdsKey(message);
        const greets = message.type === 'request' && BEFORE_KEY.has(message.command);
        if (trusted || greets) adapter.handleMessage(message);
        else socket.destroy();
      },
      onMalformed: () => socket.destroy(),
    });
  }

  private holdsKey(message: Message): boolean {
    const starts = message.type === 'request' && STARTING.has(message.command);
    return starts && argumentsOf(message)[this.keyName] === this.key;
  }
}
