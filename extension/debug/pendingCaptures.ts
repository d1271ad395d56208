import * as vscode from 'vscode';
import type { CaptureHub, CaptureSession } from '../core/captureHub';

/** Tasks that run before a launch may take this long. */
const UNCLAIMED_MS = 10 * 60 * 1000;

type Origin = Parameters<CaptureHub['openSession']>[0];

/**
 * Capture sessions that were opened for a launch configuration before VS Code has a debug session
 * for it. One that no debug session claims is ended: its launch was cancelled or failed.
 */
export class PendingCaptures {
  private readonly pending = new Map<CaptureSession, NodeJS.Timeout>();

  constructor(private readonly hub: CaptureHub) {}

  /** Whether the settings let processes be captured; else none is to be opened. */
  get enabled(): boolean {
    return this.hub.captureEnabled;
  }

  /** Nothing, once the person was told why, where capture is not possible: debugging goes on. */
  open(origin: Origin): CaptureSession | undefined {
    const capture = this.openInHub(origin);
    if (!capture) return undefined;
    const timer = setTimeout(() => this.abandon(capture), UNCLAIMED_MS);
    timer.unref();
    this.pending.set(capture, timer);
    return capture;
  }

  /** The capture session of a token, for the debug session that bears it. */
  claim(token: string): CaptureSession | undefined {
    const capture = this.hub.sessionByToken(token);
    if (!capture) return undefined;
    clearTimeout(this.pending.get(capture));
    this.pending.delete(capture);
    return capture;
  }

  dispose(): void {
    for (const capture of [...this.pending.keys()]) this.abandon(capture);
  }

  private openInHub(origin: Origin): CaptureSession | undefined {
    try {
      return this.hub.openSession(origin);
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      void vscode.window.showWarningMessage(
        vscode.l10n.t(
          'Norm capture could not be started ({0}): reload the window; debugging goes on without it.',
          detail,
        ),
      );
      return undefined;
    }
  }

  private abandon(capture: CaptureSession): void {
    clearTimeout(this.pending.get(capture));
    this.pending.delete(capture);
    capture.end();
  }
}
