import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { isChildSession, PYTHON_TYPE } from './debugConfiguration';
import type { PythonConfiguration } from './debugConfiguration';
import { parseEnvFile } from './envFile';
import { launchProblem } from './interposer/launchChecks';
import { isRecord } from './interposer/messages';
import { chooseInterpreter } from './pythonInterpreter';

/** The configuration for the file in the editor. */
export function currentFileConfiguration(program = '${file}'): vscode.DebugConfiguration {
  return {
    type: PYTHON_TYPE,
    request: 'launch',
    name: vscode.l10n.t('Python: Current File with Norm Capture'),
    program,
    console: 'integratedTerminal',
    justMyCode: true,
  };
}

const folderPath = (folder: vscode.WorkspaceFolder | undefined) =>
  folder?.uri.fsPath ?? vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;

/** Completes configurations of our debug type. */
export class PythonConfigurationProvider implements vscode.DebugConfigurationProvider {
  provideDebugConfigurations(): vscode.DebugConfiguration[] {
    return [currentFileConfiguration()];
  }

  resolveDebugConfiguration(
    folder: vscode.WorkspaceFolder | undefined,
    configuration: PythonConfiguration,
  ): vscode.ProviderResult<vscode.DebugConfiguration> {
    if (isChildSession(configuration)) return configuration;
    // F5 with no launch.json comes with nothing in it.
    if (!configuration.type && !configuration.request && !configuration.name) {
      const document = vscode.window.activeTextEditor?.document;
      if (document?.languageId !== 'python') {
        void vscode.window.showErrorMessage(
          vscode.l10n.t('Open the Python file that you want to debug, then start again.'),
        );
        return undefined;
      }
      return this.withDefaults(folder, currentFileConfiguration());
    }
    return this.withDefaults(folder, configuration);
  }

  async resolveDebugConfigurationWithSubstitutedVariables(
    folder: vscode.WorkspaceFolder | undefined,
    configuration: PythonConfiguration,
  ): Promise<vscode.DebugConfiguration | undefined> {
    if (isChildSession(configuration)) return configuration;
    if (!vscode.workspace.isTrusted) {
      void vscode.window.showErrorMessage(
        vscode.l10n.t('This workspace is not trusted: trust it to run its programs.'),
      );
      return undefined;
    }
    const resolved = { ...configuration };
    if (resolved.request === 'launch') {
      const problem = launchProblem(resolved, folderPath(folder) ?? process.cwd(), vscode.l10n.t);
      if (problem !== undefined) {
        void vscode.window.showErrorMessage(problem);
        return undefined;
      }
      resolved.env = await this.environment(folder, resolved);
      delete resolved.envFile;
    }
    const python = await chooseInterpreter(folder, configuration);
    if (python) resolved.python = [...python];
    delete resolved.pythonPath;
    return resolved;
  }

  private withDefaults(
    folder: vscode.WorkspaceFolder | undefined,
    configuration: vscode.DebugConfiguration,
  ): vscode.DebugConfiguration {
    const common = { justMyCode: true, ...configuration };
    if (configuration.request !== 'launch') return common;
    const cwd = folderPath(folder);
    return { console: 'integratedTerminal', ...(cwd === undefined ? {} : { cwd }), ...common };
  }

  /** The configuration's environment over that of its env file. */
  private async environment(
    folder: vscode.WorkspaceFolder | undefined,
    configuration: vscode.DebugConfiguration,
  ): Promise<Record<string, unknown>> {
    const env = isRecord(configuration.env) ? configuration.env : {};
    const root = folderPath(folder);
    const named: unknown = configuration.envFile;
    const file = typeof named === 'string' && named !== '' ? named : '.env';
    if (root === undefined && !path.isAbsolute(file)) return env;
    try {
      const text = await readFile(path.resolve(root ?? '', file), 'utf8');
      return { ...parseEnvFile(text, process.env), ...env };
    } catch {
      if (file === named) {
        void vscode.window.showWarningMessage(
          vscode.l10n.t('The env file {0} can not be read; the program starts without it.', file),
        );
      }
      return env;
    }
  }
}
