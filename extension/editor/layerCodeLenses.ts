import * as vscode from 'vscode';
import type { ChosenLayers } from '../core/breakpoints/chosenLayers';
import { countText } from '../core/editor/numbers';
import { ADD_BREAKPOINT, breakHint, REMOVE_BREAKPOINTS } from './breakpointCommands';
import type { DocumentSites, PlacedSite, PlacedSites } from './documentSites';
import { targetOf } from './layerTarget';

/** VS Code takes an ordinary space away behind an icon. */
const GAP = '\u00a0';

/** *Show in Panel* and *Break Here* above each line that makes norm layers. */
export class LayerCodeLenses implements vscode.CodeLensProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.changed.event;
  private readonly subscriptions: readonly { dispose(): void }[];
  private version = -1;

  constructor(
    private readonly sites: DocumentSites,
    private readonly chosen: ChosenLayers,
    private readonly isOn: () => boolean,
  ) {
    const ofModel = sites.model.onDidChange(() => {
      const { version } = sites.model.locations;
      // What a lens says does not change from step to step.
      if (version !== this.version) this.changed.fire();
      this.version = version;
    });
    this.subscriptions = [ofModel, chosen.onDidChange(() => this.changed.fire())];
  }

  refresh(): void {
    this.changed.fire();
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const placed = this.isOn() ? this.sites.of(document) : undefined;
    if (!placed) return [];
    return placed.sites
      .filter(({ role }) => role === 'construction')
      .flatMap((site) => {
        const range = new vscode.Range(site.place, 0, site.place, 0);
        return [showLens(placed, site), this.breakLens(placed, site)].map(
          (command) => new vscode.CodeLens(range, command),
        );
      });
  }

  private breakLens({ run }: PlacedSites, { layers }: PlacedSite): vscode.Command {
    const breaks = layers.every(({ info }) => this.chosen.has(info.name));
    const argument = targetOf(run, layers);
    return breaks
      ? {
          title: `$(debug-breakpoint)${GAP}${vscode.l10n.t('Do Not Break Here')}`,
          tooltip: vscode.l10n.t('Programs stop at the layers that this line makes.'),
          command: REMOVE_BREAKPOINTS,
          arguments: [argument],
        }
      : {
          title: `$(debug-breakpoint-unverified)${GAP}${vscode.l10n.t('Break Here on NaN or Alerts')}`,
          tooltip: breakHint(),
          command: ADD_BREAKPOINT,
          arguments: [argument],
        };
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    this.changed.dispose();
  }
}

function showLens({ run }: PlacedSites, { layers }: PlacedSite): vscode.Command {
  const title =
    layers.length === 1
      ? vscode.l10n.t('Show in Panel')
      : vscode.l10n.t('Show One of {0} in Panel', countText(layers.length));
  return {
    title: `$(graph)${GAP}${title}`,
    command: 'normscope.showInPanel',
    arguments: [targetOf(run, layers)],
  };
}
