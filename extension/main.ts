import * as vscode from 'vscode';
import { ChosenLayers } from './core/breakpoints/chosenLayers';
import { CaptureHub } from './core/captureHub';
import { alertWords } from './core/editor/alertWords';
import { EditorModel } from './core/editor/editorModel';
import { messageOf } from './core/log';
import { registerDebug } from './debug';
import { registerEditor, type EditorFeatures } from './editor';
import { InlineTensorValues } from './editor/inlineValues';
import type { NormScopeApi } from './protocol/api';
import type { LayerId } from './protocol/ids';
import { readCaptureSettings, readRuleSettings, readStorageSettings } from './settings';
import { alertStrings } from './views/alertStrings';
import { registerLayers, type LayersView } from './views/layers';
import { registerPanel } from './views/panel';
import { showDefinition } from './views/panel/definitionPage';
import { SharedFocus } from './views/panel/sharedFocus';
import { registerStatus } from './views/status';

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

  const breakpoints = new ChosenLayers(context.workspaceState);
  const tellBreakpoints = () => hub.setLayerBreakpoints(breakpoints.all);
  tellBreakpoints();

  const focus = new SharedFocus((run, layers) => hub.focus(run, layers));
  const panel = registerPanel(context, { store: hub.store, focus: focus.member() });
  const model = new EditorModel(hub.store, alertStrings(), (error) => log.error(messageOf(error)));
  const layers: LayersView = registerLayers({
    model,
    sites: () => editor.sites,
    tellFocus: focus.member(),
    breakpoints,
  });
  const editor: EditorFeatures = registerEditor({
    model,
    breakpoints,
    tellFocus: focus.member(),
    showInPanel: (run, layer) => void panel.open(run.origin.id, layer.info.id),
    focus: (run, layer) => layers.focus(run, layer),
    reveal: (layer) => layers.reveal(layer, false),
    showDefinition: (id) => showDefinition(context.extensionUri, id),
    reference: { storage: context.workspaceState, shownStep: () => panel.shownStep() },
  });
  context.subscriptions.push(
    log,
    model,
    breakpoints.onDidChange(tellBreakpoints),
    layers,
    editor,
    registerStatus(model),
    registerDebug(context, hub, (line) => log.info(line), {
      alertWords: ({ run, alert }) => {
        const nameOf = (layer: LayerId) => hub.store.get(run)?.layer(layer)?.info.name;
        return alertWords(alert, alertStrings(), nameOf);
      },
      happened: ({ run, layer }) => panel.follow(run, layer),
    }),
    vscode.languages.registerInlineValuesProvider({ language: 'python' }, new InlineTensorValues()),
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
