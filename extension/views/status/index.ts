import * as vscode from 'vscode';
import type { EditorModel } from '../../core/editor/editorModel';
import { statusLines, statusMarkdown, statusText, type CaptureState } from './statusText';

interface Action extends vscode.QuickPickItem {
  readonly command: string;
}

/** What the person may do from the status bar: only what applies. */
function actionsFor({ enabled, run, alerts }: CaptureState): readonly Action[] {
  const action = (icon: string, label: string, command: string): Action => ({
    label: `$(${icon}) ${label}`,
    command,
  });
  const { t } = vscode.l10n;
  const actions: Action[] = [action('graph', t('Open Panel'), 'normscope.openPanel')];
  if (alerts > 0) actions.push(action('warning', t('Go to Next Alert'), 'normscope.nextAlert'));
  if (run) {
    actions.push(action('list-tree', t('Show Norm Layers'), 'normscope.layers.focus'));
    actions.push(action('history', t('Choose Run…'), 'normscope.layers.chooseRun'));
  }
  const toggle = enabled ? t('Turn Capture Off') : t('Turn Capture On');
  actions.push(
    action(enabled ? 'circle-slash' : 'pulse', toggle, 'normscope.toggleCapture'),
    action('gear', t('Settings'), 'normscope.openSettings'),
    action('output', t('Show Log'), 'normscope.showLog'),
  );
  return actions;
}

/** How capture stands, at the left of the status bar. */
export function registerStatus(model: EditorModel): vscode.Disposable {
  const { Left } = vscode.StatusBarAlignment;
  const item = vscode.window.createStatusBarItem('normscope.status', Left, 10);
  item.name = vscode.l10n.t('Norm Capture');
  item.command = 'normscope.statusActions';
  const state = (): CaptureState => {
    const run = model.current.get();
    const capture = vscode.workspace.getConfiguration('normscope.capture');
    const alerts = run ? model.activeAlerts(run) : [];
    const [worst] = alerts;
    return {
      enabled: capture.get('enabled', true),
      run,
      alerts: alerts.length,
      ...(worst && { worst: worst.severity }),
    };
  };
  const refresh = () => {
    const now = state();
    const text = statusText(now);
    const tooltip = statusMarkdown(now);
    // Setting what it is would close the tooltip under the pointer.
    if (
      item.text === text &&
      (item.tooltip as vscode.MarkdownString | undefined)?.value === tooltip
    )
      return;
    item.text = text;
    item.tooltip = new vscode.MarkdownString(tooltip);
    item.accessibilityInformation = { label: statusLines(now).join(' '), role: 'button' };
  };
  refresh();
  item.show();
  return vscode.Disposable.from(
    item,
    model.onDidChange(refresh),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('normscope.capture')) refresh();
    }),
    vscode.commands.registerCommand('normscope.statusActions', async () => {
      const placeHolder = 'NormScope';
      const chosen = await vscode.window.showQuickPick(actionsFor(state()), { placeHolder });
      if (chosen) await vscode.commands.executeCommand(chosen.command);
    }),
    vscode.commands.registerCommand('normscope.openSettings', () =>
      vscode.commands.executeCommand('workbench.action.openSettings', '@ext:normscope.normscope'),
    ),
  );
}
