import { runCommand } from './command';
import { missingModules, pipInstall } from './pythonEnvironment';
import type { Report } from './report';

/** Libraries whose architectures the agent's tests build from configuration. */
const LIBRARIES = ['torchvision', 'timm', 'transformers'];

/**
 * Installs what is missing of them into the environment of `python`, whose PyTorch stays as it is:
 * one from Debian or for another device would be replaced otherwise.
 * @returns those that could not be had.
 */
export async function setUpModelLibraries(
  python: string,
  report: Report,
): Promise<readonly string[]> {
  const missing = await missingModules(python, LIBRARIES);
  if (missing.length === 0) return missing;
  const code = 'from importlib.metadata import version; print(version("torch"))';
  const { code: exit, output } = await runCommand(python, ['-c', code]);
  if (exit !== 0) return missing;
  report(`Installing ${missing.join(', ')} by pip ...`);
  await pipInstall(python, [...missing, `torch==${output.trim()}`], report);
  return missingModules(python, LIBRARIES);
}
