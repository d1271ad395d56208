import * as vscode from 'vscode';
import type { TensorTexts } from './interposer/tensorTexts';

const DEFAULT_ELEMENTS = 1 << 20;

/** How tensors are shown in the sessions that start now. */
export function tensorTextsSetting(agentDir: string): TensorTexts {
  const setting: unknown = vscode.workspace
    .getConfiguration('normscope.tensors')
    .get('maxElements');
  const isCount = typeof setting === 'number' && Number.isInteger(setting) && setting > 0;
  return {
    agentDir,
    maxElements: isCount ? setting : DEFAULT_ELEMENTS,
    language: vscode.env.language,
  };
}
