import type * as vscode from 'vscode';
import type { TrackedSession } from './trackedSession';

/** The session that a session of a child process descends from. */
export function rootOf(session: vscode.DebugSession): vscode.DebugSession {
  let root = session;
  while (root.parentSession) root = root.parentSession;
  return root;
}

/** Debug sessions with capture, by the id of the root session. */
export class SessionTracker implements vscode.Disposable {
  private readonly sessions = new Map<string, TrackedSession>();

  /** A restarted session keeps its id; its earlier capture ends. */
  add(session: vscode.DebugSession, tracked: TrackedSession): void {
    this.sessions.get(session.id)?.end();
    this.sessions.set(session.id, tracked);
  }

  of(session: vscode.DebugSession): TrackedSession | undefined {
    return this.sessions.get(rootOf(session).id);
  }

  /** Ends the capture of a session; with `tracked`, only if it is still that session's. */
  end(session: vscode.DebugSession, tracked = this.sessions.get(session.id)): void {
    tracked?.end();
    if (this.sessions.get(session.id) === tracked) this.sessions.delete(session.id);
  }

  dispose(): void {
    for (const tracked of this.sessions.values()) tracked.end();
    this.sessions.clear();
  }
}
