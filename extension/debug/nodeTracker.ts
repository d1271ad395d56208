import * as vscode from 'vscode';
import { TOKEN_VARIABLE } from '../protocol/environment';
import { captureOff } from './captureOff';
import { isRecord } from './interposer/messages';
import { OFF_ATTRIBUTE } from './nodeConfigurationProvider';
import { NodeStops } from './nodeStops';
import type { PendingCaptures } from './pendingCaptures';
import { rootOf, type SessionTracker } from './sessionTracker';
import type { TensorStops } from './tensorStopWords';
import { TrackedSession } from './trackedSession';

function tokenOf(session: vscode.DebugSession): string | undefined {
  const { env } = session.configuration;
  const token = isRecord(env) ? env[TOKEN_VARIABLE] : undefined;
  return typeof token === 'string' ? token : undefined;
}

/**
 * Node sessions have no console of their own for us: theirs is the active one when they run.
 *
 * @returns whether it was
 */
function printTo(session: vscode.DebugSession, sentence: string): boolean {
  const active = vscode.debug.activeDebugSession;
  if (!active || rootOf(active).id !== session.id) return false;
  vscode.debug.activeDebugConsole.appendLine(sentence);
  return true;
}

/**
 * The process of a session of VS Code's Node debugger, which tells it in the name alone:
 * `train.js [4711]`. Sessions of all children of a launch share one capture.
 */
export function processOf(sessionName: string): number | null {
  const [, id] = /\[(\d+)\]$/.exec(sessionName) ?? [];
  return id === undefined ? null : Number(id);
}

/** Follows the sessions of VS Code's Node debugger that were launched with capture. */
export class NodeTrackerFactory implements vscode.DebugAdapterTrackerFactory {
  constructor(
    private readonly captures: PendingCaptures,
    private readonly tracker: SessionTracker,
    private readonly stops: TensorStops,
  ) {}

  // Not async: a tracker that comes late costs the session all its trackers.
  createDebugAdapterTracker(session: vscode.DebugSession): vscode.DebugAdapterTracker | undefined {
    if (session.configuration[OFF_ATTRIBUTE] === true) return this.whileOff(session);
    const tracked = this.tracker.of(session) ?? this.track(session);
    if (!tracked) return undefined;
    const stops = new NodeStops(tracked.capture, this.stops, () => processOf(session.name));
    return {
      onWillReceiveMessage: (message) => {
        tracked.asked(session.id, message);
        stops.asked(message);
      },
      onDidSendMessage: (message) => {
        tracked.observe(session.id, message);
        stops.sent(message);
      },
    };
  }

  /** Says once that capture is off, as soon as the session has a console. */
  private whileOff(session: vscode.DebugSession): vscode.DebugAdapterTracker {
    let said = false;
    return {
      onDidSendMessage: () => {
        said ||= printTo(session, captureOff());
      },
    };
  }

  private track(session: vscode.DebugSession): TrackedSession | undefined {
    const token = session.parentSession ? undefined : tokenOf(session);
    const capture = token === undefined ? undefined : this.captures.claim(token);
    if (!capture) return undefined;
    const tracked = new TrackedSession(capture, session.id, {
      print: (sentence) => printTo(session, sentence),
      show: (sentence) => void vscode.window.showWarningMessage(sentence),
    });
    this.tracker.add(session, tracked);
    return tracked;
  }
}
