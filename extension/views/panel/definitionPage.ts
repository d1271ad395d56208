import * as vscode from 'vscode';
import type { DefinitionId } from '../../protocol/definitions';
import { headingLine } from './headings';

/** Opens the section of `media/definitions.md` in VS Code's preview; in an editor where there is none. */
export async function showDefinition(extensionUri: vscode.Uri, id: DefinitionId): Promise<void> {
  const page = vscode.Uri.joinPath(extensionUri, 'media', 'definitions.md');
  try {
    await vscode.commands.executeCommand('markdown.showPreviewToSide', page.with({ fragment: id }));
  } catch {
    const document = await vscode.workspace.openTextDocument(page);
    const start = new vscode.Position(headingLine(document.getText(), id), 0);
    await vscode.window.showTextDocument(document, {
      viewColumn: vscode.ViewColumn.Beside,
      preview: true,
      selection: new vscode.Range(start, start),
    });
  }
}
