import * as vscode from 'vscode';
import { oneLine } from '../core/editor/markdown';
import { notificationText } from '../core/plainText';
import type { LayerTrack } from '../core/runStore/layerTrack';
import type { Run } from '../core/runStore/run';
import { RULES, type Alert } from '../protocol/alerts';
import { DEFINITIONS, type DefinitionId } from '../protocol/definitions';
import { RULES_OFF } from '../protocol/ruleSettings';
import { settingTarget } from '../settings';
import type { DocumentSites } from './documentSites';
import { LayerChoice } from './layerChoice';
import { openLocation } from './openLocation';

/** What the commands need of other parts. */
export interface LayerCommandOptions {
  readonly sites: DocumentSites;
  showInPanel(run: Run, layer: LayerTrack): void;
  /** Shows a layer in the tree, and captures it deeply. */
  focus(run: Run, layer: LayerTrack): void;
  showDefinition(id: DefinitionId): unknown;
  /** Shows a layer in the tree where the tree is visible. */
  reveal(layer: LayerTrack): void;
}

async function toggleCapture(): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('normscope');
  const name = 'capture.enabled';
  await configuration.update(name, !configuration.get(name, true), settingTarget(name));
}

async function switchRuleOff(argument: unknown): Promise<void> {
  const rule = RULES.find((one) => one === argument);
  if (!rule) return;
  const configuration = vscode.workspace.getConfiguration('normscope');
  const name = `rules.${RULES_OFF}`;
  const off: unknown = configuration.get(name);
  const others: readonly unknown[] = Array.isArray(off) ? off : [];
  if (others.includes(rule)) return;
  await configuration.update(name, [...others, rule], settingTarget(name));
}

/** Registers what can be done with a layer from anywhere. */
export function registerLayerCommands(options: LayerCommandOptions): vscode.Disposable {
  const { sites } = options;
  const { model } = sites;
  let lastAlert: Pick<Alert, 'rule' | 'layer' | 'since'> | undefined;

  const choice = new LayerChoice(sites);
  const withLayer = async (
    argument: unknown,
    act: (run: Run, layer: LayerTrack) => void,
  ): Promise<void> => {
    const chosen = await choice.one(argument);
    if (chosen) act(chosen.run, chosen.layer);
  };

  const nextAlert = async (): Promise<void> => {
    const run = model.current.get();
    const alerts = run ? model.activeAlerts(run) : [];
    const at = alerts.findIndex(
      ({ rule, layer, since }) =>
        rule === lastAlert?.rule && layer === lastAlert.layer && since === lastAlert.since,
    );
    const alert = alerts[(at + 1) % Math.max(1, alerts.length)];
    const layer = alert && run?.layer(alert.layer);
    if (!run || !alert || !layer) {
      void vscode.window.showInformationMessage(vscode.l10n.t('No rule speaks right now.'));
      return;
    }
    lastAlert = alert;
    options.reveal(layer);
    const { title, found } = model.inWords(run, alert);
    const said = oneLine(`${title} · ${layer.info.name}: ${found}`);
    vscode.window.setStatusBarMessage(notificationText(said).replaceAll('$(', '$ ('), 10_000);
    const { constructedAt } = layer.info;
    const editor = constructedAt && (await openLocation(sites, constructedAt));
    if (!editor) options.showInPanel(run, layer);
    else await vscode.commands.executeCommand('editor.action.showHover');
  };

  const register = (name: string, act: (argument?: unknown) => unknown) =>
    vscode.commands.registerCommand(`normscope.${name}`, act);
  return vscode.Disposable.from(
    register('showInPanel', (argument) =>
      withLayer(argument, (run, layer) => options.showInPanel(run, layer)),
    ),
    register('focusLayerAtCursor', (argument) =>
      withLayer(argument, (run, layer) => options.focus(run, layer)),
    ),
    register('nextAlert', nextAlert),
    register('toggleCapture', toggleCapture),
    register('switchRuleOff', switchRuleOff),
    register('showDefinition', (argument) => {
      const id = DEFINITIONS.find((one) => one === argument);
      return id && options.showDefinition(id);
    }),
  );
}
