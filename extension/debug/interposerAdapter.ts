import * as vscode from 'vscode';
import type { Interposer } from './interposer/interposer';
import { asMessage } from './interposer/messages';

/** Who follows a session; its members must not throw. */
export interface AdapterWatcher {
  onSent(message: unknown): void;
  onReceived?(message: unknown): void;
  onDispose?(): void;
}

/** The interposer as VS Code's inline debug adapter. */
export class InterposerAdapter implements vscode.DebugAdapter {
  private readonly emitter = new vscode.EventEmitter<vscode.DebugProtocolMessage>();
  private readonly subscription: { dispose(): void };
  readonly onDidSendMessage = this.emitter.event;

  constructor(
    private readonly interposer: Interposer,
    private readonly watcher: AdapterWatcher,
  ) {
    this.subscription = interposer.onDidSendMessage((message) => {
      this.watcher.onSent(message);
      this.emitter.fire(message);
    });
  }

  handleMessage(received: vscode.DebugProtocolMessage): void {
    const message = asMessage(received);
    this.watcher.onReceived?.(message);
    if (message) this.interposer.handleMessage(message);
  }

  dispose(): void {
    this.subscription.dispose();
    this.interposer.dispose();
    this.emitter.dispose();
    this.watcher.onDispose?.();
  }
}
