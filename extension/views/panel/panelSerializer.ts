import * as vscode from 'vscode';
import { PANEL_TYPE, type PanelHost } from './panelHost';

/** Fills the panel again that was open when the window was last reloaded. */
export function registerPanelSerializer(host: PanelHost): vscode.Disposable {
  return vscode.window.registerWebviewPanelSerializer(PANEL_TYPE, {
    deserializeWebviewPanel: async (panel) => host.adopt(panel),
  });
}
