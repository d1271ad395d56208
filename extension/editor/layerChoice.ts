import * as vscode from 'vscode';
import type { LayerTrack } from '../core/runStore/layerTrack';
import type { Run } from '../core/runStore/run';
import type { DocumentSites } from './documentSites';
import { pickLayer } from './layerPick';
import { findTarget, type FoundLayers } from './layerTarget';

/** A layer that a command is about. */
export interface ChosenLayer {
  readonly run: Run;
  readonly layer: LayerTrack;
}

/** Finds what a command is about: by its argument, by the cursor, or by asking. */
export class LayerChoice {
  constructor(private readonly sites: DocumentSites) {}

  /** All layers that the argument names or, without one, that are made or called at the cursor. */
  given(argument: unknown): FoundLayers | undefined {
    return findTarget(this.sites.model, argument) ?? this.atCursor();
  }

  /** One of them; the person is told where there is none. */
  async one(argument: unknown): Promise<ChosenLayer | undefined> {
    const found = this.given(argument);
    if (found) return picked(found);
    const text = vscode.l10n.t(
      'No norm layer is known in this line: put the cursor on a line that makes or calls one, after its first training step.',
    );
    void vscode.window.showInformationMessage(text);
    return undefined;
  }

  /** All layers of the run that the tree shows; the person is told where there are none. */
  all(): FoundLayers | undefined {
    const run = this.sites.model.current.get();
    if (run && run.layers().length > 0) return { run, layers: run.layers() };
    const text = vscode.l10n.t(
      'No norm layer is known yet: debug a training script with norm capture, and wait for its first training step.',
    );
    void vscode.window.showInformationMessage(text);
    return undefined;
  }

  /** One of those given or, where there are none, of all. */
  async any(argument: unknown): Promise<ChosenLayer | undefined> {
    const found = this.given(argument) ?? this.all();
    return found && picked(found);
  }

  private atCursor(): FoundLayers | undefined {
    const { sites } = this;
    const editor = vscode.window.activeTextEditor;
    const run = editor && sites.of(editor.document)?.run;
    const layers = editor ? sites.layersAt(editor.document, editor.selection.active.line) : [];
    return run && layers.length > 0 ? { run, layers } : undefined;
  }
}

async function picked(found: FoundLayers): Promise<ChosenLayer | undefined> {
  const layer = await pickLayer(found);
  return layer && { run: found.run, layer };
}
