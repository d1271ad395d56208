import * as vscode from 'vscode';
import type { CaptureHub } from '../core/captureHub';
import { AdapterFactory } from './adapterFactory';
import { debugCurrentFile } from './debugCurrentFile';
import { NODE_TYPES, PYTHON_TYPE } from './debugConfiguration';
import { NodeConfigurationProvider } from './nodeConfigurationProvider';
import { NodeTrackerFactory } from './nodeTracker';
import { PendingCaptures } from './pendingCaptures';
import { PythonConfigurationProvider } from './pythonConfigurationProvider';
import { SessionTracker } from './sessionTracker';

/** Registers the debug type `normscope`, capture for Node launches, and their command. */
export function registerDebug(
  context: vscode.ExtensionContext,
  hub: CaptureHub,
  log: (line: string) => void,
): vscode.Disposable {
  const tracker = new SessionTracker();
  const agentDir = context.asAbsolutePath('dist/agents/python');
  const agentFile = context.asAbsolutePath('dist/agents/node/agent.cjs');
  const captures = new PendingCaptures(hub);
  const factory = new AdapterFactory({ captures, tracker, agentDir, log });
  const nodeProvider = new NodeConfigurationProvider(captures, agentFile);
  const nodeTracker = new NodeTrackerFactory(captures, tracker);
  const { debug } = vscode;
  return vscode.Disposable.from(
    debug.registerDebugConfigurationProvider(PYTHON_TYPE, new PythonConfigurationProvider()),
    debug.registerDebugAdapterDescriptorFactory(PYTHON_TYPE, factory),
    ...NODE_TYPES.flatMap((type) => [
      debug.registerDebugConfigurationProvider(type, nodeProvider),
      debug.registerDebugAdapterTrackerFactory(type, nodeTracker),
    ]),
    debug.onDidTerminateDebugSession((session) => tracker.end(session)),
    vscode.commands.registerCommand('normscope.debugCurrentFile', debugCurrentFile),
    tracker,
    captures,
  );
}
