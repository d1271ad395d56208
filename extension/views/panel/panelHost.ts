import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { LayerId, RunId } from '../../protocol/ids';
import { panelHtml } from './panelHtml';
import { PanelSession, type PanelActions, type PanelSource } from './panelSession';

export const PANEL_TYPE = 'normscope.panel';

/** Keeps the one panel of a window: opens it, adopts a restored one, forgets a closed one. */
export class PanelHost implements vscode.Disposable {
  private current: { panel: vscode.WebviewPanel; session: PanelSession } | undefined;

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly source: PanelSource,
    private readonly actions: PanelActions,
  ) {}

  /** Brings the panel up, on a layer if one is given. */
  open(run?: RunId, layer?: LayerId): void {
    if (this.current) this.current.panel.reveal(undefined, true);
    else this.adopt(this.create());
    if (run !== undefined && layer !== undefined) this.current?.session.select(run, layer);
  }

  /** Fills a panel, new or restored by VS Code; a second one is closed. */
  adopt(panel: vscode.WebviewPanel): void {
    if (this.current) {
      panel.dispose();
      return;
    }
    const { webview } = panel;
    webview.options = { enableScripts: true, localResourceRoots: [this.distUri] };
    panel.iconPath = {
      light: vscode.Uri.joinPath(this.extensionUri, 'media', 'tab-light.svg'),
      dark: vscode.Uri.joinPath(this.extensionUri, 'media', 'tab-dark.svg'),
    };
    const session = new PanelSession(this.source, this.actions, (message) => {
      void webview.postMessage(message);
    });
    webview.onDidReceiveMessage((message: unknown) => session.receive(message));
    panel.onDidChangeViewState(() => {
      if (!panel.visible) session.hide();
    });
    panel.onDidDispose(() => {
      session.dispose();
      this.current = undefined;
    });
    this.current = { panel, session };
    webview.html = this.html(webview);
  }

  dispose(): void {
    this.current?.panel.dispose();
  }

  private get distUri(): vscode.Uri {
    return vscode.Uri.joinPath(this.extensionUri, 'dist', 'webview');
  }

  private create(): vscode.WebviewPanel {
    return vscode.window.createWebviewPanel(
      PANEL_TYPE,
      'NormScope',
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
      { enableScripts: true, localResourceRoots: [this.distUri], retainContextWhenHidden: false },
    );
  }

  private html(webview: vscode.Webview): string {
    const file = (name: string) =>
      webview.asWebviewUri(vscode.Uri.joinPath(this.distUri, name)).toString();
    return panelHtml({
      language: vscode.env.language,
      cspSource: webview.cspSource,
      nonce: randomBytes(16).toString('hex'),
      styleNonce: randomBytes(16).toString('hex'),
      script: file('panel.js'),
      style: file('panel.css'),
      icons: file('codicon.css'),
    });
  }
}
