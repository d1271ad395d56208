import { existsSync } from 'node:fs';
import path from 'node:path';
import { lastLine, runCommand } from './command';

/** The parts of a TensorFlow wheel that a C++ program is built with. */
export interface TensorFlowWheel {
  readonly version: string;
  readonly include: string;
  /** The C API's library, and the one it stands on. */
  readonly libraries: readonly [string, string];
}

export interface WheelOptions {
  readonly python: string | null;
  readonly cacheDir: string;
  readonly report: (line: string) => void;
}

const PIP_TIMEOUT_MS = 20 * 60_000;

/** Finds the package without importing it: that would take seconds and need all it depends on. */
const LOCATE = [
  'import importlib.metadata as m, importlib.util as u, sys',
  'sys.path[:0] = sys.argv[1:]',
  's = u.find_spec("tensorflow")',
  'names = ("tensorflow-cpu", "tensorflow")',
  'v = [d.version for d in m.distributions() if (d.metadata["Name"] or "").lower().replace("_", "-") in names]',
  'print(s.submodule_search_locations[0] if s else "")',
  'print(v[0] if v else "unknown")',
].join('\n');

async function locate(python: string, extra: readonly string[]): Promise<TensorFlowWheel | null> {
  const { code, output } = await runCommand(python, ['-c', LOCATE, ...extra]);
  const [folder, version] = output.split(/\r?\n/);
  if (code !== 0 || !folder || !version) return null;
  const include = path.join(folder, 'include');
  const libraries = ['libtensorflow_cc.so.2', 'libtensorflow_framework.so.2'].map((name) =>
    path.join(folder, name),
  ) as [string, string];
  const complete = [path.join(include, 'tensorflow', 'c', 'eager', 'c_api.h'), ...libraries];
  return complete.every((file) => existsSync(file)) ? { version, include, libraries } : null;
}

/**
 * The TensorFlow library of the given Python, or one that pip fetches into the cache folder.
 * @returns a clause that says why there is none, to follow "…, and ".
 */
export async function findTensorFlow(options: WheelOptions): Promise<TensorFlowWheel | string> {
  const { cacheDir, report } = options;
  if (process.platform !== 'linux') return 'a build with the Python wheel is made on Linux only.';
  const python = options.python ?? 'python3';
  const target = path.join(cacheDir, 'tensorflow');
  const found = (await locate(python, [])) ?? (await locate(python, [target]));
  if (found) return found;
  report('Fetching TensorFlow by pip for the native TensorFlow.js binding (about 250 MB) ...');
  const install = ['-m', 'pip', 'install', '--no-input', '--no-deps', '--upgrade'];
  const args = [...install, '--target', target, 'tensorflow-cpu'];
  const settings = { timeoutMs: PIP_TIMEOUT_MS, heartbeat: report };
  const { output } = await runCommand(python, args, settings);
  const fetched = await locate(python, [target]);
  return fetched ?? `pip could not fetch TensorFlow (${lastLine(output) || 'it did not start'}).`;
}
