import type { Browser, Page } from 'playwright-core';
import type { FromPanel, ToPanel } from '../../../../extension/protocol/panelMessages';
import {
  INITIAL_PANEL_STATE,
  type PanelState,
  type SectionId,
} from '../../../../extension/protocol/panelState';
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
  /** The section shown first: the layer's unless given. */
  readonly section?: SectionId;
  readonly width?: number;
  readonly height?: number;
  readonly reducedMotion?: boolean;
  /**
   * Answers are fetched, which takes none of the page's time as in VS Code; else they come as text.
   * The page's policy does not hold then.
   */
  readonly fetchesAnswers?: boolean;
  /** What the host keeps when a panel is closed. */
  readonly memory?: PanelMemory;
  /** Runs in the page before its own script. */
  readonly beforeLoad?: () => void;
}

/** What the panel gave to the host to save. */
export interface SavedFile {
  readonly name: string;
  readonly as: string;
  readonly bytes: Uint8Array;
}

/** The panel's page in a browser, connected to a real host session over a given source. */
export interface PanelPage {
  readonly page: Page;
  readonly session: PanelSession;
  /** Violations of the content security policy, page errors and console errors. */
  readonly complaints: readonly string[];
  readonly revealed: readonly { file: string; line: number }[];
  readonly commands: readonly string[];
  /** Texts given to the clipboard of VS Code. */
  readonly copied: readonly string[];
  readonly saved: readonly SavedFile[];
  /** Definitions that were to be opened. */
  readonly definitions: readonly string[];
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

/** In the page: what VS Code puts into every webview. Bytes cross as a text of theirs. */
function installVsCode(state: PanelState): void {
  const key = 'vscode-state';
  if (sessionStorage.getItem(key) === null) sessionStorage.setItem(key, JSON.stringify(state));
  const api = {
    postMessage: (message: Record<string, unknown>) => {
      const { bytes } = message;
      if (!(bytes instanceof ArrayBuffer)) return window.toHost(message);
      const characters = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte));
      return window.toHost({ ...message, bytes: characters.join('') });
    },
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

/** A message of the page with its bytes as VS Code delivers them. */
const fromWire = (message: FromPanel | { bytes: string }): unknown =>
  'bytes' in message && typeof message.bytes === 'string'
    ? { ...message, bytes: Uint8Array.from(Buffer.from(message.bytes, 'latin1')).buffer }
    : message;

type Wire = { message: unknown; blob: string | null };

/** In the page: delivers an answer whose blob is there to be fetched. */
async function deliverFetched({ message, blob }: Wire): Promise<void> {
  const answer = await fetch(String(blob));
  window.postMessage({ ...(message as object), blob: await answer.arrayBuffer() });
}

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
    bypassCSP: options.fetchesAnswers ?? false,
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  const revealed: { file: string; line: number }[] = [];
  const commands: string[] = [];
  const copied: string[] = [];
  const saved: SavedFile[] = [];
  const definitions: string[] = [];
  page.on('console', (line) => {
    if (line.type() === 'error' || line.type() === 'warning') complaints.push(line.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));

  const session = new PanelSession(
    source,
    {
      reveal: (file, line) => revealed.push({ file, line }),
      copy: (text) => copied.push(text),
      save: (name, as, bytes) => saved.push({ name, as, bytes }),
      showDefinition: (id) => definitions.push(id),
      command: (name) => commands.push(name),
      ...(options.memory ? { memory: options.memory } : {}),
    },
    (message) => {
      deliverTo(page, message).catch(() => {
        // The page is being closed or loaded again: VS Code drops the message as well.
      });
    },
  );
  const answers = new Map<string, Buffer>();
  const deliverTo = (to: Page, message: ToPanel) => {
    if (message.type !== 'view' || !options.fetchesAnswers) {
      return to.evaluate(deliver, toWire(message));
    }
    const { blob, ...rest } = message;
    const name = `answers/${rest.requestId}`;
    answers.set(name, Buffer.from(blob));
    return to.evaluate(deliverFetched, { message: rest, blob: `${ORIGIN}/${name}` });
  };
  await page.exposeFunction('toHost', (message: FromPanel) => session.receive(fromWire(message)));
  await page.exposeFunction('complain', (text: string) => complaints.push(text));
  // A program run by tsx gives functions their names by a helper that the page lacks.
  await page.addInitScript('globalThis.__name ??= (named) => named;');
  await page.addInitScript(installVsCode, {
    ...INITIAL_PANEL_STATE,
    section: options.section ?? 'layer',
  });
  await page.addInitScript(installTheme, THEMES[options.theme ?? 'dark']);
  if (options.beforeLoad) await page.addInitScript(options.beforeLoad);
  await page.route(`${ORIGIN}/**`, async (route) => {
    const name = new URL(route.request().url()).pathname.slice(1);
    const body = built.get(name) ?? answers.get(name);
    answers.delete(name);
    if (name === '') {
      const html = panelHtml({
        language: 'en',
        strings: panelStrings(),
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
    copied,
    saved,
    definitions,
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
