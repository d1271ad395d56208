import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setUpBrowser } from '../setup/browser';
import { inCache } from '../setup/paths';
import { killTree } from '../setup/processTree';
import { hasDisplay } from '../setup/vscode';
import { setUpVscodeServer } from '../setup/vscodeServer';
import { startVscodeServer } from '../setup/vscodeServerProcess';
import { shown, type WindowOptions } from './shown';

interface Window {
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/** A browser window without tabs, with a profile of its own. */
async function openWindow(browser: string, url: string): Promise<Window> {
  const profile = await mkdtemp(path.join(tmpdir(), 'normscope-browser-'));
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const args = [`--app=${url}`, `--user-data-dir=${profile}`, '--no-first-run', ...sandbox];
  const child: ChildProcess = spawn(browser, args, { stdio: 'ignore' });
  const closed = new Promise<void>((resolve) => child.on('exit', () => resolve()));
  const close = async () => {
    if (child.pid !== undefined) killTree(child.pid);
    await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 300 });
  };
  return { closed, close };
}

/** Serves VS Code to a browser: opens one where there is a display, else says where to look. */
export async function showInBrowser(options: WindowOptions): Promise<number> {
  const { python, report } = options;
  const files = await setUpVscodeServer(inCache('vscode'), report);
  const browser = hasDisplay() ? await setUpBrowser(report) : undefined;
  const server = await startVscodeServer({
    files,
    settings: shown.settings(python),
    installed: [shown.demo],
  });
  const interrupted = new Promise<number>((resolve) => {
    process.once('SIGINT', () => resolve(130)).once('SIGTERM', () => resolve(143));
  });
  const url = server.url({ folder: shown.folder, developmentPath: shown.extension });
  let window: Window | undefined;
  try {
    if (browser === undefined) {
      report('VS Code runs; with no display here, open this address in a browser:');
      console.log(`\n  ${url}\n`);
      report(`From another machine, forward port ${server.port} first. Ctrl-C ends it.`);
      return await interrupted;
    }
    window = await openWindow(browser, url);
    report('VS Code is open in a browser window; close it or press Ctrl-C to end.');
    return await Promise.race([interrupted, window.closed.then(() => 0)]);
  } finally {
    await window?.close();
    await server.stop();
  }
}
