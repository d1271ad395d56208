import { runCommand } from './command';
import { inRoot, root } from './paths';
import { SetupError, type Report } from './report';

/**
 * Builds dist/.
 * @throws SetupError when something does not compile; the compiler's words are in it.
 */
export async function buildExtension(report: Report): Promise<void> {
  report('Building the extension, the panel and the agents ...');
  const script = inRoot('scripts', 'build.ts');
  const { code, output } = await runCommand(process.execPath, ['--import', 'tsx', script], {
    cwd: root,
    timeoutMs: 5 * 60_000,
  });
  if (code !== 0) throw new SetupError(`The build failed:\n${output.trim()}`);
}
