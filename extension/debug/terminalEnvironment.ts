import * as vscode from 'vscode';
import { isRecord } from './interposer/messages';

/** What a process in VS Code's terminal inherits: the setting over the environment of the host. */
export function terminalEnvironment(
  session: vscode.DebugSession,
): Record<string, string | undefined> {
  const platform = { win32: 'windows', darwin: 'osx' }[process.platform as string] ?? 'linux';
  const setting = vscode.workspace
    .getConfiguration('terminal.integrated.env', session.workspaceFolder?.uri)
    .get<unknown>(platform);
  const inTerminal = session.configuration.console !== 'internalConsole';
  const entries = inTerminal && isRecord(setting) ? Object.entries(setting) : [];
  const texts = entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return { ...process.env, ...Object.fromEntries(texts) };
}
