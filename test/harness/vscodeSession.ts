import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import type { ServerFiles } from '../../scripts/setup/vscodeServer';
import { startVscodeServer, type VscodeServer } from '../../scripts/setup/vscodeServerProcess';
import { REMOTE_CONTROL, RemoteHost } from './remoteHost';

export interface SessionOptions {
  readonly files: ServerFiles;
  /** Executable of the browser. */
  readonly browser: string;
  readonly folder: string;
  /** An extension in development mode. */
  readonly developmentPath?: string;
  /** Folders of extensions that count as installed. */
  readonly installed?: readonly string[];
  /** Module whose `run()` is called in the extension host. */
  readonly testsPath?: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly env?: NodeJS.ProcessEnv;
  /** Hears what the page and the extension host write to their consoles. */
  readonly onLog?: (line: string) => void;
}

/** A VS Code in a browser without a window. */
export interface VscodeSession {
  readonly page: Page;
  /** Runs functions in its extension host. */
  readonly host: RemoteHost;
  /** Exit code of the tests, once `run()` of {@link SessionOptions.testsPath} has ended. */
  readonly exitCode: Promise<number>;
  /** Reloads the window and waits until the workbench is back. */
  reload(): Promise<void>;
  screenshot(file: string): Promise<void>;
  /** Ends everything that belongs to it. */
  close(): Promise<void>;
}

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Nothing that asks, greets or fetches: the same window at every start. */
const QUIET_SETTINGS = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
  'chat.commandCenter.enabled': false,
  'chat.disableAIFeatures': true,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'update.mode': 'none',
  'telemetry.telemetryLevel': 'off',
  'security.workspace.trust.enabled': false,
  'window.dialogStyle': 'custom',
  'git.enabled': false,
  'remote.autoForwardPorts': false,
  'debug.toolBarLocation': 'docked',
  'editor.minimap.enabled': false,
};

const VIEWPORT = { width: 1800, height: 1100 };
const READY_TIMEOUT_MS = 180_000;

async function openPage(
  browser: Browser,
  onExit: (code: number) => void,
  log: (l: string) => void,
) {
  const page = await browser.newPage({ viewport: VIEWPORT });
  // VS Code calls these where an automation defines them.
  await page.exposeFunction('codeAutomationExit', onExit);
  await page.exposeFunction('codeAutomationLog', () => undefined);
  page.on('console', (message) => log(message.text()));
  page.on('pageerror', (error) => log(`page error: ${error.message}`));
  return page;
}

async function workbenchReady(page: Page): Promise<void> {
  await page.locator('.monaco-workbench .part.statusbar').waitFor({ timeout: READY_TIMEOUT_MS });
}

/** Opens VS Code's server build on a folder in headless Chromium. */
export async function openVscode(options: SessionOptions): Promise<VscodeSession> {
  const log = options.onLog ?? (() => undefined);
  const scratch = await mkdtemp(path.join(tmpdir(), 'normscope-session-'));
  const remoteFile = path.join(scratch, 'port');
  const token = randomUUID();
  let server: VscodeServer | undefined;
  let browser: Browser | undefined;
  const close = async () => {
    await browser?.close().catch(() => undefined);
    await server?.stop();
    await rm(scratch, { recursive: true, force: true });
  };
  try {
    server = await startVscodeServer({
      files: options.files,
      settings: { ...QUIET_SETTINGS, ...options.settings },
      env: {
        // The browser draws in software: a second thread of OpenMP would only wait in a busy loop.
        OMP_NUM_THREADS: '1',
        ...options.env,
        NORMSCOPE_REMOTE_FILE: remoteFile,
        NORMSCOPE_REMOTE_TOKEN: token,
      },
      installed: [REMOTE_CONTROL, ...(options.installed ?? [])],
    });
    browser = await chromium.launch({ executablePath: options.browser, args: FLAGS });
    let onExit: (code: number) => void = () => undefined;
    const exitCode = new Promise<number>((resolve) => (onExit = resolve));
    const page = await openPage(browser, (code) => onExit(code), log);
    const url = server.url(options);
    const host = new RemoteHost(remoteFile, token);
    await page.goto(url);
    await workbenchReady(page);
    return {
      page,
      host,
      exitCode,
      close,
      reload: async () => {
        await host.forget();
        await page.reload();
        await workbenchReady(page);
      },
      screenshot: async (file) => {
        await mkdir(path.dirname(file), { recursive: true });
        await page.screenshot({ path: file });
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}
