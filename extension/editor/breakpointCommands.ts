import * as vscode from 'vscode';
import { MOST_CHOSEN, type ChosenLayers } from '../core/breakpoints/chosenLayers';
import { oneLine } from '../core/editor/markdown';
import { countText } from '../core/editor/numbers';
import { notificationText } from '../core/plainText';
import type { DocumentSites } from './documentSites';
import { LayerChoice } from './layerChoice';
import { findTarget, isTarget } from './layerTarget';

/** Characters of a name in the status bar. */
const LONGEST_SHOWN = 80;

export const ADD_BREAKPOINT = 'normscope.addTensorBreakpoint';
export const REMOVE_BREAKPOINTS = 'normscope.removeTensorBreakpoints';

/** What a breakpoint at a layer does, and what it costs. */
export const breakHint = (): string =>
  vscode.l10n.t(
    'Stops programs at NaN or infinite values of this layer, at once, and when a rule speaks of it, after the step. Tensors of norm layers are then looked at as they come, which on a GPU waits for it.',
  );

/** Has programs stop at layers; says so where there are too many of them. */
export function chooseLayers(chosen: ChosenLayers, names: readonly string[]): void {
  if (chosen.add(names)) return;
  const text = vscode.l10n.t(
    'Programs stop at {0} layers at most: remove a breakpoint before you add one, or use the filters of the Breakpoints view.',
    countText(MOST_CHOSEN),
  );
  void vscode.window.showWarningMessage(text);
}

/** Registers how programs are made to stop at norm layers from the editor and the palette. */
export function registerBreakpointCommands(
  sites: DocumentSites,
  chosen: ChosenLayers,
): vscode.Disposable {
  const choice = new LayerChoice(sites);
  const namesOf = (argument: unknown): readonly string[] | undefined =>
    findTarget(sites.model, argument)?.layers.map(({ info }) => info.name);

  const add = async (argument?: unknown): Promise<void> => {
    const names = namesOf(argument);
    if (names) {
      chooseLayers(chosen, names);
      return;
    }
    const picked = await choice.any(undefined);
    if (!picked) return;
    const { name, className } = picked.layer.info;
    chooseLayers(chosen, [name]);
    if (!chosen.has(name)) return;
    const shown = notificationText(oneLine(name || className, LONGEST_SHOWN));
    const said = vscode.l10n.t('Programs stop at {0} on NaN or alerts', shown);
    vscode.window.setStatusBarMessage(said.replaceAll('$(', '$ ('), 5_000);
  };
  const remove = (argument?: unknown): void => {
    const names = namesOf(argument);
    if (names) chosen.remove(names);
    else if (!isTarget(argument)) chosen.clear();
  };
  return vscode.Disposable.from(
    vscode.commands.registerCommand(ADD_BREAKPOINT, add),
    vscode.commands.registerCommand(REMOVE_BREAKPOINTS, remove),
  );
}
