import * as vscode from 'vscode';
import type { LayerId, RunId } from '../../protocol/ids';
import { createPanel, fillPanel } from './openPanel';
import { PanelSession, type PanelActions, type PanelSource, type ShownStep } from './panelSession';
import { SharedFocus } from './sharedFocus';

/** True while a panel is open: for the commands that need one. */
const OPEN_CONTEXT = 'normscope.panelOpen';

interface Open {
  readonly panel: vscode.WebviewPanel;
  readonly session: PanelSession;
}

/** What the host needs beside the actions that all panels share. */
interface HostOptions {
  readonly extensionUri: vscode.Uri;
  readonly source: PanelSource;
  readonly actions: PanelActions;
  /** File name of a run's program; undefined for a run that is not there. */
  programOf(run: RunId): string | undefined;
}

/** Keeps the panels of a window: opens them, adopts restored ones, forgets closed ones. */
export class PanelHost implements vscode.Disposable {
  /** The one that was active last comes last. */
  private readonly open: Open[] = [];
  private readonly focus: SharedFocus;

  constructor(private readonly options: HostOptions) {
    this.focus = new SharedFocus((run, layers) => options.source.focus(run, layers));
  }

  /** Brings up the panel that was active last, or opens the first; on a layer if one is given. */
  show(run?: RunId, layer?: LayerId): void {
    const last = this.open.at(-1);
    last?.panel.reveal(undefined, true);
    const { session } = last ?? this.adopt(createPanel(vscode.ViewColumn.Beside));
    if (run !== undefined && layer !== undefined) session.select(run, layer);
  }

  /** Puts the panel that was active last on a layer, if there is one. */
  follow(run: RunId, layer: LayerId): void {
    this.open.at(-1)?.session.select(run, layer);
  }

  /** The step that the panel which was active last shows; undefined while it follows the newest. */
  shownStep(): ShownStep | undefined {
    return this.open.at(-1)?.session.shownStep;
  }

  /** Opens a panel beside those that are there. */
  openAnother(): void {
    const column = this.open.at(-1)?.panel.viewColumn ?? vscode.ViewColumn.Beside;
    this.adopt(createPanel(column)).panel.reveal();
  }

  /** Asks the panel that was active last for its view as a file. */
  exportView(): void {
    this.open.at(-1)?.session.exportView();
  }

  /** Connects a panel, new or restored by VS Code. */
  adopt(panel: vscode.WebviewPanel): Open {
    const { extensionUri, source, actions } = this.options;
    const { webview } = panel;
    const session = new PanelSession(
      { ...source, focus: this.focus.member() },
      { ...actions, showsRun: (run) => this.name(panel, run) },
      (message) => void webview.postMessage(message),
    );
    const opened: Open = { panel, session };
    webview.onDidReceiveMessage((message: unknown) => session.receive(message));
    panel.onDidChangeViewState(() => {
      if (!panel.visible) session.hide();
      if (panel.active) this.moveToEnd(opened);
    });
    panel.onDidDispose(() => {
      session.dispose();
      this.forget(opened);
      this.tellOpen();
    });
    this.open.push(opened);
    this.tellOpen();
    fillPanel(panel, extensionUri);
    return opened;
  }

  dispose(): void {
    for (const { panel } of [...this.open]) panel.dispose();
  }

  private forget(opened: Open): void {
    const at = this.open.indexOf(opened);
    if (at >= 0) this.open.splice(at, 1);
  }

  private moveToEnd(opened: Open): void {
    this.forget(opened);
    this.open.push(opened);
  }

  private tellOpen(): void {
    void vscode.commands.executeCommand('setContext', OPEN_CONTEXT, this.open.length > 0);
  }

  private name(panel: vscode.WebviewPanel, run: RunId): void {
    const program = this.options.programOf(run);
    const title = program ? `NormScope: ${program}` : 'NormScope';
    if (panel.title !== title) panel.title = title;
  }
}
