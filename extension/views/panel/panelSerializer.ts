import * as vscode from 'vscode';
import { PANEL_TYPE } from './openPanel';
import type { PanelHost } from './panelHost';

/** Fills the panels again that were open when the window was last reloaded. */
export function registerPanelSerializer(host: PanelHost): vscode.Disposable {
  return vscode.window.registerWebviewPanelSerializer(PANEL_TYPE, {
    deserializeWebviewPanel: async (panel) => void host.adopt(panel),
  });
}
