import * as vscode from 'vscode';
import { PYTHON_TYPE, programName } from '../debugConfiguration';
import { injectStatements } from '../interposer/attachInjection';
import { injectionFailed } from '../interposer/sentences';
import type { PendingCaptures } from '../pendingCaptures';
import type { SessionTracker } from '../sessionTracker';
import { TrackedSession } from '../trackedSession';
import { EXISTING_TYPES } from './existingSessions';

const TYPES: readonly string[] = [...EXISTING_TYPES, PYTHON_TYPE];

interface Parts {
  readonly captures: PendingCaptures;
  readonly tracker: SessionTracker;
  /** Folder of the Python agent. */
  readonly agentDir: string;
}

const { t } = vscode.l10n;

/** The command "Inject Capture into Debugged Program": for one that was started without. */
export async function injectCapture({ captures, tracker, agentDir }: Parts): Promise<void> {
  const session = vscode.debug.activeDebugSession;
  if (!session || !TYPES.includes(session.type)) {
    void vscode.window.showErrorMessage(
      t('No Python program is being debugged: start or attach to one, then inject capture.'),
    );
    return;
  }
  if (tracker.of(session)) {
    void vscode.window.showInformationMessage(t('This program is captured already.'));
    return;
  }
  const program = programName(session.configuration);
  const opened = captures.open({ sessionType: session.type, program });
  const capture = opened && captures.claim(opened.token);
  if (!capture) return;
  const show = (sentence: string) => void vscode.window.showWarningMessage(sentence);
  try {
    const expression = injectStatements({ agentDir, environment: capture.environment });
    await session.customRequest('evaluate', { expression, context: 'repl' });
    const print = (sentence: string) => vscode.debug.activeDebugConsole.appendLine(sentence);
    tracker.add(session, new TrackedSession(capture, session.id, { print, show }));
  } catch (error) {
    capture.end();
    const lines = error instanceof Error ? error.message.trim().split('\n') : [];
    const detail = (lines.at(-1) ?? '').replace(/^RuntimeError: /, '').replace(/\.$/, '');
    show(injectionFailed(detail, t));
  }
}
