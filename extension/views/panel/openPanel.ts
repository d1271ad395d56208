import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { panelHtml } from './panelHtml';
import { panelStrings } from './panelStrings';

export const PANEL_TYPE = 'normscope.panel';

const filesOf = (extensionUri: vscode.Uri) => vscode.Uri.joinPath(extensionUri, 'dist', 'webview');

/** A new panel next to what the person is at, which keeps the keyboard. */
export const createPanel = (viewColumn: vscode.ViewColumn): vscode.WebviewPanel =>
  vscode.window.createWebviewPanel(
    PANEL_TYPE,
    'NormScope',
    { viewColumn, preserveFocus: true },
    { retainContextWhenHidden: false },
  );

/** Gives a panel, new or restored by VS Code, its icon and its page. */
export function fillPanel(panel: vscode.WebviewPanel, extensionUri: vscode.Uri): void {
  const files = filesOf(extensionUri);
  const { webview } = panel;
  const icon = (name: string) => vscode.Uri.joinPath(extensionUri, 'media', name);
  panel.iconPath = { light: icon('tab-light.svg'), dark: icon('tab-dark.svg') };
  webview.options = { enableScripts: true, localResourceRoots: [files] };
  const file = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(files, name)).toString();
  webview.html = panelHtml({
    language: vscode.env.language,
    strings: panelStrings(),
    cspSource: webview.cspSource,
    nonce: randomBytes(16).toString('hex'),
    styleNonce: randomBytes(16).toString('hex'),
    script: file('panel.js'),
    style: file('panel.css'),
    icons: file('codicon.css'),
  });
}
