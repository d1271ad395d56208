import * as vscode from 'vscode';
import { notificationText } from '../core/plainText';
import type { SourceLocation } from '../protocol/layers';
import type { DocumentSites } from './documentSites';

async function isFile(uri: vscode.Uri): Promise<boolean> {
  try {
    return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.File) !== 0;
  } catch {
    return false;
  }
}

/** Opens the line where a layer is made or called, wherever edits have moved it; says so where the file is not here. */
export async function openLocation(
  sites: DocumentSites,
  { file, line }: SourceLocation,
): Promise<vscode.TextEditor | undefined> {
  const uri = vscode.Uri.file(file);
  if (!(await isFile(uri))) {
    void vscode.window.showWarningMessage(
      vscode.l10n.t(
        '{0} is not on this machine. Open the folder that the process runs in to see its code.',
        notificationText(file),
      ),
    );
    return undefined;
  }
  const document = await vscode.workspace.openTextDocument(uri);
  const place = sites.of(document)?.sites.find((site) => site.line === line)?.place ?? line - 1;
  const { firstNonWhitespaceCharacterIndex: column } = document.lineAt(
    Math.min(place, document.lineCount - 1),
  );
  const start = new vscode.Position(place, column);
  return vscode.window.showTextDocument(document, {
    viewColumn: vscode.ViewColumn.One,
    selection: new vscode.Range(start, start),
  });
}
