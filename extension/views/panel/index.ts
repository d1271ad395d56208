import type * as vscode from 'vscode';
import type { CaptureHub } from '../../core/captureHub';
import type { LayerId, RunId } from '../../protocol/ids';
import type { ViewQuery } from '../../protocol/views';
import { panelActions } from './panelActions';
import { PanelHost } from './panelHost';
import { registerPanelSerializer } from './panelSerializer';

export interface PanelController {
  /** Opens the panel, or brings it up; on a layer if one is given. */
  open(run?: RunId, layer?: LayerId): Promise<void>;
}

/** Makes the panel available in this window; everything it holds ends with `context`. */
export function registerPanel(context: vscode.ExtensionContext, hub: CaptureHub): PanelController {
  const source = {
    query: (query: ViewQuery) => hub.store.query(query),
    onDidChange: (listener: () => void) => hub.store.onDidChange(listener),
    focus: (run: RunId, layers: readonly LayerId[]) => hub.focus(run, layers),
  };
  const actions = panelActions(hub.store, context.workspaceState);
  const host = new PanelHost(context.extensionUri, source, actions);
  context.subscriptions.push(host, registerPanelSerializer(host));
  return { open: async (run, layer) => host.open(run, layer) };
}
