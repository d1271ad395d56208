import * as vscode from 'vscode';
import { descendants, processTable } from '../../../scripts/setup/processTree';
import { waitFor } from '../../harness/waitFor';

interface StoppedBody {
  readonly reason: string;
  readonly threadId: number;
}

interface StackFrame {
  readonly id: number;
  readonly name: string;
  readonly line: number;
  readonly source?: { readonly path?: string };
}

/** Path of a source, which VS Code may have turned into the URI of a remote file. */
export function pathOf(frame: StackFrame): string {
  const given = frame.source?.path ?? '';
  return /^[\w-]{2,}:\/\//.test(given) ? vscode.Uri.parse(given).path : given;
}

/** A debugged program that is paused. */
export interface Pause {
  readonly session: vscode.DebugSession;
  readonly reason: string;
  readonly threadId: number;
  readonly frame: StackFrame;
}

/** Follows the debug sessions from its making to its disposal. */
export class DebugWatcher implements vscode.Disposable {
  readonly output: string[] = [];
  readonly ended: string[] = [];
  readonly started: vscode.DebugSession[] = [];
  exitCode: number | undefined;
  private readonly stops: { session: vscode.DebugSession; body: StoppedBody }[] = [];
  private readonly subscriptions: vscode.Disposable[];

  constructor() {
    this.subscriptions = [
      vscode.debug.onDidStartDebugSession((session) => this.started.push(session)),
      vscode.debug.onDidTerminateDebugSession((session) => this.ended.push(session.id)),
      vscode.debug.registerDebugAdapterTrackerFactory('*', {
        createDebugAdapterTracker: (session) => ({
          onDidSendMessage: (message) => this.hear(session, message),
        }),
      }),
    ];
  }

  /** The next pause that has not been asked for yet. */
  async pause(timeoutMs = 150_000): Promise<Pause> {
    const stop = await waitFor('a pause', () => this.stops.shift(), timeoutMs);
    const { session, body } = stop;
    const stack = (await session.customRequest('stackTrace', {
      threadId: body.threadId,
      levels: 1,
    })) as { stackFrames: StackFrame[] };
    const [frame] = stack.stackFrames;
    if (frame === undefined) throw new Error('The paused thread has no frame.');
    return { session, reason: body.reason, threadId: body.threadId, frame };
  }

  /** Waits until no session is left. */
  async allEnded(timeoutMs = 150_000): Promise<void> {
    await waitFor(
      'the end of all sessions',
      () =>
        this.started.length > 0 && this.started.every((session) => this.ended.includes(session.id)),
      timeoutMs,
    );
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private hear(
    session: vscode.DebugSession,
    message: { type: string; event?: string; body?: Record<string, unknown> },
  ): void {
    if (message.type !== 'event') return;
    if (message.event === 'stopped') {
      this.stops.push({ session, body: message.body as unknown as StoppedBody });
    }
    if (message.event === 'output') this.output.push(String(message.body?.['output']));
    if (message.event === 'exited') this.exitCode = Number(message.body?.['exitCode']);
  }
}

export function breakAt(file: string, line: number): void {
  const location = new vscode.Location(vscode.Uri.file(file), new vscode.Position(line - 1, 0));
  vscode.debug.addBreakpoints([new vscode.SourceBreakpoint(location)]);
}

export const clearBreakpoints = () => vscode.debug.removeBreakpoints(vscode.debug.breakpoints);

/** Starts a configuration in the folder of the workspace; fails when VS Code refuses. */
export async function start(configuration: vscode.DebugConfiguration | string): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0];
  const started = await vscode.debug.startDebugging(folder, configuration);
  if (!started) throw new Error('VS Code refused to start debugging.');
}

/** Waits until no process of a debugged program, and no adapter of ours, is left. */
export async function nothingLeftOf(file: string): Promise<void> {
  const left = () => {
    const table = processTable();
    const ours = new Set(descendants(process.pid, table));
    return table.filter(
      ({ pid, command }) =>
        command.includes(file) || (ours.has(pid) && /debugpy|ms-python/.test(command)),
    );
  };
  try {
    await waitFor('the end of all processes', () => left().length === 0, 30_000);
  } catch (error) {
    throw new Error(`${String(error)} Left: ${JSON.stringify(left())}`);
  }
}

/** Ends whatever a failed test has left behind, so that it does not disturb the next. */
export async function endEverything(): Promise<void> {
  clearBreakpoints();
  await vscode.debug.stopDebugging();
}
