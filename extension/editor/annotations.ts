import * as vscode from 'vscode';
import { worstOf } from '../core/editor/editorModel';
import type { Severity } from '../protocol/alerts';
import { annotationText } from './annotationText';
import type { DocumentSites } from './documentSites';

const KINDS = ['quiet', 'error', 'warning', 'info'] as const satisfies readonly (
  'quiet' | Severity
)[];
type Kind = (typeof KINDS)[number];

const COLOURS: Readonly<Record<Kind, string>> = {
  quiet: 'editorCodeLens.foreground',
  error: 'editorError.foreground',
  warning: 'editorWarning.foreground',
  info: 'editorInfo.foreground',
};

/** Most lines of a document that are annotated. */
const MAX_LINES = 300;

/** Figures behind the lines that make norm layers, coloured only where a rule speaks. */
export class Annotations implements vscode.Disposable {
  private readonly types = new Map<Kind, vscode.TextEditorDecorationType>();
  private readonly subscriptions: { dispose(): void }[];
  /** What stands in each editor, to leave it alone where nothing has changed. */
  private shown = new WeakMap<vscode.TextEditor, string>();

  constructor(
    private readonly sites: DocumentSites,
    private readonly isOn: () => boolean,
  ) {
    for (const kind of KINDS) {
      const after = { color: new vscode.ThemeColor(COLOURS[kind]), margin: '0 0 0 3ch' };
      this.types.set(kind, vscode.window.createTextEditorDecorationType({ after }));
    }
    this.subscriptions = [
      sites.model.onDidChange(() => this.refresh()),
      vscode.window.onDidChangeVisibleTextEditors(() => this.refresh()),
    ];
  }

  refresh(): void {
    for (const editor of vscode.window.visibleTextEditors) this.draw(editor);
  }

  dispose(): void {
    for (const type of this.types.values()) type.dispose();
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private draw(editor: vscode.TextEditor): void {
    const drawn = this.isOn() ? this.annotationsOf(editor.document) : new Map<Kind, never>();
    const summary = JSON.stringify([...drawn]);
    // An edit may have moved or taken them away with the text they stood behind.
    const known = `${editor.document.version} ${summary}`;
    if (this.shown.get(editor) === known) return;
    this.shown.set(editor, known);
    for (const [kind, type] of this.types) editor.setDecorations(type, drawn.get(kind) ?? []);
  }

  private annotationsOf(document: vscode.TextDocument): Map<Kind, vscode.DecorationOptions[]> {
    const drawn = new Map<Kind, vscode.DecorationOptions[]>();
    const placed = this.sites.of(document);
    if (!placed) return drawn;
    const { run } = placed;
    for (const site of placed.sites.slice(0, MAX_LINES)) {
      if (site.role !== 'construction') continue;
      const layers = site.layers.map(({ info }) => info.id);
      const alerts = this.sites.model.alertsOf(run, layers);
      const contentText = annotationText(this.sites.model, run, site.layers, alerts);
      if (contentText === undefined) continue;
      const { end } = document.lineAt(site.place).range;
      const kind = worstOf(alerts) ?? 'quiet';
      const options = {
        range: new vscode.Range(end, end),
        renderOptions: { after: { contentText } },
      };
      const others = drawn.get(kind);
      if (others) others.push(options);
      else drawn.set(kind, [options]);
    }
    return drawn;
  }
}
