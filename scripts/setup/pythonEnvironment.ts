import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { lastLine, runCommand } from './command';
import { inCache } from './paths';
import { SetupError, type Report } from './report';
import { canInstallSystemPackages, installSystemPackages } from './systemPackages';

/** Import name and pip's name of everything that the examples and the tests need. */
const NEEDED = {
  torch: 'torch',
  debugpy: 'debugpy',
  numpy: 'numpy',
  sklearn: 'scikit-learn',
  pytest: 'pytest',
} as const;

/** Tools that only Python's own index has; what is missing is said where it is used. */
const WISHED = { ruff: 'ruff', mypy: 'mypy' } as const;

const DEBIAN_PACKAGES = [
  'python3-venv',
  'python3-torch',
  'python3-debugpy',
  'python3-numpy',
  'python3-sklearn',
  'python3-pytest',
];

const OLDEST = [3, 9] as const;
const PIP_TIMEOUT_MS = 40 * 60_000;

export interface PythonEnvironment {
  /** Absolute path of the interpreter. */
  readonly python: string;
  /** Wished modules that could not be had. */
  readonly missing: readonly string[];
}

interface Interpreter {
  readonly command: string;
  readonly args: readonly string[];
}

/** Absolute path of the interpreter of a virtual environment. */
export const interpreterOf = (environment: string) =>
  process.platform === 'win32'
    ? path.join(environment, 'Scripts', 'python.exe')
    : path.join(environment, 'bin', 'python');

/** Those of `modules` that the interpreter cannot find; all of them if it does not run. */
export async function missingModules(
  python: string,
  modules: readonly string[],
): Promise<string[]> {
  const code =
    'import importlib.util, sys; print(",".join(m for m in sys.argv[1:] if not importlib.util.find_spec(m)))';
  const { code: exit, output } = await runCommand(python, ['-c', code, ...modules]);
  if (exit !== 0) return [...modules];
  return output.trim().split(',').filter(Boolean);
}

async function findInterpreter(): Promise<Interpreter> {
  const candidates: Interpreter[] = [
    { command: 'python3', args: [] },
    { command: 'python', args: [] },
    { command: 'py', args: ['-3'] },
  ];
  const check = `import sys; sys.exit(0 if sys.version_info[:2] >= (${OLDEST.join(', ')}) else 9)`;
  let tooOld = false;
  for (const candidate of candidates) {
    const { code } = await runCommand(candidate.command, [...candidate.args, '-c', check]);
    if (code === 0) return candidate;
    tooOld ||= code === 9;
  }
  throw new SetupError(
    tooOld
      ? `Python ${OLDEST.join('.')} or later is needed, and the one on the PATH is older.`
      : `Python ${OLDEST.join('.')} or later is needed, and none was found as python3, python or py.`,
  );
}

async function createEnvironment(
  { command, args }: Interpreter,
  folder: string,
  report: Report,
  options: readonly string[] = [],
): Promise<boolean> {
  await rm(folder, { recursive: true, force: true });
  const create = () => runCommand(command, [...args, '-m', 'venv', ...options, folder]);
  if ((await create()).code === 0) return true;
  // Debian keeps what `venv` needs in a package of its own.
  if (!(await installSystemPackages(['python3-venv'], report))) return false;
  await rm(folder, { recursive: true, force: true });
  return (await create()).code === 0;
}

/** Installs with pip; reports why it failed. */
export async function pipInstall(
  python: string,
  names: readonly string[],
  report: Report,
): Promise<boolean> {
  const args = ['-m', 'pip', 'install', '--retries', '0', '--no-input', ...names];
  const options = { heartbeat: report, timeoutMs: PIP_TIMEOUT_MS };
  const { code, output, timedOut } = await runCommand(python, args, options);
  if (code === 0) return true;
  report(`pip could not install ${names.join(', ')}: ${timedOut ? 'no end' : lastLine(output)}`);
  return false;
}

async function fromPip(folder: string, report: Report): Promise<boolean> {
  const base = await findInterpreter();
  report('Creating a Python environment ...');
  if (!(await createEnvironment(base, folder, report))) return false;
  const names = Object.values(NEEDED);
  report(`Installing ${names.join(', ')} by pip (some minutes the first time) ...`);
  return pipInstall(interpreterOf(folder), names, report);
}

async function fromSystem(folder: string, report: Report): Promise<boolean> {
  if (!canInstallSystemPackages()) return false;
  if (!(await installSystemPackages(DEBIAN_PACKAGES, report))) return false;
  const system = { command: '/usr/bin/python3', args: [] };
  return createEnvironment(system, folder, report, ['--system-site-packages']);
}

/**
 * The Python environment of the examples and the tests, made if it is not there.
 * @throws SetupError when it cannot be had.
 */
export async function setUpPython(report: Report): Promise<PythonEnvironment> {
  const folder = inCache('python');
  const python = interpreterOf(folder);
  const needed = Object.keys(NEEDED);
  const wished = Object.keys(WISHED);
  if (!existsSync(python) || (await missingModules(python, needed)).length > 0) {
    const made = (await fromPip(folder, report)) || (await fromSystem(folder, report));
    const missing = made ? await missingModules(python, needed) : needed;
    if (missing.length > 0) {
      throw new SetupError(
        `The Python packages ${missing.join(', ')} could not be installed, neither by pip nor from ` +
          'the system; install them into .cache/python and run the command again.',
      );
    }
    await pipInstall(python, Object.values(WISHED), report);
  }
  return { python, missing: await missingModules(python, wished) };
}
