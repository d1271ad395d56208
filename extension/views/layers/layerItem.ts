import * as vscode from 'vscode';
import type { ChosenLayers } from '../../core/breakpoints/chosenLayers';
import { worstOf, type EditorModel } from '../../core/editor/editorModel';
import type { LayerNode, ModuleNode, MoreNode } from '../../core/editor/layerTree';
import { countText } from '../../core/editor/numbers';
import type { Run } from '../../core/runStore/run';
import { breakHint } from '../../editor/breakpointCommands';
import { hoverText } from '../../editor/hoverText';
import { SEVERITY_ICONS } from '../../editor/severityIcons';
import type { Alert, Severity } from '../../protocol/alerts';
import type { LayerFocus } from './layerFocus';
import { treeFigure, type TreeFigure } from './treeFigures';

/** Everything about a layer's row that may change from step to step. */
export interface RowState {
  readonly description: string;
  readonly worst: Severity | undefined;
  readonly titles: readonly string[];
  readonly context: string;
  /** Whether programs stop at it. */
  readonly breaks: boolean;
}

export interface RowOptions {
  readonly model: EditorModel;
  readonly run: Run;
  readonly figure: TreeFigure;
  readonly focus: LayerFocus;
  readonly breakpoints: ChosenLayers;
}

const COLOURS: Readonly<Record<Severity, string>> = {
  error: 'list.errorForeground',
  warning: 'list.warningForeground',
  info: 'editorInfo.foreground',
};

/** Shows the selected layer in the panel. */
export const SHOW_SELECTED = 'normscope.layers.showSelected';

const EXPANDED_UP_TO = 48;

const titlesOf = ({ model, run }: RowOptions, alerts: readonly Alert[]): readonly string[] => [
  ...new Set(alerts.map((alert) => model.inWords(run, alert).title)),
];

/** What can be done with a layer's row, for the `when` of its commands. */
function contextOf({ run, focus }: RowOptions, { track }: LayerNode): string {
  const { id, constructedAt, calledAt } = track.info;
  const words = ['layer'];
  if (constructedAt) words.push('construction');
  if (calledAt) words.push('call');
  if (!run.over) words.push(focus.has(run.origin.id, id) ? 'focused' : 'focusable');
  return words.join(' ');
}

export function layerState(options: RowOptions, node: LayerNode): RowState {
  const { model, run, figure } = options;
  const alerts = model.alertsOf(run, [node.track.info.id]);
  return {
    description: treeFigure(run, node.track, figure),
    worst: worstOf(alerts),
    titles: titlesOf(options, alerts),
    context: contextOf(options, node),
    breaks: options.breakpoints.has(node.track.info.name),
  };
}

export function moduleState(options: RowOptions, node: ModuleNode): RowState {
  const { model, run } = options;
  const alerts = model.alertsOf(
    run,
    node.layers.map(({ info }) => info.id),
  );
  const layers =
    node.layers.length === 1
      ? vscode.l10n.t('1 layer')
      : vscode.l10n.t('{0} layers', countText(node.layers.length));
  const spoken =
    alerts.length === 0 ? [] : [vscode.l10n.t('alerts: {0}', countText(alerts.length))];
  return {
    description: [layers, ...spoken].join(' · '),
    worst: worstOf(alerts),
    titles: titlesOf(options, alerts),
    context: 'module',
    breaks: false,
  };
}

function iconOf({ worst, context }: RowState, isLayer: boolean): vscode.ThemeIcon {
  if (worst) {
    return new vscode.ThemeIcon(SEVERITY_ICONS[worst], new vscode.ThemeColor(COLOURS[worst]));
  }
  if (!isLayer) return new vscode.ThemeIcon('symbol-namespace');
  return new vscode.ThemeIcon(context.endsWith('focused') ? 'eye' : 'circle-outline');
}

export function layerItem(node: LayerNode, state: RowState): vscode.TreeItem {
  const { info } = node.track;
  const item = new vscode.TreeItem(node.label, vscode.TreeItemCollapsibleState.None);
  item.id = `layer ${info.id}`;
  item.description = [state.description, ...state.titles].join(' · ');
  item.iconPath = iconOf(state, true);
  item.contextValue = state.context;
  const { Checked, Unchecked } = vscode.TreeItemCheckboxState;
  item.checkboxState = {
    state: state.breaks ? Checked : Unchecked,
    tooltip: breakHint(),
    accessibilityInformation: { label: vscode.l10n.t('Break at {0}', info.name) },
  };
  // Without arguments: VS Code forgets those of a row that changes between the click and the command.
  item.command = { title: vscode.l10n.t('Show in Panel'), command: SHOW_SELECTED };
  item.accessibilityInformation = {
    label: [info.name, info.className, state.description, ...state.titles].join(', '),
  };
  return item;
}

export function moduleItem(node: ModuleNode, state: RowState): vscode.TreeItem {
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const few = node.layers.length <= EXPANDED_UP_TO;
  const item = new vscode.TreeItem(node.label, few ? Expanded : Collapsed);
  item.id = `module ${node.path}`;
  item.description = state.description;
  item.iconPath = iconOf(state, false);
  item.contextValue = state.context;
  item.tooltip = [node.path, ...state.titles].join('\n');
  return item;
}

export function moreItem({ path, count }: MoreNode): vscode.TreeItem {
  const label = vscode.l10n.t('{0} more, which are in the panel', countText(count));
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.None);
  item.id = `more ${path}`;
  item.command = { title: label, command: 'normscope.openPanel' };
  return item;
}

/** What the hover at the layer's source says. */
export function layerTooltip({ model, run }: RowOptions, node: LayerNode): vscode.MarkdownString {
  const text = hoverText(model, { run, layers: [node.track], changed: false });
  const tooltip = new vscode.MarkdownString(text, true);
  tooltip.isTrusted = { enabledCommands: ['normscope.showInPanel', 'normscope.showDefinition'] };
  return tooltip;
}
