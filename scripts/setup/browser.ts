import { existsSync } from 'node:fs';
import path from 'node:path';
import { lastLine, runCommand } from './command';
import { findOnPath } from './findOnPath';
import { inCache, inRoot } from './paths';
import { SetupError, type Report } from './report';
import { installSystemPackages } from './systemPackages';

/** Names one's own Chromium, Chrome or Edge. */
const VARIABLE = 'NORMSCOPE_CHROMIUM';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

function usualPlaces(): string[] {
  if (process.platform === 'darwin') {
    return [
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      '/Applications/Chromium.app/Contents/MacOS/Chromium',
      '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
    ];
  }
  if (process.platform !== 'win32') return ['/usr/bin/chromium', '/usr/lib/chromium/chromium'];
  const folders = ['ProgramFiles', 'ProgramFiles(x86)', 'LOCALAPPDATA'].flatMap(
    (name) => process.env[name] ?? [],
  );
  return folders.flatMap((folder) => [
    path.join(folder, 'Google', 'Chrome', 'Application', 'chrome.exe'),
    path.join(folder, 'Microsoft', 'Edge', 'Application', 'msedge.exe'),
  ]);
}

async function playwrightsOwn(report: Report): Promise<string | undefined> {
  const browsers = inCache('browsers');
  process.env['PLAYWRIGHT_BROWSERS_PATH'] = browsers;
  const { chromium } = await import('playwright-core');
  if (existsSync(chromium.executablePath())) return chromium.executablePath();
  report('Downloading Chromium ...');
  const cli = inRoot('node_modules', 'playwright-core', 'cli.js');
  const { code, output } = await runCommand(process.execPath, [cli, 'install', 'chromium'], {
    heartbeat: report,
    timeoutMs: 10 * 60_000,
  });
  if (code === 0) return chromium.executablePath();
  report(`Chromium could not be downloaded: ${lastLine(output)}`);
  return undefined;
}

/**
 * A browser that Playwright can drive.
 * @returns absolute path of its executable.
 * @throws SetupError when there is none and none can be had.
 */
export async function setUpBrowser(report: Report): Promise<string> {
  const named = process.env[VARIABLE];
  if (named !== undefined && named !== '') {
    if (existsSync(named)) return named;
    throw new SetupError(`${VARIABLE} names ${named}, which does not exist.`);
  }
  const found = () => findOnPath(NAMES) ?? usualPlaces().find(existsSync);
  const present = found();
  if (present !== undefined) return present;
  if (await installSystemPackages(['chromium', 'fonts-dejavu-core'], report)) {
    const installed = found();
    if (installed !== undefined) return installed;
  }
  const downloaded = await playwrightsOwn(report);
  if (downloaded !== undefined) return downloaded;
  throw new SetupError(
    `Chromium is needed and could not be had; install it, or name one in ${VARIABLE}.`,
  );
}
