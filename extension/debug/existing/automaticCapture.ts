import * as vscode from 'vscode';
import { isRecord } from '../interposer/messages';

const SETTING = 'capture.automatic';

/** What is to become of a launch: the person may also have called it off. */
export type Start = 'captured' | 'plain' | 'cancelled';

/** How a session of another extension's debugger is to start; asks where the setting says so. */
export async function startOfExisting(configuration: vscode.DebugConfiguration): Promise<Start> {
  const wanted: unknown = configuration.normscope;
  if (wanted === true || isRecord(wanted)) return 'captured';
  if (wanted === false || configuration.noDebug === true) return 'plain';
  switch (vscode.workspace.getConfiguration('normscope').get<unknown>(SETTING)) {
    case 'on':
      return 'captured';
    case 'ask':
      return ask(configuration.name);
    default:
      return 'plain';
  }
}

async function ask(name: string): Promise<Start> {
  const { t } = vscode.l10n;
  const [yes, no] = [t('Capture'), t('Start without Capture')];
  const [always, never] = [t('Always in This Workspace'), t('Never in This Workspace')];
  const question = t('Capture the norm layers of “{0}”?', name);
  const chosen = await vscode.window.showInformationMessage(
    question,
    // A notification that goes away by itself would leave the start waiting.
    { modal: true },
    yes,
    no,
    always,
    never,
  );
  const remember = (value: string) =>
    vscode.workspace
      .getConfiguration('normscope')
      .update(SETTING, value, vscode.ConfigurationTarget.Workspace)
      .then(undefined, () => undefined);
  if (chosen === always) await remember('on');
  if (chosen === never) await remember('off');
  if (chosen === undefined) return 'cancelled';
  return chosen === yes || chosen === always ? 'captured' : 'plain';
}
