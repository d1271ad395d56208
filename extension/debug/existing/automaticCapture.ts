import * as vscode from 'vscode';
import { isRecord } from '../interposer/messages';

const SETTING = 'capture.automatic';

/** Whether a session of another extension's debugger is to be captured; asks where the setting says so. */
export async function capturesExisting(configuration: vscode.DebugConfiguration): Promise<boolean> {
  const wanted: unknown = configuration.normscope;
  if (wanted === true || isRecord(wanted)) return true;
  if (wanted === false || configuration.noDebug === true) return false;
  switch (vscode.workspace.getConfiguration('normscope').get<unknown>(SETTING)) {
    case 'on':
      return true;
    case 'ask':
      return ask(configuration.name);
    default:
      return false;
  }
}

async function ask(name: string): Promise<boolean> {
  const { t } = vscode.l10n;
  const [yes, always, never] = [t('Capture'), t('Always'), t('Never Ask')];
  const question = t('Capture the norm layers of “{0}”?', name);
  const chosen = await vscode.window.showInformationMessage(
    question,
    // A notification that goes away by itself would leave the start waiting.
    { modal: true },
    yes,
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
  return chosen === yes || chosen === always;
}
