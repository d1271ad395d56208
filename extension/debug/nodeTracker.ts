import * as vscode from 'vscode';
import { TOKEN_VARIABLE } from '../protocol/environment';
import { isRecord } from './interposer/messages';
import type { PendingCaptures } from './pendingCaptures';
import { rootOf, TrackedSession, type SessionTracker } from './sessionTracker';

function tokenOf(session: vscode.DebugSession): string | undefined {
  const { env } = session.configuration;
  const token = isRecord(env) ? env[TOKEN_VARIABLE] : undefined;
  return typeof token === 'string' ? token : undefined;
}

/** Node sessions have no console of their own for us: theirs is the active one when they run. */
function printTo(session: vscode.DebugSession): (sentence: string) => void {
  return (sentence) => {
    const active = vscode.debug.activeDebugSession;
    if (active && rootOf(active).id === session.id) {
      vscode.debug.activeDebugConsole.appendLine(sentence);
    }
  };
}

/** Follows the sessions of VS Code's Node debugger that were launched with capture. */
export class NodeTrackerFactory implements vscode.DebugAdapterTrackerFactory {
  constructor(
    private readonly captures: PendingCaptures,
    private readonly tracker: SessionTracker,
  ) {}

  // Not async: a tracker that comes late costs the session all its trackers.
  createDebugAdapterTracker(session: vscode.DebugSession): vscode.DebugAdapterTracker | undefined {
    const tracked = this.tracker.of(session) ?? this.track(session);
    if (!tracked) return undefined;
    return {
      onWillReceiveMessage: (message) => tracked.asked(session.id, message),
      onDidSendMessage: (message) => tracked.observe(session.id, message),
    };
  }

  private track(session: vscode.DebugSession): TrackedSession | undefined {
    const token = session.parentSession ? undefined : tokenOf(session);
    const capture = token === undefined ? undefined : this.captures.claim(token);
    if (!capture) return undefined;
    const tracked = new TrackedSession(capture, printTo(session));
    this.tracker.add(session, tracked);
    return tracked;
  }
}
