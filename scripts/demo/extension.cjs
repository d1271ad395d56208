/** What `npm start` shows by itself: an example under the debugger, with the panel open. */
const vscode = require('vscode');

const PROGRAM = ['python', 'transformer.py'];
const CONFIGURATION = 'Transformer (PyTorch)';

async function activate(context) {
  // A reloaded window shows what it showed before; only the first one starts something.
  if (context.workspaceState.get('started')) return;
  await context.workspaceState.update('started', true);
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (!folder) return;
  await vscode.window.showTextDocument(vscode.Uri.joinPath(folder.uri, ...PROGRAM));
  await vscode.commands.executeCommand('normscope.openPanel');
  const started = await vscode.debug.startDebugging(folder, CONFIGURATION);
  if (!started) {
    vscode.window.showWarningMessage(
      `"${CONFIGURATION}" did not start; start it from Run and Debug to see why.`,
    );
  }
}

module.exports = { activate };
