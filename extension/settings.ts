import * as vscode from 'vscode';
import { parseExtraClasses } from './protocol/extraClasses';
import { DEFAULT_CAPTURE, type CaptureSettings } from './protocol/environment';
import { parseRuleSettings, type RuleSettings } from './protocol/ruleSettings';

const MIB = 1024 * 1024;

/** The capture settings of the person's configuration, for the workspace as a whole. */
export function readCaptureSettings(): CaptureSettings {
  const capture = vscode.workspace.getConfiguration('normscope.capture');
  return {
    enabled: capture.get('enabled', DEFAULT_CAPTURE.enabled),
    budgetPercent: capture.get('budgetPercent', DEFAULT_CAPTURE.budgetPercent),
    extraClasses: parseExtraClasses(capture.get('extraClasses')),
  };
}

export interface StorageSettings {
  readonly maxRunBytes: number;
  readonly maxTraceBytes: number;
}

/** How much one run may take in memory and on disk. */
export function readStorageSettings(): StorageSettings {
  const storage = vscode.workspace.getConfiguration('normscope.storage');
  return {
    maxRunBytes: storage.get('memoryPerRunMiB', 128) * MIB,
    maxTraceBytes: storage.get('tracePerRunMiB', 256) * MIB,
  };
}

/** Which rules speak, and from where on. */
export function readRuleSettings(): RuleSettings {
  const rules = vscode.workspace.getConfiguration('normscope.rules');
  return parseRuleSettings((setting) => rules.get(setting));
}

/** What is shown in the editor of norm layers. */
export interface EditorSettings {
  readonly hover: boolean;
  readonly annotations: boolean;
  readonly codeLens: boolean;
  readonly problems: boolean;
}

export function readEditorSettings(): EditorSettings {
  const editor = vscode.workspace.getConfiguration('normscope.editor');
  const isOn = (name: keyof EditorSettings) => editor.get(name, true) === true;
  return {
    hover: isOn('hover'),
    annotations: isOn('annotations'),
    codeLens: isOn('codeLens'),
    problems: isOn('problems'),
  };
}

/** Where a setting of ours is to be changed: where the person has it already, else for the person. */
export function settingTarget(name: string): vscode.ConfigurationTarget {
  const known = vscode.workspace.getConfiguration('normscope').inspect(name);
  return known?.workspaceValue === undefined
    ? vscode.ConfigurationTarget.Global
    : vscode.ConfigurationTarget.Workspace;
}
