import type { DebugConfiguration } from 'vscode';
import { fileNameOf } from '../core/fileNameOf';

/** Our debug type, for Python. */
export const PYTHON_TYPE = 'normscope';

/** VS Code's own Node debugger, under both its names. */
export const NODE_TYPES = ['node', 'pwa-node'] as const;

/** What launch and attach have in common. Everything that debugpy knows passes through to it. */
export interface PythonConfiguration extends DebugConfiguration {
  /** `false` debugs without capture; `true` or an object captures. */
  normscope?: boolean | Readonly<Record<string, unknown>>;
  /** Interpreter, alone or with arguments. */
  python?: string | readonly string[];
  /** Older spelling of `python`. */
  pythonPath?: string;
  justMyCode?: boolean;
  subProcess?: boolean;
  /** Set by debugpy for the session of a child process. */
  subProcessId?: number;
}

/** A session of a child process: it belongs to its parent's capture. */
export function isChildSession(configuration: DebugConfiguration): boolean {
  return configuration.subProcessId !== undefined;
}

/** Whether the configuration asks for capture. */
export function wantsCapture(configuration: DebugConfiguration): boolean {
  return configuration.normscope !== false;
}

/** How the person would name what is debugged. */
export function programName(configuration: DebugConfiguration): string {
  const { program, module, processId, connect, listen } = configuration;
  if (typeof program === 'string') return fileNameOf(program);
  if (typeof module === 'string') return module;
  if (processId !== undefined) return `PID ${String(processId)}`;
  const place: unknown = connect ?? listen;
  if (typeof place === 'object' && place !== null && 'port' in place) {
    const host = 'host' in place ? String(place.host) : '127.0.0.1';
    return `${host}:${String(place.port)}`;
  }
  return configuration.name;
}
