import { existsSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { CaptureSettings } from '../protocol/environment';
import { captureOverrides } from './captureOverrides';
import { programName } from './debugConfiguration';
import type { PendingCaptures } from './pendingCaptures';
import { isRecord } from './interposer/messages';
import { tensorSettings, TENSORS_VARIABLE } from './interposer/tensorTexts';
import { withRequire } from './nodeOptions';
import { tensorTextsSetting } from './tensorTextsSetting';

/** Marks, for the session's tracker, a configuration that asks for capture which is off. */
export const OFF_ATTRIBUTE = '__normscopeOff';

/** What is not stepped into: what the person says, else what the debugger does without. */
const skipped = (given: unknown): readonly unknown[] =>
  Array.isArray(given) ? given : ['<node_internals>/**'];

/** Adds the TF.js agent to launches of VS Code's own Node debugger that ask for it. */
export class NodeConfigurationProvider implements vscode.DebugConfigurationProvider {
  constructor(
    private readonly captures: PendingCaptures,
    private readonly agentFile: string,
  ) {}

  resolveDebugConfigurationWithSubstitutedVariables(
    _folder: vscode.WorkspaceFolder | undefined,
    configuration: vscode.DebugConfiguration,
  ): vscode.DebugConfiguration {
    const { normscope, ...resolved } = configuration;
    if (normscope !== true && !isRecord(normscope)) return resolved as vscode.DebugConfiguration;
    if (!this.captures.enabled) {
      return { ...(resolved as vscode.DebugConfiguration), [OFF_ATTRIBUTE]: true };
    }
    return this.withAgent(resolved as vscode.DebugConfiguration, captureOverrides(normscope));
  }

  private withAgent(
    configuration: vscode.DebugConfiguration,
    overrides: Partial<CaptureSettings>,
  ): vscode.DebugConfiguration {
    const problem = this.problem(configuration);
    if (problem !== undefined) {
      void vscode.window.showWarningMessage(problem);
      return configuration;
    }
    const program = programName(configuration);
    const capture = this.captures.open({
      sessionType: configuration.type,
      program,
      capture: overrides,
    });
    if (!capture) return configuration;
    const env: Record<string, unknown> = isRecord(configuration.env) ? configuration.env : {};
    const NODE_OPTIONS = withRequire(env.NODE_OPTIONS, this.agentFile);
    const texts = tensorSettings(tensorTextsSetting(path.dirname(this.agentFile)));
    const ours = { ...capture.environment, [TENSORS_VARIABLE]: texts, NODE_OPTIONS };
    const skipFiles = [...skipped(configuration.skipFiles), this.agentFile];
    return { ...configuration, skipFiles, env: { ...env, ...ours } };
  }

  private problem(configuration: vscode.DebugConfiguration): string | undefined {
    if (configuration.request !== 'launch') {
      return vscode.l10n.t(
        'Norm capture for Node needs a launch configuration: debugging goes on without it.',
      );
    }
    // Node ends at once when a file it must load first is missing.
    if (!existsSync(this.agentFile)) {
      return vscode.l10n.t(
        'The NormScope agent for Node is missing: install the extension again; debugging goes on without capture.',
      );
    }
    return undefined;
  }
}
