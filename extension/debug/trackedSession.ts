import type { CaptureSession } from '../core/captureHub';
import { asMessage, isRecord } from './interposer/messages';

const RESUMING = new Set(['continue', 'next', 'stepIn', 'stepOut', 'stepBack', 'goto']);
const ENDING = new Set(['disconnect', 'terminate']);
const STARTING = new Set(['launch', 'attach']);

/** The ways to the person. */
export interface Person {
  /** Writes a line to the session's debug console, if it is still there. */
  print(sentence: string): void;
  /** Shows a message. */
  show(sentence: string): void;
}

/** One root debug session with its capture: what the person is told, and how it stands. */
export class TrackedSession {
  private readonly paused = new Set<string>();
  private readonly finished = new Set<string>();
  private readonly told = new Set<string>();
  private readonly subscription: { dispose(): void };
  private exitCode: number | null = null;
  private stopAsked = false;
  private over = false;

  /** @param root - id of the root session */
  constructor(
    readonly capture: CaptureSession,
    private readonly root: string,
    private readonly person: Person,
  ) {
    this.subscription = capture.onNotice((sentence) => this.tell(sentence));
  }

  /** Follows what a debug adapter sends, for the root session and for its children. */
  observe(sessionId: string, sent: unknown): void {
    const message = asMessage(sent);
    if (!message || this.over) return;
    if (message.type === 'response') {
      if (message.success && RESUMING.has(message.command)) this.resumed(sessionId);
      const isRoot = sessionId === this.root;
      if (!message.success && isRoot && STARTING.has(message.command)) this.capture.setFailed();
    } else if (message.type === 'event') {
      const body = isRecord(message.body) ? message.body : {};
      if (message.event === 'stopped') this.stopped(sessionId);
      if (message.event === 'terminated') this.finished.add(sessionId);
      if (message.event === 'continued' || message.event === 'terminated') this.resumed(sessionId);
      // A program that the person ended has the code of the signal that did it, which says nothing.
      if (message.event === 'exited' && typeof body.exitCode === 'number' && !this.stopAsked) {
        this.exitCode = body.exitCode;
      }
    }
  }

  /** Follows what VS Code asks of the adapter, which is to disconnect also when the program has ended. */
  asked(sessionId: string, received: unknown): void {
    const message = asMessage(received);
    if (this.finished.has(sessionId)) return;
    if (message?.type === 'request' && ENDING.has(message.command)) {
      this.stopAsked = true;
      this.capture.setStopping();
    }
  }

  /** Tells the person a sentence, once: as a message and in the debug console. */
  tell(sentence: string): void {
    if (this.told.has(sentence)) return;
    this.warn(sentence);
    try {
      this.person.print(sentence);
    } catch {
      // The console may be gone with its session; the message is shown.
    }
  }

  /** Shows a sentence, once, that is in the debug console already. */
  warn(sentence: string): void {
    if (this.told.has(sentence)) return;
    this.told.add(sentence);
    this.person.show(sentence);
  }

  /** The root session has ended. What capture has to say about the end comes later and is told. */
  end(): void {
    if (this.over) return;
    this.over = true;
    this.capture.end(this.exitCode);
    void this.capture.finished.then(() => this.subscription.dispose());
  }

  private stopped(sessionId: string): void {
    this.paused.add(sessionId);
    this.capture.setPaused(true);
  }

  private resumed(sessionId: string): void {
    if (this.paused.delete(sessionId) && this.paused.size === 0) this.capture.setPaused(false);
  }
}
