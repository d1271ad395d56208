import * as vscode from 'vscode';
import type { ChosenLayers } from '../core/breakpoints/chosenLayers';
import type { DocumentSites } from './documentSites';

/** Tells VS Code which of our commands apply. */
export class ContextKeys implements vscode.Disposable {
  private readonly known = new Map<string, boolean>();
  private readonly subscriptions: { dispose(): void }[];

  constructor(
    private readonly sites: DocumentSites,
    private readonly chosen: ChosenLayers,
  ) {
    this.subscriptions = [
      sites.model.onDidChange(() => this.refresh()),
      chosen.onDidChange(() => this.refresh()),
      vscode.window.onDidChangeTextEditorSelection(() => this.atCursor()),
      vscode.window.onDidChangeActiveTextEditor(() => this.atCursor()),
    ];
    this.refresh();
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private refresh(): void {
    const { model } = this.sites;
    const run = model.current.get();
    this.set('hasRun', run !== undefined);
    this.set('hasLayers', run !== undefined && run.layers().length > 0);
    this.set('isLive', run !== undefined && !run.over && run.layers().length > 0);
    this.set('hasLayerBreakpoints', this.chosen.all.size > 0);
    const chosen = model.store.runs().some(({ referenceStep }) => referenceStep !== null);
    this.set('hasReferenceStep', chosen);
    this.set('hasAlerts', run !== undefined && model.activeAlerts(run).length > 0);
    this.atCursor();
  }

  private atCursor(): void {
    const editor = vscode.window.activeTextEditor;
    const layers = editor && this.sites.layersAt(editor.document, editor.selection.active.line);
    this.set('layerAtCursor', (layers?.length ?? 0) > 0);
  }

  private set(name: string, value: boolean): void {
    if (this.known.get(name) === value) return;
    this.known.set(name, value);
    void vscode.commands.executeCommand('setContext', `normscope.${name}`, value);
  }
}
