import * as vscode from 'vscode';
import type { CaptureSession } from '../core/captureHub';
import { notificationText } from '../core/plainText';
import { asMessage, isRecord, RESUMING } from './interposer/messages';
import { exceptionInfo, type StopWords } from './interposer/tensorBreakpoints';
import { tensorStopWords, type TensorStops } from './tensorStopWords';

/**
 * Tells the person why a program stops at a tensor breakpoint in one session of VS Code's own Node
 * debugger, which takes the stop for a `debugger` statement. Its messages are put right on their way
 * to VS Code, which looks at the same objects; where it should not, the notification says it all.
 */
export class NodeStops {
  private words: StopWords | undefined;

  /** @param processOf - id of the session's process; null where it is not known */
  constructor(
    private readonly capture: CaptureSession,
    private readonly stops: TensorStops,
    private readonly processOf: () => number | null,
  ) {}

  /** Follows what VS Code asks of the debugger. */
  asked(received: unknown): void {
    const message = asMessage(received);
    if (message?.type === 'request' && RESUMING.has(message.command)) this.words = undefined;
  }

  /** Sees what the debugger sends before VS Code does. */
  sent(sent: unknown): void {
    const message = asMessage(sent);
    if (!message) return;
    if (message.type === 'event' && message.event === 'stopped') this.stopped(message);
    if (message.type === 'response' && message.command === 'exceptionInfo' && this.words) {
      Object.assign(message, {
        success: true,
        message: undefined,
        body: exceptionInfo(this.words),
      });
    }
  }

  private stopped(event: { body?: unknown }): void {
    const stop = this.capture.takeTensorStop(this.processOf(), true);
    this.words = stop && tensorStopWords(stop, this.stops);
    if (!stop || !this.words) return;
    const { title, sentence } = this.words;
    const body = isRecord(event.body) ? event.body : {};
    event.body = { ...body, reason: 'exception', description: title, text: sentence };
    this.stops.happened(stop);
    const show = vscode.l10n.t('Show in Panel');
    const text = notificationText(sentence);
    void vscode.window.showWarningMessage(text, show).then((chosen) => {
      if (chosen !== show) return;
      const target = { run: stop.run, layers: [stop.layer] };
      void vscode.commands.executeCommand('normscope.showInPanel', target);
    });
  }
}
