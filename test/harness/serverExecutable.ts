/**
 * Stands in for VS Code's executable where none can be downloaded: takes the options that
 * `@vscode/test-electron` gives, runs the tests in the server build without a window, and exits
 * with the tests' code.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setUpBrowser } from '../../scripts/setup/browser';
import { inCache } from '../../scripts/setup/paths';
import { setUpVscodeServer } from '../../scripts/setup/vscodeServer';
import { openVscode } from './vscodeSession';

const TIMEOUT_MS = 18 * 60_000;
/** Marks the lines of the extension host's console that are for the person. */
const MARK = '[test] ';

const args = process.argv.slice(2);
const values = (name: string) =>
  args.filter((arg) => arg.startsWith(`--${name}=`)).map((arg) => arg.slice(name.length + 3));

async function readSettings(): Promise<Record<string, unknown>> {
  const [data] = values('user-data-dir');
  if (data === undefined) return {};
  const text = await readFile(path.join(data, 'User', 'settings.json'), 'utf8').catch(() => '{}');
  return JSON.parse(text) as Record<string, unknown>;
}

function print(line: string): void {
  const at = line.indexOf(MARK);
  if (at >= 0) console.log(line.slice(at + MARK.length));
}

async function main(): Promise<number> {
  const folder = args.find((arg) => !arg.startsWith('-'));
  // Only one is under development in a window in a browser; the others count as installed.
  const [developmentPath, ...installed] = values('extensionDevelopmentPath');
  const [testsPath] = values('extensionTestsPath');
  if (folder === undefined || testsPath === undefined) {
    console.error('A folder and --extensionTestsPath are needed.');
    return 2;
  }
  const session = await openVscode({
    files: await setUpVscodeServer(inCache('vscode'), console.log),
    browser: await setUpBrowser(console.log),
    folder,
    ...(developmentPath === undefined ? {} : { developmentPath }),
    testsPath,
    installed,
    settings: await readSettings(),
    onLog: print,
  });
  const stop = () => void session.close().finally(() => process.exit(130));
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    const late = sleep(TIMEOUT_MS, 3).then((code) => {
      console.error(`The tests did not end within ${TIMEOUT_MS / 60_000} minutes.`);
      return code;
    });
    return await Promise.race([session.exitCode, late]);
  } finally {
    await session.close();
  }
}

process.exit(await main());
