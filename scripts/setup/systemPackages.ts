import { existsSync } from 'node:fs';
import { lastLine, runCommand } from './command';
import type { Report } from './report';

const APT = '/usr/bin/apt-get';

/** Whether packages of the system can be installed without asking anyone. */
export const canInstallSystemPackages = () =>
  process.platform === 'linux' && process.getuid?.() === 0 && existsSync(APT);

let updated = false;

/**
 * Installs packages of Debian or Ubuntu.
 * @returns whether all are there now; the reason why not is reported.
 */
export async function installSystemPackages(
  names: readonly string[],
  report: Report,
): Promise<boolean> {
  if (!canInstallSystemPackages()) return false;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const options = { env, heartbeat: report, timeoutMs: 20 * 60_000 };
  if (!updated) {
    report('Updating the list of system packages ...');
    await runCommand(APT, ['update', '-q'], options);
    updated = true;
  }
  report(`Installing system packages: ${names.join(', ')} ...`);
  const install = ['install', '-y', '-q', '--no-install-recommends', ...names];
  const { code, output } = await runCommand(APT, install, options);
  if (code !== 0) report(`The system packages could not be installed: ${lastLine(output)}`);
  return code === 0;
}
