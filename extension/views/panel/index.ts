import type * as vscode from 'vscode';
import type { CaptureHub } from '../../core/captureHub';
import type { LayerId, RunId } from '../../protocol/ids';
import { PanelHost } from './panelHost';
import { registerPanelSerializer } from './panelSerializer';

export interface PanelController {
  /** Opens the panel, or brings it up; on a layer if one is given. */
  open(run?: RunId, layer?: LayerId): Promise<void>;
}

/** Makes the panel available in this window; everything it holds ends with `context`. */
export function registerPanel(context: vscode.ExtensionContext, hub: CaptureHub): PanelController {
  const host = new PanelHost(context.extensionUri, {
    query: (query) => hub.store.query(query),
    onDidChange: (listener) => hub.store.onDidChange(listener),
    focus: (run, layers) => hub.focus(run, layers),
  });
  context.subscriptions.push(host, registerPanelSerializer(host));
  return { open: async (run, layer) => host.open(run, layer) };
}
