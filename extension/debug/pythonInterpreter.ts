import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { PythonConfiguration } from './debugConfiguration';
import { checkInterpreter } from './interpreterCheck';

const PYTHON_EXTENSION = 'ms-python.python';
const ACTIVATION_TIMEOUT_MS = 10_000;

/** The part of the Python extension's API that is used. */
interface PythonExtensionApi {
  readonly environments: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { readonly path: string };
    resolveEnvironment(environment: {
      readonly path: string;
    }): Promise<{ readonly executable: { readonly uri?: vscode.Uri } } | undefined>;
  };
}

const afterTimeout = (ms: number) =>
  new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), ms));

async function fromPythonExtension(resource?: vscode.Uri): Promise<string | undefined> {
  const extension = vscode.extensions.getExtension<PythonExtensionApi>(PYTHON_EXTENSION);
  if (!extension) return undefined;
  const ask = async () => {
    const { environments } = await extension.activate();
    const active = environments.getActiveEnvironmentPath(resource);
    const resolved = await environments.resolveEnvironment(active);
    return resolved?.executable.uri?.fsPath;
  };
  return Promise.race([ask().catch(() => undefined), afterTimeout(ACTIVATION_TIMEOUT_MS)]);
}

function substituted(text: string, folder: string | undefined): string {
  const variables = text
    .replace(/\$\{workspaceFolder\}|\$\{workspaceRoot\}/g, folder ?? '')
    .replace(/\$\{userHome\}|^~(?=$|[\\/])/g, os.homedir())
    .replace(/\$\{env:(\w+)\}/g, (_, name: string) => process.env[name] ?? '');
  const relative = /[\\/]/.test(variables) && !path.isAbsolute(variables);
  return relative && folder ? path.join(folder, variables) : variables;
}

function fromSetting(folder: vscode.WorkspaceFolder | undefined): string | undefined {
  const value = vscode.workspace
    .getConfiguration('python', folder?.uri)
    .get<unknown>('defaultInterpreterPath');
  // "python" is the setting's default and says nothing.
  if (typeof value !== 'string' || value === '' || value === 'python') return undefined;
  return substituted(value, folder?.uri.fsPath);
}

function fromVirtualEnvironment(folder: vscode.WorkspaceFolder | undefined): string | undefined {
  if (!folder) return undefined;
  const inside = process.platform === 'win32' ? ['Scripts', 'python.exe'] : ['bin', 'python'];
  return ['.venv', 'venv']
    .map((name) => path.join(folder.uri.fsPath, name, ...inside))
    .find((file) => existsSync(file));
}

async function fromPath(cwd: string | undefined): Promise<readonly string[] | undefined> {
  const candidates =
    process.platform === 'win32'
      ? [['py', '-3'], ['python'], ['python3']]
      : [['python3'], ['python']];
  for (const candidate of candidates) {
    const facts = await checkInterpreter(candidate, { cwd });
    if (typeof facts !== 'object') continue;
    // The absolute name means the same Python in a terminal that has another PATH.
    return facts.executable === '' ? candidate : [facts.executable];
  }
  return undefined;
}

/** The interpreter a configuration names itself. */
function namedInterpreter(configuration: PythonConfiguration): readonly string[] | undefined {
  const named = [configuration.python ?? configuration.pythonPath ?? []].flat();
  return named.length > 0 && named.every((part) => typeof part === 'string' && part !== '')
    ? named
    : undefined;
}

/**
 * The interpreter for a configuration: its own, the Python extension's active one,
 * `python.defaultInterpreterPath`, the folder's virtual environment, the one on PATH.
 */
export async function chooseInterpreter(
  folder: vscode.WorkspaceFolder | undefined,
  configuration: PythonConfiguration,
): Promise<readonly string[] | undefined> {
  const named = namedInterpreter(configuration);
  if (named) return named;
  const single =
    (await fromPythonExtension(folder?.uri)) ??
    fromSetting(folder) ??
    fromVirtualEnvironment(folder);
  return single === undefined ? fromPath(folder?.uri.fsPath) : [single];
}
