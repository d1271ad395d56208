import * as vscode from 'vscode';
import type { CaptureHub } from '../../core/captureHub';
import type { LayerId, RunId } from '../../protocol/ids';
import type { ViewQuery } from '../../protocol/views';
import { panelActions } from './panelActions';
import { PanelHost } from './panelHost';
import type { ShownStep } from './panelSession';
import { registerPanelSerializer } from './panelSerializer';

export interface PanelController {
  /** Opens the panel, or brings it up; on a layer if one is given. */
  open(run?: RunId, layer?: LayerId): Promise<void>;
  /** Shows a layer in the panel, if one is open. */
  follow(run: RunId, layer: LayerId): void;
  /** The step that the panel shows; undefined while it follows the newest, or none is open. */
  shownStep(): ShownStep | undefined;
}

/** Makes the panel available in this window; everything it holds ends with `context`. */
export function registerPanel(
  context: vscode.ExtensionContext,
  hub: Pick<CaptureHub, 'store' | 'focus'>,
): PanelController {
  const { store } = hub;
  const { extensionUri } = context;
  const host = new PanelHost({
    extensionUri,
    source: {
      query: (query: ViewQuery) => store.query(query),
      onDidChange: (listener: () => void) => store.onDidChange(listener),
      focus: (run: RunId, layers: readonly LayerId[]) => hub.focus(run, layers),
      chooseReference: (id: RunId, step: number | null) => {
        const run = store.get(id);
        if (run) store.chooseReference(run, step);
      },
    },
    actions: panelActions(store, extensionUri, context.workspaceState),
    programOf: (run) => store.get(run)?.program,
  });
  context.subscriptions.push(
    host,
    registerPanelSerializer(host),
    vscode.commands.registerCommand('normscope.openPanel', () => host.show()),
    vscode.commands.registerCommand('normscope.openAnotherPanel', () => host.openAnother()),
    vscode.commands.registerCommand('normscope.exportView', () => host.exportView()),
  );
  return {
    follow: (run, layer) => host.follow(run, layer),
    shownStep: () => host.shownStep(),
    open: async (run, layer) => host.show(run, layer),
  };
}
