import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { killTree } from './processTree';
import { SetupError } from './report';
import type { ServerFiles } from './vscodeServer';

/** Marks every process that a server starts, so that those which left its process tree are found. */
const MARK = 'NORMSCOPE_SERVER';
const START_TIMEOUT_MS = 60_000;

export interface ServerOptions {
  readonly files: ServerFiles;
  /** VS Code settings. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Added to the environment of the server and of all that it starts. */
  readonly env?: NodeJS.ProcessEnv;
  /** Folders of extensions that count as installed; each holds a package.json. */
  readonly installed?: readonly string[];
  /** Hears everything that the server prints. */
  readonly onOutput?: (text: string) => void;
}

export interface OpenOptions {
  readonly folder: string;
  /** An extension in development mode; the server takes one only. */
  readonly developmentPath?: string;
  /** Module whose `run()` is called in the extension host. */
  readonly testsPath?: string;
}

export interface VscodeServer {
  readonly port: number;
  url(options: OpenOptions): string;
  /** Ends the server and all that it started, and removes its data. */
  stop(): Promise<void>;
}

/** Absolute path in a `vscode-remote` URI, where Windows paths begin with a slash too. */
const remotePath = (file: string) => {
  const forward = file.replaceAll('\\', '/');
  return forward.startsWith('/') ? forward : `/${forward}`;
};

function urlFor(port: number, token: string, options: OpenOptions): string {
  const authority = `127.0.0.1:${port}`;
  const uri = (file: string) =>
    `vscode-remote://${authority}${remotePath(file).split('/').map(encodeURIComponent).join('/')}`;
  const entry = (key: string, file: string | undefined) =>
    file === undefined ? [] : [[key, uri(file)]];
  const payload = [
    ...entry('extensionDevelopmentPath', options.developmentPath),
    ...entry('extensionTestsPath', options.testsPath),
  ];
  const query = new URLSearchParams({
    tkn: token,
    folder: remotePath(options.folder),
    payload: JSON.stringify(payload),
  });
  return `http://${authority}/?${query.toString()}`;
}

function killMarked(mark: string): void {
  if (process.platform !== 'linux') return;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const environment = readFileSync(`/proc/${name}/environ`, 'utf8');
      if (environment.includes(`${MARK}=${mark}`)) process.kill(Number(name), 'SIGKILL');
    } catch {
      // It has ended, or is not ours.
    }
  }
}

function portOf(server: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let output = '';
    const fail = (why: string) =>
      reject(new SetupError(`VS Code's server did not start: ${why}. ${output.slice(-500)}`));
    const timer = setTimeout(() => fail('no answer within a minute'), START_TIMEOUT_MS);
    server.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const [, port] = /listening on (\d+)/i.exec(output) ?? [];
      if (port === undefined) return;
      clearTimeout(timer);
      resolve(Number(port));
    });
    server.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    server.on('error', (error) => fail(error.message));
    server.on('exit', (code) => {
      clearTimeout(timer);
      fail(`it ended with code ${code}`);
    });
  });
}

async function writeSettings(data: string, settings: Readonly<Record<string, unknown>>) {
  const text = JSON.stringify(settings, undefined, 2);
  for (const scope of ['User', 'Machine']) {
    await mkdir(path.join(data, 'data', scope), { recursive: true });
    await writeFile(path.join(data, 'data', scope, 'settings.json'), text);
  }
}

/** Lays extensions where the server looks for installed ones when it starts with fresh data. */
async function install(extensions: string, folders: readonly string[]): Promise<void> {
  await mkdir(extensions, { recursive: true });
  for (const folder of folders) {
    const text = await readFile(path.join(folder, 'package.json'), 'utf8');
    const { publisher, name, version } = JSON.parse(text) as Record<string, string>;
    const target = path.join(extensions, `${publisher}.${name}-${version}`);
    await cp(folder, target, { recursive: true });
  }
}

/**
 * Starts VS Code's server on a free port of this machine, with fresh user data.
 * @throws SetupError when it does not start.
 */
export async function startVscodeServer(options: ServerOptions): Promise<VscodeServer> {
  const data = await mkdtemp(path.join(tmpdir(), 'normscope-server-'));
  const extensions = path.join(data, 'extensions');
  await install(extensions, options.installed ?? []);
  await writeSettings(data, options.settings ?? {});
  const scratch = path.join(data, 'tmp');
  await mkdir(scratch);
  const mark = randomUUID();
  const token = randomUUID();
  const args = [
    options.files.main,
    ...['--host', '127.0.0.1', '--port', '0', '--connection-token', token],
    ...['--accept-server-license-terms', '--enable-smoke-test-driver', '--disable-workspace-trust'],
    ...['--telemetry-level', 'off', '--server-data-dir', data, '--extensions-dir', extensions],
  ];
  const server = spawn(options.files.node, args, {
    env: {
      ...process.env,
      NODE_OPTIONS: undefined,
      // What killed processes leave in the folder for temporary files goes with our data.
      TMPDIR: scratch,
      ...options.env,
      [MARK]: mark,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  server.stdout.on('data', (chunk: Buffer) => options.onOutput?.(chunk.toString()));
  server.stderr.on('data', (chunk: Buffer) => options.onOutput?.(chunk.toString()));
  const stop = async () => {
    if (server.pid !== undefined) killTree(server.pid);
    killMarked(mark);
    await rm(data, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  try {
    const port = await portOf(server);
    return { port, url: (open) => urlFor(port, token, open), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
