import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Endpoint } from '../../protocol/environment';
import { messageOf, type Log } from '../log';

/** Longest path of a Unix socket: 104 bytes on macOS, with the closing zero. */
const MAX_SOCKET_PATH = 103;

export interface Listening {
  readonly endpoint: Endpoint;
  /** Removes what {@link listen} made on disk. */
  removeFiles(): Promise<void>;
}

function listenOn(server: Server, options: { path: string } | { host: string; port: number }) {
  return new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

async function listenOnSocket(server: Server, root: string): Promise<Listening> {
  const folder = await mkdtemp(join(root, 'normscope-'));
  const removeFiles = () => rm(folder, { recursive: true, force: true });
  try {
    await chmod(folder, 0o700);
    const path = join(folder, 's');
    const length = Buffer.byteLength(path);
    if (length > MAX_SOCKET_PATH) {
      throw new Error(`a socket path of ${length} bytes is longer than ${MAX_SOCKET_PATH}`);
    }
    await listenOn(server, { path });
    return { endpoint: `unix:${path}`, removeFiles };
  } catch (error) {
    await removeFiles();
    throw error;
  }
}

async function listenOnPipe(server: Server): Promise<Listening> {
  const path = `\\\\.\\pipe\\normscope-${randomBytes(16).toString('hex')}`;
  await listenOn(server, { path });
  return { endpoint: `pipe:${path}`, removeFiles: async () => {} };
}

async function listenOnLoopback(server: Server): Promise<Listening> {
  const host = '127.0.0.1';
  await listenOn(server, { host, port: 0 });
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return { endpoint: `tcp:${host}:${port}`, removeFiles: async () => {} };
}

/**
 * Listens where only this user can connect: a Unix socket in a folder of its own (a named pipe on
 * Windows), and on loopback TCP where that can not be had.
 */
export async function listen(
  server: Server,
  socketRoot: string | undefined,
  log: Log,
): Promise<Listening> {
  const attempts =
    process.platform === 'win32'
      ? [() => listenOnPipe(server)]
      : [socketRoot, tmpdir()].flatMap((root) =>
          root === undefined ? [] : [() => listenOnSocket(server, root)],
        );
  for (const attempt of attempts) {
    try {
      return await attempt();
    } catch (error) {
      log('debug', `The collector can not listen there: ${messageOf(error)}`);
    }
  }
  return listenOnLoopback(server);
}
