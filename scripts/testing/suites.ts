import { inRoot, root } from '../setup/paths';
import { runCommand } from '../setup/command';
import { setUpArrayLibraries } from '../setup/arrayLibraries';
import { setUpModelLibraries } from '../setup/modelLibraries';
import { toTerminal as report } from '../setup/report';
import type { Needs } from './needs';
import { add, checks, couldNotRun, type SuiteResult } from './result';
import { passes, pytest, vitest } from './runners';
import { runVscodeSuite } from './vscodeSuite';

type Suite = (needs: Needs) => Promise<SuiteResult>;

const PYTHON_FOLDERS = ['extension/agents/python', 'examples/python', 'test/agents/python'];

async function ruff(needs: Needs): Promise<SuiteResult> {
  const { python, missing } = await needs.python();
  if (missing.includes('ruff')) return couldNotRun('ruff could not be installed');
  const config = inRoot('extension', 'agents', 'python', 'pyproject.toml');
  const args = ['-m', 'ruff', 'check', '--no-cache', '--config', config, ...PYTHON_FOLDERS];
  const { code } = await runCommand(python, args, { cwd: root, inherit: true });
  return checks({ 'ruff check': code === 0 });
}

/** All suites by name, in the order they run. */
export const SUITES: Readonly<Record<string, Suite>> = {
  typecheck: async () =>
    checks({ 'tsc --noEmit': await passes('typescript/bin/tsc', ['--noEmit']) }),

  lint: async (needs) =>
    add(
      checks({
        eslint: await passes('eslint/bin/eslint.js', ['.', '--max-warnings', '0']),
        prettier: await passes('prettier/bin/prettier.cjs', ['--check', '--log-level=warn', '.']),
      }),
      await ruff(needs),
    ),

  unit: () => vitest('unit', ['test/unit/']),

  node: async (needs) => {
    const [{ native, reason }] = await Promise.all([needs.tfjs(), needs.build()]);
    const result = await vitest('node', ['test/agents/node/']);
    return native ? result : add(result, couldNotRun(reason ?? 'no native TF.js'));
  },

  python: async (needs) => {
    const { python } = await needs.python();
    const missing = await setUpModelLibraries(python, report);
    const result = await pytest('python', python, inRoot('test', 'agents', 'python'));
    return missing.length === 0
      ? result
      : add(result, couldNotRun(`the architecture tests need ${missing.join(', ')}`));
  },

  dap: async (needs) => {
    const [{ python }] = await Promise.all([needs.python(), needs.build()]);
    const arrays = await setUpArrayLibraries(python, report);
    const env = arrays.missing.length === 0 ? { ARRAYS_PYTHON: arrays.interpreter } : {};
    const config = inRoot('test', 'dap', 'vitest.config.ts');
    const result = await vitest('dap', ['--config', config], env);
    return arrays.missing.length === 0
      ? result
      : add(result, couldNotRun(`the tests of arrays need ${arrays.missing.join(', ')}`));
  },

  vscode: runVscodeSuite,

  ui: async (needs) => {
    await needs.python();
    await Promise.all([needs.build(), needs.tfjs(), needs.server()]);
    const env = { NORMSCOPE_CHROMIUM: await needs.browser() };
    return vitest('ui', ['--config', inRoot('test', 'ui', 'vitest.config.ts')], env);
  },
};
