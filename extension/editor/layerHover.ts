import * as vscode from 'vscode';
import { pointedLayers } from '../core/editor/layerWords';
import type { DocumentSites } from './documentSites';
import { hoverText } from './hoverText';

const LINKS = ['normscope.showInPanel', 'normscope.showDefinition'];

/** Says at the words that make or call a norm layer what the newest run measured there. */
export class LayerHover implements vscode.HoverProvider {
  constructor(
    private readonly sites: DocumentSites,
    private readonly isOn: () => boolean,
  ) {}

  provideHover(document: vscode.TextDocument, position: vscode.Position): vscode.Hover | undefined {
    const placed = this.isOn() ? this.sites.of(document) : undefined;
    if (!placed) return undefined;
    const layers = this.sites.layersAt(document, position.line);
    const text = document.lineAt(position.line).text;
    const pointed = pointedLayers(text, position.character, layers);
    if (!pointed) return undefined;
    const markdown = new vscode.MarkdownString(
      hoverText(this.sites.model, { ...placed, layers: pointed.layers }),
      true,
    );
    markdown.isTrusted = { enabledCommands: LINKS };
    const { line } = position;
    return new vscode.Hover(markdown, new vscode.Range(line, pointed.start, line, pointed.end));
  }
}
