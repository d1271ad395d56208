import type { DebugConfiguration } from 'vscode';

/** Our debug type, for Python. */
export const PYTHON_TYPE = 'normscope';

/** VS Code's own Node debugger, under both its names. */
export const NODE_TYPES = ['node', 'pwa-node'] as const;

export type ConsoleKind = 'internalConsole' | 'integratedTerminal' | 'externalTerminal';

export type Environment = Readonly<Record<string, string | null>>;

/** `false` debugs without capture; `true` or an object captures. */
export type CaptureAttribute = boolean | Readonly<Record<string, unknown>>;

/** What launch and attach have in common. Everything that debugpy knows passes through to it. */
export interface PythonConfiguration extends DebugConfiguration {
  normscope?: CaptureAttribute;
  /** Interpreter, alone or with arguments. */
  python?: string | readonly string[];
  /** Older spelling of `python`. */
  pythonPath?: string;
  justMyCode?: boolean;
  subProcess?: boolean;
  /** Set by debugpy for the session of a child process. */
  subProcessId?: number;
}

export interface PythonLaunchConfiguration extends PythonConfiguration {
  request: 'launch';
  program?: string;
  module?: string;
  code?: string | readonly string[];
  /** A text is left to the terminal's shell to expand. */
  args?: string | readonly string[];
  cwd?: string;
  env?: Environment;
  envFile?: string;
  console?: ConsoleKind;
  stopOnEntry?: boolean;
}

export interface PythonAttachConfiguration extends PythonConfiguration {
  request: 'attach';
  connect?: { readonly host?: string; readonly port: number | string };
  listen?: { readonly host?: string; readonly port: number | string };
  processId?: number | string;
}

/** A session of a child process: it belongs to its parent's capture. */
export function isChildSession(configuration: DebugConfiguration): boolean {
  return configuration.subProcessId !== undefined;
}

export function wantsCapture(configuration: DebugConfiguration): boolean {
  return configuration.normscope !== false;
}

/** How the person would name what is debugged. */
export function programName(configuration: DebugConfiguration): string {
  const { program, module, processId, connect, listen } = configuration;
  if (typeof program === 'string') return program.split(/[\\/]/).at(-1) ?? program;
  if (typeof module === 'string') return module;
  if (processId !== undefined) return `PID ${String(processId)}`;
  const place: unknown = connect ?? listen;
  if (typeof place === 'object' && place !== null && 'port' in place) {
    const host = 'host' in place ? String(place.host) : '127.0.0.1';
    return `${host}:${String(place.port)}`;
  }
  return configuration.name;
}
