import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runTests } from '@vscode/test-electron';
import * as esbuild from 'esbuild';
import { inCache, inRoot, root } from '../setup/paths';
import { toTerminal as report } from '../setup/report';
import { downloadedVscode, hasDisplay } from '../setup/vscode';
import type { Needs } from './needs';
import { readMochaReport } from './reports';
import type { SuiteResult } from './result';
import { freshReport, resultOf } from './runners';

/** Bundles each test of test/vscode, and the module that runs them, for the extension host. */
async function buildTests(): Promise<string> {
  const folder = inRoot('test', 'vscode');
  const out = inCache('test', 'vscode');
  const tests = (await readdir(folder)).filter((name) => name.endsWith('.test.ts'));
  await rm(out, { recursive: true, force: true });
  await esbuild.build({
    entryPoints: ['main.ts', ...tests].map((name) => path.join(folder, name)),
    outdir: out,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    sourcemap: 'inline',
    external: ['vscode', 'mocha'],
    logLevel: 'warning',
  });
  return path.join(out, 'main.cjs');
}

/** An executable that takes VS Code's options and runs its server build; see serverExecutable.ts. */
async function serverExecutable(): Promise<string> {
  const windows = process.platform === 'win32';
  const file = inCache('test', windows ? 'vscode-server.cmd' : 'vscode-server.sh');
  const script = inRoot('test', 'harness', 'serverExecutable.ts');
  const command = `"${process.execPath}" --import "${import.meta.resolve('tsx')}" "${script}"`;
  await mkdir(path.dirname(file), { recursive: true });
  const text = windows ? `@${command} %*\r\n` : `#!/bin/sh\nexec ${command} "$@"\n`;
  await writeFile(file, text);
  await chmod(file, 0o755);
  return file;
}

/** User data of a VS Code that knows the Python of the tests. */
async function userData(python: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'normscope-vscode-'));
  await mkdir(path.join(folder, 'User'));
  const settings = { 'python.defaultInterpreterPath': python };
  await writeFile(path.join(folder, 'User', 'settings.json'), JSON.stringify(settings));
  return folder;
}

/** Runs test/vscode with Mocha in the extension host of a downloaded VS Code or the server build. */
export async function runVscodeSuite(needs: Needs): Promise<SuiteResult> {
  const { python } = await needs.python();
  await Promise.all([needs.build(), needs.tfjs()]);
  const desktop = hasDisplay() ? await downloadedVscode(report) : undefined;
  if (desktop === undefined) {
    report("The tests run in VS Code's server build.");
    await needs.server();
    process.env['NORMSCOPE_CHROMIUM'] = await needs.browser();
  }
  const reportFile = await freshReport('vscode.json');
  const data = await userData(python);
  let code = 0;
  try {
    await runTests({
      vscodeExecutablePath: desktop ?? (await serverExecutable()),
      extensionDevelopmentPath: [root, inRoot('test', 'harness', 'pythonDebugger')],
      extensionTestsPath: await buildTests(),
      launchArgs: [inRoot('examples'), `--user-data-dir=${data}`],
      extensionTestsEnv: {
        NORMSCOPE_TEST_REPORT: reportFile,
        NORMSCOPE_TEST_PYTHON: python,
        NORMSCOPE_TEST_ROOT: root,
      },
    });
  } catch (error) {
    code = (error as { code?: number }).code ?? 1;
  } finally {
    await rm(data, { recursive: true, force: true, maxRetries: 5, retryDelay: 300 });
  }
  return resultOf(readMochaReport, reportFile, { code, timedOut: false });
}
