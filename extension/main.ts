import * as vscode from 'vscode';
import { CaptureHub } from './core/captureHub';
import { registerDebug } from './debug';
import type { NormScopeApi } from './protocol/api';
import { readCaptureSettings, readRuleSettings, readStorageSettings } from './settings';
import { registerPanel } from './views/panel';

/** Wires the parts together; each does its own work. */
export async function activate(context: vscode.ExtensionContext): Promise<NormScopeApi> {
  const log = vscode.window.createOutputChannel('NormScope', { log: true });
  const { maxRunBytes, maxTraceBytes } = readStorageSettings();
  const hub = await CaptureHub.start({
    traceDir: maxTraceBytes > 0 ? traceFolder(context) : null,
    maxTraceBytes,
    maxRunBytes,
    capture: readCaptureSettings(),
    rules: readRuleSettings(),
    log: (level, message) => log[level === 'warning' ? 'warn' : level](message),
  });
  activeHub = hub;
  // Reading large traces takes seconds; the panel is told when runs appear.
  void hub.restore();

  const panel = registerPanel(context, hub);
  context.subscriptions.push(
    log,
    registerDebug(context, hub, (line) => log.info(line)),
    vscode.commands.registerCommand('normscope.showLog', () => log.show()),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('normscope.capture')) hub.setCapture(readCaptureSettings());
      if (change.affectsConfiguration('normscope.rules')) hub.setRules(readRuleSettings());
    }),
  );
  return {
    version: 1,
    runs: () => hub.store.runs(),
    layers: (run) => hub.store.layers(run),
    openPanel: (run, layer) => panel.open(run, layer),
    onDidChange: (listener) => hub.store.onDidChange(listener),
  };
}

/** Closes the collector and finishes writing traces before the window goes away. */
export async function deactivate(): Promise<void> {
  await activeHub?.dispose();
}

let activeHub: CaptureHub | undefined;

/** Traces belong to the workspace; windows without one share the extension's own storage. */
function traceFolder(context: vscode.ExtensionContext): string {
  return vscode.Uri.joinPath(context.storageUri ?? context.globalStorageUri, 'traces').fsPath;
}
