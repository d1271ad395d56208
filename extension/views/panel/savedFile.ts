import * as vscode from 'vscode';
import type { SavedType } from '../../protocol/panelMessages';

const LONGEST_NAME = 100;

/** What a file can be called on every platform; the words of `name` that are left of it. */
export function fileNameFor(name: string, as: SavedType): string {
  const plain = name
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .slice(0, LONGEST_NAME)
    .replace(/^[.-]+|[.-]+$/g, '');
  return `${plain || 'normscope'}.${as}`;
}

const filterName = (as: SavedType): string => as.toUpperCase();

/** Asks where to write a file of the panel, and writes it there. */
export async function saveFile(name: string, as: SavedType, bytes: Uint8Array): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const fileName = fileNameFor(name, as);
  const target = await vscode.window.showSaveDialog({
    defaultUri: folder ? vscode.Uri.joinPath(folder, fileName) : vscode.Uri.file(fileName),
    filters: { [filterName(as)]: [as] },
  });
  if (target) await vscode.workspace.fs.writeFile(target, bytes);
}
