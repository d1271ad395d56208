import * as vscode from 'vscode';
import type { CaptureNowOptions } from './captureNow';
import type { ChosenLayers } from '../core/breakpoints/chosenLayers';
import type { EditorModel } from '../core/editor/editorModel';
import { readEditorSettings } from '../settings';
import { Annotations } from './annotations';
import { registerBreakpointCommands } from './breakpointCommands';
import { ContextKeys } from './contextKeys';
import { DocumentSites, SOURCE_FILES } from './documentSites';
import { FileSnapshots } from './fileSnapshots';
import { LayerCodeLenses } from './layerCodeLenses';
import { registerLayerCommands, type LayerCommandOptions } from './layerCommands';
import { LayerHover } from './layerHover';
import { ProblemActions } from './problemActions';
import { registerRunCommands } from './runCommands';
import { registerReferenceStep, type ReferenceOptions } from './referenceStep';
import { registerSelectionStatistics } from './selectionStatistics';
import { Problems } from './problems';

export interface EditorOptions
  extends Omit<LayerCommandOptions, 'sites'>, Pick<CaptureNowOptions, 'tellFocus'> {
  readonly model: EditorModel;
  /** Where the person wants programs to stop. */
  readonly breakpoints: ChosenLayers;
  readonly reference: ReferenceOptions;
}

/** Where the tree and others find the source of a layer. */
export interface EditorFeatures extends vscode.Disposable {
  readonly sites: DocumentSites;
}

/** Hover, annotations, code lenses and problems at the norm layers of source files. */
export function registerEditor(options: EditorOptions): EditorFeatures {
  const { model, breakpoints } = options;
  const snapshots = new FileSnapshots(model);
  const sites = new DocumentSites(model, snapshots);
  let settings = readEditorSettings();
  const annotations = new Annotations(sites, () => settings.annotations);
  const lenses = new LayerCodeLenses(sites, breakpoints, () => settings.codeLens);
  const problems = new Problems(sites, () => settings.problems);
  const { languages, workspace } = vscode;
  const registered = vscode.Disposable.from(
    snapshots,
    annotations,
    lenses,
    problems,
    new ContextKeys(sites, breakpoints),
    languages.registerHoverProvider(SOURCE_FILES, new LayerHover(sites, () => settings.hover)),
    languages.registerCodeLensProvider(SOURCE_FILES, lenses),
    languages.registerCodeActionsProvider(SOURCE_FILES, new ProblemActions(problems, sites), {
      providedCodeActionKinds: ProblemActions.kinds,
    }),
    registerLayerCommands({ ...options, sites }),
    registerBreakpointCommands(sites, breakpoints),
    registerRunCommands(sites, options),
    registerReferenceStep(model, options.reference),
    registerSelectionStatistics(),
    workspace.onDidChangeConfiguration((change) => {
      if (!change.affectsConfiguration('normscope.editor')) return;
      settings = readEditorSettings();
      annotations.refresh();
      lenses.refresh();
      problems.refresh();
    }),
    // Lines have moved, and what stands at them with it.
    workspace.onDidChangeTextDocument(({ document }) => {
      if (sites.of(document)) model.changed();
    }),
  );
  return { sites, dispose: () => void registered.dispose() };
}
