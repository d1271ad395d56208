import path from 'node:path';
import * as vscode from 'vscode';
import { currentFileConfiguration } from './pythonConfigurationProvider';

const NODE_FILE = /\.[cm]?[jt]s$/i;

/** The configuration that debugs a file with capture; nothing when it can not be. */
function configurationFor(file: string): vscode.DebugConfiguration | undefined {
  if (/\.py$/i.test(file)) return currentFileConfiguration(file);
  if (!NODE_FILE.test(file)) return undefined;
  return {
    type: 'node',
    request: 'launch',
    name: vscode.l10n.t('Node: Current File with Norm Capture'),
    program: file,
    cwd: path.dirname(file),
    console: 'integratedTerminal',
    normscope: true,
  };
}

/** The command "Debug Current File with Norm Capture". */
export async function debugCurrentFile(resource?: vscode.Uri): Promise<void> {
  const uri = resource ?? vscode.window.activeTextEditor?.document.uri;
  const configuration = uri?.scheme === 'file' ? configurationFor(uri.fsPath) : undefined;
  if (!uri || !configuration) {
    void vscode.window.showErrorMessage(
      vscode.l10n.t('Open a saved Python, JavaScript or TypeScript file, then start again.'),
    );
    return;
  }
  // VS Code tells itself why a start failed.
  await vscode.debug.startDebugging(vscode.workspace.getWorkspaceFolder(uri), configuration);
}
