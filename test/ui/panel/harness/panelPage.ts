import type { Browser, Page } from 'playwright-core';
import type { FromPanel, PanelState, ToPanel } from '../../../../extension/protocol/panelMessages';
import { panelHtml } from '../../../../extension/views/panel/panelHtml';
import {
  PanelSession,
  type PanelMemory,
  type PanelSource,
} from '../../../../extension/views/panel/panelSession';
import { panelStrings } from '../../../../extension/views/panel/panelStrings';
import { bundlePanel } from './bundle';
import { THEMES, type Theme, type ThemeName } from './themes';

const ORIGIN = 'http://panel.test';
const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript',
  css: 'text/css',
  ttf: 'font/ttf',
};

let files: Promise<ReadonlyMap<string, Buffer>> | undefined;

export interface PanelOptions {
  readonly theme?: ThemeName;
  readonly width?: number;
  readonly height?: number;
  readonly reducedMotion?: boolean;
  /** What the host keeps when a panel is closed. */
  readonly memory?: PanelMemory;
}

/** The panel's page in a browser, connected to a real host session over a given source. */
export interface PanelPage {
  readonly page: Page;
  readonly session: PanelSession;
  /** Violations of the content security policy, page errors and console errors. */
  readonly complaints: readonly string[];
  readonly revealed: readonly { file: string; line: number }[];
  readonly commands: readonly string[];
  /** What the page remembered last. */
  state(): Promise<PanelState | undefined>;
  /** Loads the page again, as VS Code does after hiding it: only the state survives. */
  reload(): Promise<void>;
  setTheme(theme: ThemeName): Promise<void>;
  close(): Promise<void>;
}

declare global {
  interface Window {
    toHost(message: unknown): void;
    complain(text: string): void;
  }
}

/** In the page: what VS Code puts into every webview. `message` crosses as text. */
function installVsCode(): void {
  const key = 'vscode-state';
  const api = {
    postMessage: (message: unknown) => window.toHost(message),
    getState: () => JSON.parse(sessionStorage.getItem(key) ?? 'null') ?? undefined,
    setState: (state: unknown) => sessionStorage.setItem(key, JSON.stringify(state)),
  };
  Object.assign(window, { acquireVsCodeApi: () => api });
  document.addEventListener('securitypolicyviolation', (event) => {
    window.complain(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
  });
}

/** In the page: sets a theme as VS Code does, before the page's own script runs. */
function installTheme({ classes, kind, variables }: Theme): void {
  const apply = () => {
    for (const [name, value] of Object.entries(variables)) {
      document.documentElement.style.setProperty(`--vscode-${name}`, value);
    }
    if (!document.body) return;
    document.body.className = classes;
    document.body.dataset.vscodeThemeKind = kind;
  };
  if (document.body) {
    document.documentElement.removeAttribute('style');
    apply();
    return;
  }
  new MutationObserver((_changes, observer) => {
    if (!document.body) return;
    observer.disconnect();
    apply();
  }).observe(document, { childList: true, subtree: true });
}

type Wire = { message: unknown; blob: string | null };

/** In the page: delivers a message of the host, its blob sent as base64. */
function deliver({ message, blob }: Wire): void {
  const data = message as Record<string, unknown>;
  if (blob !== null) data.blob = Uint8Array.from(atob(blob), (char) => char.charCodeAt(0)).buffer;
  window.postMessage(data);
}

function toWire(message: ToPanel): Wire {
  if (message.type !== 'view') return { message, blob: null };
  const { blob, ...rest } = message;
  return { message: rest, blob: Buffer.from(blob).toString('base64') };
}

/** Opens the panel's page under its real policy, with a real {@link PanelSession} behind it. */
export async function openPanel(
  browser: Browser,
  source: PanelSource,
  options: PanelOptions = {},
): Promise<PanelPage> {
  files ??= bundlePanel();
  const built = await files;
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1440, height: options.height ?? 1000 },
    reducedMotion: options.reducedMotion === false ? 'no-preference' : 'reduce',
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  const revealed: { file: string; line: number }[] = [];
  const commands: string[] = [];
  page.on('console', (line) => {
    if (line.type() === 'error' || line.type() === 'warning') complaints.push(line.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));

  const session = new PanelSession(
    source,
    {
      strings: panelStrings,
      reveal: (file, line) => revealed.push({ file, line }),
      command: (name) => commands.push(name),
      ...(options.memory ? { memory: options.memory } : {}),
    },
    (message) => {
      page.evaluate(deliver, toWire(message)).catch(() => {
        // The page is being closed or loaded again: VS Code drops the message as well.
      });
    },
  );
  await page.exposeFunction('toHost', (message: FromPanel) => session.receive(message));
  await page.exposeFunction('complain', (text: string) => complaints.push(text));
  await page.addInitScript(installVsCode);
  await page.addInitScript(installTheme, THEMES[options.theme ?? 'dark']);
  await page.route(`${ORIGIN}/**`, async (route) => {
    const name = new URL(route.request().url()).pathname.slice(1);
    const body = built.get(name);
    if (name === '') {
      const html = panelHtml({
        language: 'en',
        cspSource: ORIGIN,
        nonce: 'f00d',
        styleNonce: 'cafe',
        script: `${ORIGIN}/panel.js`,
        style: `${ORIGIN}/panel.css`,
        icons: `${ORIGIN}/codicon.css`,
      });
      await route.fulfill({ body: html, contentType: 'text/html' });
    } else if (body) {
      await route.fulfill({
        body,
        contentType: TYPES[name.split('.').pop() ?? ''] ?? 'text/plain',
      });
    } else {
      await route.fulfill({ status: 404 });
    }
  });
  await page.goto(`${ORIGIN}/`);

  return {
    page,
    session,
    complaints,
    revealed,
    commands,
    state: () =>
      page.evaluate(
        () => JSON.parse(sessionStorage.getItem('vscode-state') ?? 'null') ?? undefined,
      ),
    reload: async () => {
      session.hide();
      await page.reload();
    },
    setTheme: (theme) => page.evaluate(installTheme, THEMES[theme] as Theme),
    close: async () => {
      session.dispose();
      await context.close();
    },
  };
}
