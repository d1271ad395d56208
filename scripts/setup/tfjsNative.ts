import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { lastLine, runCommand, runNpm } from './command';
import { findTensorFlow, type TensorFlowWheel } from './tensorflowWheel';

export interface TfjsSetupOptions {
  /** Root of the repository. */
  readonly root: string;
  /** Folder for what has to be fetched. */
  readonly cacheDir: string;
  /** An interpreter that may have TensorFlow; null where there is none. */
  readonly python: string | null;
  readonly report: (line: string) => void;
}

export interface TfjsSetup {
  /** Whether the TensorFlow binding works. */
  readonly native: boolean;
  /** The package whose backend the example will use. */
  readonly backend: string;
  /** Why the binding could not be had, in one sentence; null where it works. */
  readonly reason: string | null;
}

const CPU = '@tensorflow/tfjs-node';
const GPU = '@tensorflow/tfjs-node-gpu';
const PURE = '@tensorflow/tfjs';

const INSTALL_TIMEOUT_MS = 5 * 60_000;
const LOAD_TIMEOUT_MS = 60_000;
/** The ordinary way downloads a library of hundreds of megabytes; where it stalls, the wheel serves. */
const ORDINARY_TIMEOUT_MS = 90_000;
const BUILD_TIMEOUT_MS = 5 * 60_000;

/** Whether a package can be loaded and computes, tried in a process of its own. */
async function works(folder: string, name: string): Promise<boolean> {
  const code = `process.exit(require(${JSON.stringify(name)}).add(20, 22).dataSync()[0] === 42 ? 0 : 1)`;
  const env: NodeJS.ProcessEnv = { ...process.env, TF_CPP_MIN_LOG_LEVEL: '3' };
  delete env['NODE_OPTIONS'];
  const options = { cwd: folder, env, timeoutMs: LOAD_TIMEOUT_MS };
  return (await runCommand(process.execPath, ['-e', code], options)).code === 0;
}

const packageFolder = (folder: string, name: string) =>
  path.join(folder, 'node_modules', ...name.split('/'));

/** Changes when the packages have to be installed anew. */
function fingerprint(folder: string): string {
  const hash = createHash('sha256');
  hash.update(readFileSync(path.join(folder, 'package.json')));
  hash.update(`${process.version} ${process.platform} ${process.arch}`);
  return hash.digest('hex');
}

async function installPackages(folder: string, report: (line: string) => void): Promise<boolean> {
  report('Installing the packages of the TensorFlow.js example ...');
  const args = ['install', '--ignore-scripts', '--no-package-lock', '--no-audit', '--no-fund'];
  const options = { cwd: folder, timeoutMs: INSTALL_TIMEOUT_MS, heartbeat: report };
  const { code, output } = await runNpm(args, options);
  if (code !== 0) report(`npm could not install the example's packages: ${lastLine(output) || ''}`);
  return code === 0;
}

/** Fetches the prebuilt addon and the TensorFlow library as the package itself does it. */
async function ordinary(folder: string, name: string): Promise<boolean> {
  const options = { cwd: folder, timeoutMs: ORDINARY_TIMEOUT_MS };
  const { code } = await runNpm(['rebuild', name], options);
  return code === 0 && works(folder, name);
}

/** Node's own headers, where this Node came with them: then none are downloaded. */
function ownHeaders(): string[] {
  const prefix = path.dirname(path.dirname(process.execPath));
  const found = existsSync(path.join(prefix, 'include', 'node', 'node_api.h'));
  return found ? [`--nodedir=${prefix}`] : [];
}

/** Lays the parts of a TensorFlow wheel where the package's build looks for them. */
async function layOut(target: string, wheel: TensorFlowWheel): Promise<void> {
  const library = path.join(target, 'deps', 'lib');
  for (const part of ['deps', 'build', 'lib']) {
    await rm(path.join(target, part), { recursive: true, force: true });
  }
  await mkdir(library, { recursive: true });
  await symlink(wheel.include, path.join(target, 'deps', 'include'), 'dir');
  for (const file of wheel.libraries) {
    await symlink(file, path.join(library, path.basename(file)));
  }
  // The linker asks for these two by their plain names.
  await symlink(wheel.libraries[0], path.join(library, 'libtensorflow.so'));
  await symlink(wheel.libraries[1], path.join(library, 'libtensorflow_framework.so'));
}

