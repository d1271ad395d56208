import * as vscode from 'vscode';
import { isRecord } from '../interposer/messages';
import { NODE_TYPES, PYTHON_TYPE } from '../debugConfiguration';
import { EXISTING_TYPES } from './existingSessions';

const TYPES: readonly unknown[] = [...EXISTING_TYPES, ...NODE_TYPES, PYTHON_TYPE];

interface Choice extends vscode.QuickPickItem {
  readonly folder: vscode.WorkspaceFolder | undefined;
  readonly configuration: vscode.DebugConfiguration;
}

function configurationsOf(folder: vscode.WorkspaceFolder | undefined): readonly Choice[] {
  const launch = vscode.workspace.getConfiguration('launch', folder?.uri);
  const listed: unknown = launch.get('configurations');
  return (Array.isArray(listed) ? listed : []).flatMap((one: unknown): Choice[] => {
    if (!isRecord(one) || !TYPES.includes(one.type) || typeof one.name !== 'string') return [];
    const configuration = one as vscode.DebugConfiguration;
    const description = `${configuration.type} · ${configuration.request}`;
    return [{ label: one.name, description, detail: folder?.name ?? '', folder, configuration }];
  });
}

/** The command "Debug with Norm Capture…": any configuration of the workspace that can be captured. */
export async function debugWith(): Promise<void> {
  const folders = vscode.workspace.workspaceFolders ?? [undefined];
  const choices = folders.flatMap(configurationsOf);
  if (choices.length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t(
        'No launch configuration of this workspace is for Python or Node: add one to launch.json, or debug the current file.',
      ),
    );
    return;
  }
  const chosen = await vscode.window.showQuickPick(choices, {
    placeHolder: vscode.l10n.t('Configuration to debug with norm capture'),
    matchOnDescription: true,
  });
  if (!chosen) return;
  const { folder, configuration } = chosen;
  const normscope: unknown = isRecord(configuration.normscope) ? configuration.normscope : true;
  await vscode.debug.startDebugging(folder, { ...configuration, normscope });
}
