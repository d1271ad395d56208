import type * as vscode from 'vscode';
import type { EditorModel } from '../core/editor/editorModel';
import { mayName } from '../core/editor/layerWords';
import { mapLines, type LineMap } from '../core/editor/lineMap';
import type { Site } from '../core/editor/locationIndex';
import type { LayerTrack } from '../core/runStore/layerTrack';
import type { Run } from '../core/runStore/run';
import { linesOf, type FileSnapshot, type FileSnapshots } from './fileSnapshots';

/** A site at the line where it is in the document now, counted from 0. */
export interface PlacedSite extends Site {
  readonly place: number;
}

export interface PlacedSites {
  readonly run: Run;
  readonly sites: readonly PlacedSite[];
  /** Whether the file is not what the process ran, so that what is said may be of other code. */
  readonly changed: boolean;
}

interface Cached {
  readonly version: number;
  readonly index: number;
  readonly snapshot: FileSnapshot;
  readonly placed: PlacedSites;
}

const SAME: LineMap = (line) => ({ line, same: true });

/** The languages whose files may hold norm layers. */
export const SOURCE_FILES: vscode.DocumentSelector = [
  'python',
  'javascript',
  'javascriptreact',
  'typescript',
  'typescriptreact',
].map((language) => ({ language, scheme: 'file' }));

/** Finds the sites of open documents, and follows them through edits. */
export class DocumentSites {
  private readonly cache = new WeakMap<vscode.TextDocument, Cached>();

  constructor(
    readonly model: EditorModel,
    private readonly snapshots: FileSnapshots,
  ) {}

  /** Undefined where no layer of any run is in the document. */
  of(document: vscode.TextDocument): PlacedSites | undefined {
    if (document.uri.scheme !== 'file') return undefined;
    const { locations } = this.model;
    const found = locations.of(document.uri.fsPath);
    if (!found) return undefined;
    const snapshot = this.snapshots.of(found.run, locations.key(document.uri.fsPath));
    const known = this.cache.get(document);
    const { version } = document;
    const index = locations.version;
    if (known?.version === version && known.index === index && known.snapshot === snapshot) {
      return known.placed;
    }
    const placed = placedIn(document, found.run, found.sites, snapshot);
    this.cache.set(document, { version, index, snapshot, placed });
    return placed;
  }

  /** The layers that are made or called in a line, counted from 0, each once. */
  layersAt(document: vscode.TextDocument, line: number): readonly LayerTrack[] {
    const sites = this.of(document)?.sites.filter(({ place }) => place === line) ?? [];
    return [...new Set(sites.flatMap(({ layers }) => layers))];
  }
}

function placedIn(
  document: vscode.TextDocument,
  run: Run,
  sites: readonly Site[],
  snapshot: FileSnapshot,
): PlacedSites {
  const exact = typeof snapshot === 'object';
  const now = exact ? linesOf(document.getText()) : [];
  const mapped = exact ? mapLines(snapshot.lines, now) : SAME;
  const placed: PlacedSite[] = [];
  for (const site of sites) {
    const at = mapped(site.line - 1);
    if (!at || at.line >= document.lineCount) continue;
    // Where it is not known that this is the line that ran, it must at least look like it.
    const text = exact && at.same ? undefined : document.lineAt(at.line).text;
    if (text !== undefined && !site.layers.some(({ info }) => mayName(text, info))) continue;
    placed.push({ ...site, place: at.line });
  }
  const changed = exact ? !sameText(snapshot.lines, now) : snapshot === 'changed';
  return { run, sites: placed, changed };
}

const sameText = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((line, i) => line === b[i]);
