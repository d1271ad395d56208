import { encodeMessage } from './framing';
import { connectAdapter } from './connectedAdapter';
import { delegateFactories } from './delegates';
import type { Delegate, Link } from './delegate';
import { errorResponse, outputEvent, requestMessage } from './messages';
import type { Message, Request, Response } from './messages';
import type { InterposerOptions } from './options';
import { SequenceNumbers } from './sequenceNumbers';
import { english, requestTooLong, type UpstreamEnd } from './sentences';
import { spawnAdapter } from './spawnedAdapter';
import type { Upstream } from './upstream';

/** debugpy reads no longer body; one that is longer would end the session without a word. */
const MAX_ADAPTER_BODY = 0xffffff;

/**
 * A debug adapter between a client and debugpy's own adapter. Messages pass a chain of delegates
 * in both directions; the adapter is started or connected to by the client's first message.
 */
export class Interposer {
  private readonly listeners = new Set<(message: Message) => void>();
  private readonly numbers = new SequenceNumbers();
  private readonly unanswered = new Map<number, Request>();
  private readonly delegates: readonly Delegate[];
  private upstream: Upstream | undefined;
  private state: 'new' | 'open' | 'ended' | 'disposed' = 'new';

  constructor(private readonly options: InterposerOptions) {
    const link = this.link();
    this.delegates = delegateFactories(options).map((create) => create(link));
  }

  /** Takes a message of the client. Never throws. */
  handleMessage(message: Message): void {
    if (this.state === 'disposed') return;
    this.guarded(() => {
      const restored = this.numbers.fromClient(message);
      if (!restored) return;
      if (restored.type === 'request') this.unanswered.set(restored.seq, restored);
      this.open();
      let passed: Message | undefined = restored;
      for (const delegate of this.delegates) {
        if (delegate.fromClient) passed = delegate.fromClient(passed);
        if (!passed) return;
      }
      this.toAdapter(passed);
    });
  }

  onDidSendMessage(listener: (message: Message) => void): { dispose(): void } {
    this.listeners.add(listener);
    return { dispose: () => void this.listeners.delete(listener) };
  }

  /** Writes a sentence to the session's debug console. */
  print(sentence: string): void {
    if (this.state !== 'disposed') this.toClient(outputEvent(sentence));
  }

  /** Ends the adapter and what it started. */
  dispose(): void {
    if (this.state === 'disposed') return;
    this.state = 'disposed';
    for (const delegate of this.delegates) this.guarded(() => delegate.dispose?.());
    this.upstream?.dispose();
    this.listeners.clear();
  }

  private open(): void {
    if (this.state !== 'new') return;
    this.state = 'open';
    const target = this.options.upstream;
    const events = {
      onMessage: (message: Message) => this.guarded(() => this.receive(message)),
      onEnd: (end: UpstreamEnd) => this.guarded(() => this.adapterEnded(end)),
    };
    this.upstream =
      target.kind === 'spawn' ? spawnAdapter(target, events) : connectAdapter(target, events);
  }

  private receive(message: Message): void {
    let passed = this.numbers.fromAdapter(message);
    for (const delegate of this.delegates.toReversed()) {
      if (!passed) return;
      if (delegate.fromAdapter) passed = delegate.fromAdapter(passed);
    }
    if (passed) this.toClient(passed);
  }

  private adapterEnded(end: UpstreamEnd): void {
    if (this.state !== 'open') return;
    this.state = 'ended';
    this.options.log?.(`adapter ended: ${JSON.stringify(end)}`);
    for (const delegate of this.delegates.toReversed()) delegate.adapterEnded?.(end);
  }

  private toClient(message: Message): void {
    if (message.type === 'response') this.unanswered.delete(message.request_seq);
    const numbered = this.numbers.forClient(message);
    for (const listener of [...this.listeners]) this.guarded(() => listener(numbered));
  }

  private toAdapter(message: Message): void {
    if (this.state !== 'open') return;
    const bytes = encodeMessage(this.numbers.forAdapter(message));
    if (bytes.length <= MAX_ADAPTER_BODY) this.upstream?.send(bytes);
    else if (message.type === 'request') {
      this.toClient(errorResponse(message, requestTooLong(message.command, this.t)));
    }
  }

  private ask(command: string, args: object, timeoutMs: number): Promise<Response> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('no answer')), timeoutMs);
      const request = this.numbers.forAsking(requestMessage(command, args), (response) => {
        clearTimeout(timer);
        if (response.success) resolve(response);
        else reject(new Error(response.message ?? 'refused'));
      });
      this.upstream?.send(encodeMessage(request));
    });
  }

  private link(): Link {
    return {
      toClient: (message) => this.toClient(message),
      toAdapter: (message) => this.toAdapter(message),
      ask: (command, args, timeoutMs) => this.ask(command, args, timeoutMs),
      pending: () => [...this.unanswered.values()],
      endAdapter: (end) => {
        this.upstream?.dispose();
        this.adapterEnded(end);
      },
      notice: (sentence) => {
        this.print(sentence);
        this.options.onNotice?.(sentence);
      },
      t: this.t,
    };
  }

  private get t() {
    return this.options.translate ?? english;
  }

  /** Whatever goes wrong in here must not take the host down. */
  private guarded(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.options.log?.(`interposer: ${error instanceof Error ? error.stack : String(error)}`);
    }
  }
}