/** Builds the addon from its source against the TensorFlow library of a Python wheel. */
async function fromWheel(folder: string, name: string, wheel: TensorFlowWheel) {
  const target = packageFolder(folder, name);
  await layOut(target, wheel);
  const args = ['exec', '--', 'node-pre-gyp', 'install', '--build-from-source', ...ownHeaders()];
  const { code, output } = await runNpm(args, { cwd: target, timeoutMs: BUILD_TIMEOUT_MS });
  return { built: code === 0 && (await works(folder, name)), output };
}

/** The two packages have the same binding: one that was built for the CPU serves for both. */
async function fromCpuBuild(folder: string): Promise<boolean> {
  const source = packageFolder(folder, CPU);
  const target = packageFolder(folder, GPU);
  for (const part of ['deps', 'lib']) {
    if (!existsSync(path.join(source, part))) return false;
    await rm(path.join(target, part), { recursive: true, force: true });
    await cp(path.join(source, part), path.join(target, part), { recursive: true });
  }
  return works(folder, GPU);
}

/** Without an NVIDIA driver, TensorFlow for the GPU would be a large download for nothing. */
async function hasGpu(): Promise<boolean> {
  return (await runCommand('nvidia-smi', ['-L'], { timeoutMs: 20_000 })).code === 0;
}

/** Removes a package whose addon is missing, so that requiring it fails as if it had not been installed. */
async function remove(folder: string, name: string): Promise<void> {
  await rm(packageFolder(folder, name), { recursive: true, force: true });
  const modules = path.join(folder, 'node_modules', '@tensorflow');
  const leftovers = (await readdir(modules)).filter((entry) => entry.startsWith('.tfjs-node'));
  for (const entry of leftovers) await rm(path.join(modules, entry), { recursive: true });
}

/** Makes the CPU package work, or says why it can not be. */
async function provideCpu(
  folder: string,
  { python, cacheDir, report }: TfjsSetupOptions,
): Promise<string | null> {
  if (!existsSync(packageFolder(folder, CPU))) return `npm did not install ${CPU}.`;
  if (await works(folder, CPU)) return null;
  report(`Fetching the TensorFlow library of ${CPU} ...`);
  if (await ordinary(folder, CPU)) return null;
  const wheel = await findTensorFlow({ python, cacheDir, report });
  if (typeof wheel === 'string') return `${CPU} could not fetch its addon, and ${wheel}`;
  report(`Building ${CPU} from its source with TensorFlow ${wheel.version} from Python ...`);
  const { built, output } = await fromWheel(folder, CPU, wheel);
  if (built) return null;
  return `${CPU} could not fetch its addon or be built; the build said: ${lastLine(output) || 'nothing'}`;
}

/** Whether the GPU package works: with its own library where there is a GPU, else with the CPU's. */
async function provideGpu(folder: string, { report }: TfjsSetupOptions): Promise<boolean> {
  if (!existsSync(packageFolder(folder, GPU))) return false;
  if (await works(folder, GPU)) return true;
  if (await hasGpu()) {
    report(`Fetching the TensorFlow library of ${GPU} ...`);
    if (await ordinary(folder, GPU)) return true;
  }
  return fromCpuBuild(folder);
}

/**
 * Installs `examples/tfjs` and makes TensorFlow's native binding work there: by its ordinary
 * download, else by a build from source with the TensorFlow library of a Python wheel. A native
 * package that cannot be made to work is removed, so that the example falls back cleanly. Does
 * nothing that is already done.
 */
export async function setUpTfjsExample(options: TfjsSetupOptions): Promise<TfjsSetup> {
  const { root, report } = options;
  const folder = path.join(root, 'examples', 'tfjs');
  const stamp = path.join(folder, 'node_modules', '.normscope-setup');
  const wanted = fingerprint(folder);
  const done = existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;
  if (done && (await works(folder, CPU))) {
    const gpu = existsSync(packageFolder(folder, GPU)) && (await works(folder, GPU));
    return { native: true, backend: gpu ? GPU : CPU, reason: null };
  }
  const have = [PURE, CPU, GPU].every((name) => existsSync(packageFolder(folder, name)));
  if (!have && !(await installPackages(folder, report))) {
    return { native: false, backend: '', reason: 'npm could not install examples/tfjs.' };
  }
  const reason = await provideCpu(folder, options);
  const gpu = await provideGpu(folder, options);
  if (reason !== null) await remove(folder, CPU);
  if (!gpu) await remove(folder, GPU);
  if (reason !== null) report(`${reason} The example runs without it, more slowly.`);
  if (reason === null) await writeFile(stamp, wanted);
  const backend = gpu ? GPU : reason === null ? CPU : PURE;
  return { native: backend !== PURE, backend, reason: backend === PURE ? reason : null };
}
