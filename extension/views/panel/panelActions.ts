import * as vscode from 'vscode';
import { notificationText } from '../../core/plainText';
import { showDefinition } from './definitionPage';
import { panelMemory, type Storage } from './panelMemory';
import type { PanelActions } from './panelSession';
import { saveFile } from './savedFile';
import { isLayerLocation, type LayerSource } from './sourceLocations';

const COMMANDS = {
  debugCurrentFile: 'normscope.debugCurrentFile',
  addConfiguration: 'debug.addConfiguration',
} as const;

async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    const stat = await vscode.workspace.fs.stat(uri);
    return (stat.type & vscode.FileType.File) !== 0;
  } catch {
    return false;
  }
}

/** Opens a source line next to the panel; says so where the file is not on this machine. */
async function reveal(file: string, line: number): Promise<void> {
  const uri = vscode.Uri.file(file);
  if (!(await exists(uri))) {
    void vscode.window.showWarningMessage(
      vscode.l10n.t(
        '{0} is not on this machine. Open the folder that the process runs in to see its code.',
        notificationText(file),
      ),
    );
    return;
  }
  const start = new vscode.Position(line - 1, 0);
  await vscode.window.showTextDocument(uri, {
    viewColumn: vscode.ViewColumn.One,
    selection: new vscode.Range(start, start),
  });
}

function complain(error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  void vscode.window.showErrorMessage(notificationText(reason));
}

/** The panel's actions in this window. */
export const panelActions = (
  store: LayerSource,
  extensionUri: vscode.Uri,
  storage: Storage,
): PanelActions => ({
  reveal: (file, line) => {
    if (isLayerLocation(store, file, line)) void reveal(file, line).catch(complain);
  },
  copy: (text) => void vscode.env.clipboard.writeText(text).then(undefined, complain),
  save: (name, as, bytes) => void saveFile(name, as, bytes).catch(complain),
  showDefinition: (id) => void showDefinition(extensionUri, id).catch(complain),
  command: (name) => void vscode.commands.executeCommand(COMMANDS[name]).then(undefined, complain),
  memory: panelMemory(storage, () => store.runs()),
});
