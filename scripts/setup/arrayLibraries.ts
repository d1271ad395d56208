import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { runCommand } from './command';
import { inCache } from './paths';
import { interpreterOf, missingModules, pipInstall } from './pythonEnvironment';
import type { Report } from './report';

/** Import name and pip's name of what the tests of other frameworks' arrays need. */
const LIBRARIES = { tensorflow: 'tensorflow-cpu', jax: 'jax', debugpy: 'debugpy' } as const;

/**
 * An environment with TensorFlow and JAX of its own: they and PyTorch want different versions of
 * what they share.
 * @returns its interpreter, and what could not be had.
 */
export async function setUpArrayLibraries(
  python: string,
  report: Report,
): Promise<{ readonly interpreter: string; readonly missing: readonly string[] }> {
  const folder = inCache('arrays');
  const interpreter = interpreterOf(folder);
  const modules = Object.keys(LIBRARIES);
  if (!existsSync(interpreter)) {
    const { code } = await runCommand(python, ['-m', 'venv', folder]);
    if (code !== 0) {
      await rm(folder, { recursive: true, force: true });
      return { interpreter, missing: modules };
    }
  }
  if ((await missingModules(interpreter, modules)).length > 0) {
    const names = Object.values(LIBRARIES);
    report(`Installing ${names.join(', ')} by pip ...`);
    await pipInstall(interpreter, names, report);
  }
  return { interpreter, missing: await missingModules(interpreter, modules) };
}
