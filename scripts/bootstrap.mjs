/**
 * The first stage of `npm start`, `npm test`, `npm run package` and `npm run bench`: runs on a bare
 * Node, installs the Node packages if need be and hands over to `scripts/<name>.ts`.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const OLDEST_NODE = 20;
const root = path.resolve(import.meta.dirname ?? '.', '..');
const modules = path.join(root, 'node_modules');
const lockfile = path.join(root, 'package-lock.json');
const stamp = path.join(modules, '.normscope-lock');

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

/** Exit code of a child that shares our terminal; a signal to us is left to the child to obey. */
function run(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options });
    const terminate = () => child.kill('SIGTERM');
    const ignore = () => undefined;
    process.on('SIGINT', ignore);
    process.on('SIGTERM', terminate);
    child.on('error', (error) => fail(`${command} could not be started: ${error.message}.`));
    child.on('exit', (code) => {
      process.off('SIGINT', ignore);
      process.off('SIGTERM', terminate);
      resolve(code ?? 1);
    });
  });
}

/** npm is run by this Node where npm says where it lies; a `.cmd` file needs a shell. */
function npm(args) {
  const script = process.env.npm_execpath;
  if (script !== undefined && /\.c?js$/.test(script)) {
    return run(process.execPath, [script, ...args]);
  }
  const windows = process.platform === 'win32';
  return run(windows ? 'npm.cmd' : 'npm', args, { shell: windows });
}

const lockHash = () => createHash('sha256').update(readFileSync(lockfile)).digest('hex');

/** Whether node_modules was installed from the present package-lock.json. */
function installed() {
  if (existsSync(stamp)) return readFileSync(stamp, 'utf8') === lockHash();
  const npmsOwn = path.join(modules, '.package-lock.json');
  return existsSync(npmsOwn) && statSync(npmsOwn).mtimeMs >= statSync(lockfile).mtimeMs;
}

async function installPackages() {
  if (installed()) return;
  console.log('[setup] Installing the Node packages (npm ci) ...');
  // Scripts are not needed: esbuild finds its binary in a package of its own for the platform.
  const code = await npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
  if (code !== 0) {
    fail('The Node packages could not be installed; npm says why above. Check the network.');
  }
  writeFileSync(stamp, lockHash());
}

const [name, ...rest] = process.argv.slice(2);
if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
  fail(`Node ${OLDEST_NODE} or later is needed; this is Node ${process.versions.node}.`);
}
if (name === undefined || !existsSync(path.join(root, 'scripts', `${name}.ts`))) {
  fail(`There is no script called "${name ?? ''}".`);
}
await installPackages();
const script = path.join(root, 'scripts', `${name}.ts`);
process.exitCode = await run(process.execPath, ['--import', 'tsx', script, ...rest]);
