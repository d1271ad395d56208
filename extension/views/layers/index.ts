import * as vscode from 'vscode';
import type { ChosenLayers } from '../../core/breakpoints/chosenLayers';
import type { EditorModel } from '../../core/editor/editorModel';
import type { TreeNode } from '../../core/editor/layerTree';
import { runsOf } from '../../core/editor/currentRun';
import type { LayerTrack } from '../../core/runStore/layerTrack';
import type { Run } from '../../core/runStore/run';
import { chooseLayers } from '../../editor/breakpointCommands';
import type { DocumentSites } from '../../editor/documentSites';
import { targetOf } from '../../editor/layerTarget';
import { openLocation } from '../../editor/openLocation';
import { phaseWord, runState } from '../../editor/runWords';
import { oneLine } from '../../core/editor/markdown';
import type { LayerId, RunId } from '../../protocol/ids';
import { readTreeFigure, writeTreeFigure } from './figureSetting';
import { LayerFocus } from './layerFocus';
import { SHOW_SELECTED } from './layerItem';
import { LayerProvider } from './layerProvider';
import { figureTitle, TREE_FIGURES } from './treeFigures';

const ONLY_ALERTS = 'normscope.onlyAlerts';

export interface LayersOptions {
  readonly model: EditorModel;
  readonly sites: () => DocumentSites;
  readonly breakpoints: ChosenLayers;
  /** Tells a run's process which layers are to be captured deeply. */
  tellFocus(run: RunId, layers: readonly LayerId[]): void;
}

/** The tree *Norm Layers* in Run and Debug. */
export interface LayersView extends vscode.Disposable {
  /** Selects a layer, where the tree is visible or `open` asks to bring it up. */
  reveal(layer: LayerTrack, open: boolean): void;
  /** Has a layer captured deeply, and selects it. */
  focus(run: Run, layer: LayerTrack): void;
}

/** What stands above the rows; undefined where they speak for themselves. */
function messageOf(run: Run | undefined, shown: number): string | undefined {
  if (!run || shown > 0) return undefined;
  if (run.layers().length > 0) return vscode.l10n.t('No rule speaks of any layer right now.');
  const program = oneLine(run.program);
  return run.over
    ? vscode.l10n.t('{0} has ended; no norm layer was seen', program)
    : vscode.l10n.t('{0} runs; layers show up after its first training step', program);
}

export function registerLayers(options: LayersOptions): LayersView {
  const { model, sites, breakpoints, tellFocus } = options;
  const focus = new LayerFocus(model, tellFocus);
  const provider = new LayerProvider(model, focus, breakpoints, readTreeFigure());
  const view = vscode.window.createTreeView<TreeNode>('normscope.layers', {
    treeDataProvider: provider,
    showCollapseAll: true,
    // Modules have none.
    manageCheckboxStateManually: true,
  });

  const refresh = () => {
    const run = model.current.get();
    view.description = run ? oneLine(runState(run)) : '';
    if (view.visible) provider.refresh();
    view.message = messageOf(run, provider.shown) ?? '';
  };
  const setOnlyAlerts = (only: boolean) => {
    void vscode.commands.executeCommand('setContext', ONLY_ALERTS, only);
    provider.setOnlyAlerts(only);
    refresh();
  };
  const reveal = (layer: LayerTrack, open: boolean) => {
    if (!view.visible && !open) return;
    provider.refresh();
    const node = provider.nodeOf(layer);
    if (node) void view.reveal(node, { select: true, expand: true }).then(undefined, () => {});
  };
  const chooseFigure = async () => {
    const current = readTreeFigure();
    const items = TREE_FIGURES.map((figure) => ({
      label: figureTitle(figure),
      description: figure === current ? vscode.l10n.t('shown now') : '',
      figure,
    }));
    const placeHolder = vscode.l10n.t('What stands beside each layer');
    const chosen = await vscode.window.showQuickPick(items, { placeHolder });
    if (chosen) await writeTreeFigure(chosen.figure);
  };
  const chooseRun = async () => {
    const items = runsOf(model.store).map((run) => ({
      label: oneLine(run.program).replaceAll('$(', '$ ('),
      description: [
        phaseWord(run.phase),
        new Date(run.origin.startedAt).toLocaleTimeString(vscode.env.language),
        ...(run.place.worldSize > 1 ? [vscode.l10n.t('rank {0}', run.place.rank)] : []),
      ].join(' · '),
      run,
    }));
    const placeHolder = vscode.l10n.t('Run that the tree, the status bar and Problems speak of');
    const chosen = await vscode.window.showQuickPick(items, { placeHolder });
    if (!chosen) return;
    model.current.choose(chosen.run.origin.id);
    model.changed();
  };
  const goTo = (place: 'constructedAt' | 'calledAt') => async (node: TreeNode | undefined) => {
    const at = node?.kind === 'layer' ? node.track.info[place] : null;
    if (at) await openLocation(sites(), at);
  };
  const showSelected = () => {
    const run = model.current.get();
    const [node] = view.selection;
    if (node?.kind !== 'layer' || !run) return;
    void vscode.commands.executeCommand('normscope.showInPanel', targetOf(run, [node.track]));
  };
  const ofRow = (command: string) => (node: TreeNode | undefined) => {
    const run = model.current.get();
    if (node?.kind !== 'layer' || !run) return undefined;
    return vscode.commands.executeCommand(command, targetOf(run, [node.track]));
  };
  const setBreakpoints = (items: readonly [TreeNode, vscode.TreeItemCheckboxState][]) => {
    const { Checked } = vscode.TreeItemCheckboxState;
    const namesOf = (checked: boolean) =>
      items.flatMap(([node, state]) =>
        node.kind === 'layer' && (state === Checked) === checked ? [node.track.info.name] : [],
      );
    chooseLayers(breakpoints, namesOf(true));
    breakpoints.remove(namesOf(false));
    // A choice that was not taken shows so.
    provider.redraw(items.map(([node]) => node));
  };
  const setFocus = (on: boolean) => (node: TreeNode | undefined) => {
    const run = model.current.get();
    if (node?.kind !== 'layer' || !run) return;
    const { id } = node.track.info;
    if (on) focus.add(run.origin.id, id);
    else focus.remove(run.origin.id, id);
  };
  const register = <Args extends unknown[]>(name: string, act: (...args: Args) => unknown) =>
    vscode.commands.registerCommand(`normscope.layers.${name}`, act);
  const registered = vscode.Disposable.from(
    view,
    provider,
    model.onDidChange(refresh),
    view.onDidChangeVisibility(refresh),
    view.onDidChangeCheckboxState(({ items }) => setBreakpoints(items)),
    breakpoints.onDidChange(refresh),
    register('chooseFigure', chooseFigure),
    register('chooseRun', chooseRun),
    register('onlyAlerts', () => setOnlyAlerts(true)),
    register('all', () => setOnlyAlerts(false)),
    register('goToConstruction', goTo('constructedAt')),
    register('goToCall', goTo('calledAt')),
    vscode.commands.registerCommand(SHOW_SELECTED, showSelected),
    register('captureNow', ofRow('normscope.captureNow')),
    register('copyStatistics', ofRow('normscope.copyStatistics')),
    register('captureDeeply', setFocus(true)),
    register('captureUsually', setFocus(false)),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('normscope.layers')) provider.setFigure(readTreeFigure());
    }),
  );
  return {
    reveal,
    focus: (run, layer) => {
      focus.add(run.origin.id, layer.info.id);
      reveal(layer, true);
    },
    dispose: () => void registered.dispose(),
  };
}
