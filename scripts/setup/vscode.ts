import { existsSync } from 'node:fs';
import path from 'node:path';
import { downloadAndUnzipVSCode, SilentReporter } from '@vscode/test-electron';
import { findOnPath } from './findOnPath';
import { inCache } from './paths';
import type { Report } from './report';

/** How long the download may be silent. */
const DOWNLOAD_IDLE_MS = 5_000;
const DOWNLOAD_LIMIT_MS = 15 * 60_000;

/** Whether a program can open a window here. */
export function hasDisplay(): boolean {
  if (process.platform !== 'linux') return true;
  return Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY']);
}

/** Command line of a VS Code that is installed on this machine. */
export function installedVscode(): string | undefined {
  const onPath = findOnPath(['code']);
  if (onPath !== undefined) return onPath;
  const places =
    process.platform === 'darwin'
      ? ['/Applications/Visual Studio Code.app/Contents/Resources/app/bin/code']
      : process.platform === 'win32'
        ? ['LOCALAPPDATA', 'ProgramFiles'].flatMap((name) => {
            const folder = process.env[name];
            const programs = name === 'LOCALAPPDATA' ? ['Programs'] : [];
            return folder === undefined
              ? []
              : path.join(folder, ...programs, 'Microsoft VS Code', 'bin', 'code.cmd');
          })
        : ['/usr/share/code/bin/code', '/snap/bin/code', '/usr/bin/code'];
  return places.find(existsSync);
}

let download: Promise<string | undefined> | undefined;

/**
 * Executable of a VS Code downloaded for development, or undefined where it cannot be downloaded.
 * Tried once a run, since an unreachable host stays so.
 */
export function downloadedVscode(report: Report): Promise<string | undefined> {
  download ??= tryDownload(report);
  return download;
}

async function tryDownload(report: Report): Promise<string | undefined> {
  report('Looking for a VS Code to download ...');
  const limit = AbortSignal.timeout(DOWNLOAD_LIMIT_MS);
  const late = new Promise<never>((_resolve, reject) =>
    limit.addEventListener('abort', () => reject(new Error('it took too long'))),
  );
  try {
    const options = {
      cachePath: inCache('vscode-desktop'),
      timeout: DOWNLOAD_IDLE_MS,
      reporter: new SilentReporter(),
    };
    return await Promise.race([downloadAndUnzipVSCode(options), late]);
  } catch (error) {
    report(`VS Code cannot be downloaded here (${(error as Error).message}).`);
    return undefined;
  }
}
