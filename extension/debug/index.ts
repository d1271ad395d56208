import * as vscode from 'vscode';
import type { CaptureHub } from '../core/captureHub';
import { AdapterFactory } from './adapterFactory';
import { debugCurrentFile } from './debugCurrentFile';
import { NODE_TYPES, PYTHON_TYPE } from './debugConfiguration';
import { debugWith } from './existing/debugWith';
import { EXISTING_TYPES, ExistingSessions } from './existing/existingSessions';
import { injectCapture } from './existing/injectCapture';
import { NodeConfigurationProvider } from './nodeConfigurationProvider';
import { NodeTrackerFactory } from './nodeTracker';
import { PendingCaptures } from './pendingCaptures';
import { PythonConfigurationProvider } from './pythonConfigurationProvider';
import { SessionTracker } from './sessionTracker';
import type { TensorStops } from './tensorStopWords';

/** Registers the debug type `normscope`, capture for Node launches, and their command. */
export function registerDebug(
  context: vscode.ExtensionContext,
  hub: CaptureHub,
  log: (line: string) => void,
  stops: TensorStops,
): vscode.Disposable {
  const tracker = new SessionTracker();
  const agentDir = context.asAbsolutePath('dist/agents/python');
  const agentFile = context.asAbsolutePath('dist/agents/node/agent.cjs');
  const captures = new PendingCaptures(hub);
  const factory = new AdapterFactory({
    captures,
    tracker,
    stops,
    agentDir,
    log,
    store: hub.store,
  });
  const existing = new ExistingSessions(factory, tracker, () => captures.enabled);
  const nodeProvider = new NodeConfigurationProvider(captures, agentFile);
  const nodeTracker = new NodeTrackerFactory(captures, tracker, stops);
  const { debug } = vscode;
  return vscode.Disposable.from(
    debug.registerDebugConfigurationProvider(PYTHON_TYPE, new PythonConfigurationProvider()),
    debug.registerDebugAdapterDescriptorFactory(PYTHON_TYPE, factory),
    ...EXISTING_TYPES.flatMap((type) => [
      debug.registerDebugConfigurationProvider(type, existing),
      debug.registerDebugAdapterTrackerFactory(type, existing),
    ]),
    ...NODE_TYPES.flatMap((type) => [
      debug.registerDebugConfigurationProvider(type, nodeProvider),
      debug.registerDebugAdapterTrackerFactory(type, nodeTracker),
    ]),
    debug.onDidTerminateDebugSession((session) => tracker.end(session)),
    vscode.commands.registerCommand('normscope.debugCurrentFile', debugCurrentFile),
    vscode.commands.registerCommand('normscope.debugWith', debugWith),
    vscode.commands.registerCommand('normscope.injectCapture', () =>
      injectCapture({ captures, tracker, agentDir }),
    ),
    existing,
    tracker,
    captures,
  );
}
