import * as vscode from 'vscode';
import { oneLine } from '../core/editor/markdown';
import { notificationText } from '../core/plainText';
import { CaptureNow, type CaptureNowOptions } from './captureNow';
import type { DocumentSites } from './documentSites';
import { LayerChoice } from './layerChoice';
import { statisticsTable } from './statisticsTable';

/** Characters of a name in a message. */
const LONGEST_SHOWN = 80;

/** Registers what can be had of the layers of a run: a deep capture, and their figures as text. */
export function registerRunCommands(
  sites: DocumentSites,
  options: Omit<CaptureNowOptions, 'store'>,
): vscode.Disposable {
  const { model } = sites;
  const choice = new LayerChoice(sites);
  const capture = new CaptureNow({ ...options, store: model.store });

  const captureNow = async (argument?: unknown): Promise<void> => {
    const given = choice.given(argument);
    // Where the cursor is on a line of a former run, the run that goes on is meant.
    const found = given && !given.run.over ? given : choice.all();
    if (found) await capture.capture(found);
  };
  const copyStatistics = async (argument?: unknown): Promise<void> => {
    const chosen = await choice.any(argument);
    if (!chosen) return;
    const { run, layer } = chosen;
    const table = statisticsTable(model, run, layer);
    const { name: path, className } = layer.info;
    const name = notificationText(oneLine(path || className, LONGEST_SHOWN)).replaceAll(
      '$(',
      '$ (',
    );
    if (table === undefined) {
      const text = vscode.l10n.t('Nothing of {0} was captured yet: wait for its first step.', name);
      void vscode.window.showInformationMessage(text);
      return;
    }
    await vscode.env.clipboard.writeText(table);
    vscode.window.setStatusBarMessage(
      vscode.l10n.t('The statistics of {0} are in the clipboard', name),
      5_000,
    );
  };
  return vscode.Disposable.from(
    vscode.commands.registerCommand('normscope.captureNow', captureNow),
    vscode.commands.registerCommand('normscope.copyStatistics', copyStatistics),
  );
}
