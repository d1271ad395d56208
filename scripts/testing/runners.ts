import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { runCommand } from '../setup/command';
import { inCache, inRoot, root } from '../setup/paths';
import { readPytestReport, readVitestReport } from './reports';
import { add, couldNotRun, withExitCode, type SuiteResult } from './result';

const SUITE_TIMEOUT_MS = 45 * 60_000;

/** Where a suite's report goes; nothing lies there yet. */
export async function freshReport(name: string): Promise<string> {
  const file = inCache('reports', name);
  await mkdir(path.dirname(file), { recursive: true });
  await rm(file, { force: true });
  return file;
}

/** Reads what a suite wrote; a suite without a readable report has failed. */
export async function resultOf(
  read: (file: string) => Promise<SuiteResult>,
  file: string,
  end: { readonly code: number | null; readonly timedOut: boolean },
): Promise<SuiteResult> {
  const why = end.timedOut ? 'after its time was up' : `with code ${end.code}`;
  if (!existsSync(file)) return couldNotRun(`the suite ended ${why} and left no report`);
  try {
    const result = withExitCode(await read(file), end.code);
    return end.timedOut ? add(result, couldNotRun('the suite did not end in time')) : result;
  } catch (error) {
    return couldNotRun(`the suite's report cannot be read: ${String(error)}`);
  }
}

/** Whether a program of node_modules, run by this Node, ends well. */
export async function passes(script: string, args: readonly string[]): Promise<boolean> {
  const file = inRoot('node_modules', ...script.split('/'));
  const options = { cwd: root, inherit: true, timeoutMs: SUITE_TIMEOUT_MS };
  return (await runCommand(process.execPath, [file, ...args], options)).code === 0;
}

/** Runs Vitest with these arguments. */
export async function vitest(
  name: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<SuiteResult> {
  const report = await freshReport(`${name}.json`);
  const script = inRoot('node_modules', 'vitest', 'vitest.mjs');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const end = await runCommand(process.execPath, [script, 'run', ...reporters, ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    inherit: true,
    timeoutMs: SUITE_TIMEOUT_MS,
  });
  return resultOf(readVitestReport, report, end);
}

/** Runs pytest on a folder. */
export async function pytest(name: string, python: string, folder: string): Promise<SuiteResult> {
  const report = await freshReport(`${name}.xml`);
  const args = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', `--junitxml=${report}`, folder];
  const end = await runCommand(python, args, {
    cwd: root,
    inherit: true,
    timeoutMs: SUITE_TIMEOUT_MS,
  });
  return resultOf(readPytestReport, report, end);
}
