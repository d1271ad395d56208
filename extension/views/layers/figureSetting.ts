import * as vscode from 'vscode';
import { settingTarget } from '../../settings';
import { TREE_FIGURES, type TreeFigure } from './treeFigures';

const SETTING = 'layers.figure';

/** What the person wants to see beside each layer. */
export function readTreeFigure(): TreeFigure {
  const value: unknown = vscode.workspace.getConfiguration('normscope').get(SETTING);
  return TREE_FIGURES.find((figure) => figure === value) ?? TREE_FIGURES[0];
}

export async function writeTreeFigure(figure: TreeFigure): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('normscope');
  await configuration.update(SETTING, figure, settingTarget(SETTING));
}
