import * as vscode from 'vscode';
import { countText } from '../core/editor/numbers';
import type { DocumentSites } from './documentSites';
import { targetOf } from './layerTarget';

/** *Show in Panel* above each line that makes norm layers. */
export class LayerCodeLenses implements vscode.CodeLensProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.changed.event;
  private readonly subscription: { dispose(): void };
  private version = -1;

  constructor(
    private readonly sites: DocumentSites,
    private readonly isOn: () => boolean,
  ) {
    this.subscription = sites.model.onDidChange(() => {
      const { version } = sites.model.locations;
      // What a lens says does not change from step to step.
      if (version !== this.version) this.changed.fire();
      this.version = version;
    });
  }

  refresh(): void {
    this.changed.fire();
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const placed = this.isOn() ? this.sites.of(document) : undefined;
    if (!placed) return [];
    return placed.sites
      .filter(({ role }) => role === 'construction')
      .map(({ place, layers }) => {
        const title =
          layers.length === 1
            ? vscode.l10n.t('Show in Panel')
            : vscode.l10n.t('Show One of {0} in Panel', countText(layers.length));
        return new vscode.CodeLens(new vscode.Range(place, 0, place, 0), {
          title: `$(graph) ${title}`,
          command: 'normscope.showInPanel',
          arguments: [targetOf(placed.run, layers)],
        });
      });
  }

  dispose(): void {
    this.subscription.dispose();
    this.changed.dispose();
  }
}
