import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { lastLine, runCommand, runNpm, type CommandOptions } from './command';
import { findOnPath } from './findOnPath';
import { SetupError, type Report } from './report';
import { installSystemPackages } from './systemPackages';

/** The npm package that holds VS Code as a server, and the Node it is built for. */
const SERVER = 'code-server@4.139.1';
const NODE_MAJOR = 24;

/** Modules with native code that the server loads. */
const NATIVE = [
  'node-pty',
  '@vscode/spdlog',
  '@vscode/native-watchdog',
  '@parcel/watcher',
  '@vscode/sqlite3',
];

/** Where things lie in an installed server. */
export interface ServerFiles {
  /** The Node that runs it. */
  readonly node: string;
  readonly main: string;
  readonly folder: string;
}

function platformPackage(): string {
  const system = { linux: 'linux', darwin: 'darwin', win32: 'win' }[process.platform as string];
  if (system === undefined || !['x64', 'arm64'].includes(process.arch)) {
    throw new SetupError(
      `VS Code's server cannot be had for ${process.platform} on ${process.arch}; install VS Code.`,
    );
  }
  return `node-${system}-${process.arch}`;
}

function filesIn(cache: string): ServerFiles {
  const modules = path.join(cache, 'node_modules');
  const folder = path.join(modules, 'code-server', 'lib', 'vscode');
  const program = process.platform === 'win32' ? 'node.exe' : 'node';
  const node = path.join(modules, platformPackage(), 'bin', program);
  return { node, folder, main: path.join(folder, 'out', 'server-main.js') };
}

/** Loads each native module in the server's own Node, which fails for one that was not built. */
async function works({ node, folder, main }: ServerFiles): Promise<boolean> {
  if (!existsSync(node) || !existsSync(main)) return false;
  const load = NATIVE.map((name) => `require(${JSON.stringify(name)})`).join(';');
  return (await runCommand(node, ['-e', load], { cwd: folder, timeoutMs: 60_000 })).code === 0;
}

async function npm(args: readonly string[], what: string, options: CommandOptions) {
  const { code, output } = await runNpm([...args, '--no-audit', '--no-fund'], options);
  if (code === 0) return;
  throw new SetupError(
    `VS Code's server could not be ${what}: ${lastLine(output) ?? 'npm failed'}`,
  );
}

async function ensureCompiler(report: Report): Promise<void> {
  if (process.platform !== 'linux') return;
  if (findOnPath(['make']) !== undefined && findOnPath(['g++', 'clang++']) !== undefined) return;
  if (await installSystemPackages(['build-essential', 'python3'], report)) return;
  report('No C++ compiler was found; the build below may need one.');
}

/**
 * Installs VS Code's server into `cache` if it is not there already.
 * @throws SetupError when it cannot be had.
 */
export async function setUpVscodeServer(cache: string, report: Report): Promise<ServerFiles> {
  const files = filesIn(cache);
  if (await works(files)) return files;
  report("Installing VS Code's server (a minute or two the first time) ...");
  await rm(cache, { recursive: true, force: true });
  await mkdir(cache, { recursive: true });
  await writeFile(path.join(cache, 'package.json'), '{ "private": true }\n');
  const options = { cwd: cache, heartbeat: report, timeoutMs: 15 * 60_000 };
  const packages = [SERVER, `${platformPackage()}@${NODE_MAJOR}`];
  await npm(['install', ...packages, '--ignore-scripts'], 'downloaded', options);

  // From here on npm has to run in the server's Node and build against its headers.
  const headers = path.join(cache, 'node_modules', platformPackage());
  const own = path.dirname(files.node);
  const env = {
    ...process.env,
    PATH: `${own}${path.delimiter}${process.env['PATH'] ?? ''}`,
    ...(existsSync(path.join(headers, 'include')) ? { npm_config_nodedir: headers } : {}),
  };
  const inside = { ...options, cwd: files.folder, env, node: files.node };
  await npm(['install', '--omit=dev', '--ignore-scripts'], 'completed', inside);
  await ensureCompiler(report);
  report("Building VS Code's native modules ...");
  await npm(['rebuild', ...NATIVE], 'built', inside);
  if (await works(files)) return files;
  throw new SetupError("VS Code's server was installed, but its native modules do not load.");
}
