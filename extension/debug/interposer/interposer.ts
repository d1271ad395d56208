import { encodeMessage } from './framing';
import { connectAdapter } from './connectedAdapter';
import { delegateFactories } from './delegates';
import { AdapterGone, type Delegate, type Link } from './delegate';
import { errorResponse, outputEvent, requestMessage } from './messages';
import type { Message, Request, Response } from './messages';
import type { InterposerOptions } from './options';
import { SequenceNumbers } from './sequenceNumbers';
import { english, requestFailed, requestTooLong, type UpstreamEnd } from './sentences';
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
  /** Ends the waiting for each open question of our own. */
  private readonly asking = new Set<(reason: Error) => void>();
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
    if (message.type === 'request') this.unanswered.set(message.seq, message);
    this.guarded(
      () => this.pass(message),
      (detail) => message.type === 'request' && this.fail(message.seq, detail),
    );
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
    this.stopAsking();
    this.upstream?.dispose();
    this.listeners.clear();
  }

  private pass(message: Message): void {
    let passed = this.numbers.fromClient(message);
    if (passed) this.open();
    for (const delegate of this.delegates) {
      if (!passed) return;
      if (delegate.fromClient) passed = delegate.fromClient(passed);
    }
    if (passed) this.toAdapter(passed);
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
    const restored = this.numbers.fromAdapter(message);
    if (!restored) return;
    this.guarded(
      () => this.passBack(restored),
      (detail) => restored.type === 'response' && this.fail(restored.request_seq, detail),
    );
  }

  private passBack(message: Message): void {
    let passed: Message | undefined = message;
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
    this.stopAsking();
    for (const delegate of this.delegates.toReversed()) {
      this.guarded(() => delegate.adapterEnded?.(end));
    }
  }

  /** Answers a request that can not be answered otherwise, if it was not. */
  private fail(seq: number, detail: string): void {
    const request = this.unanswered.get(seq);
    if (request) {
      this.toClient(errorResponse(request, requestFailed(request.command, detail, this.t)));
    }
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
      if (this.state !== 'open') {
        reject(new AdapterGone());
        return;
      }
      const settle = () => {
        clearTimeout(timer);
        this.asking.delete(fail);
        this.numbers.forget(request);
      };
      const fail = (reason: Error) => {
        settle();
        reject(reason);
      };
      const request = this.numbers.forAsking(requestMessage(command, args), (response) => {
        if (!response.success) return fail(new Error(response.message ?? 'refused'));
        settle();
        resolve(response);
      });
      const timer = setTimeout(() => fail(new Error('no answer')), timeoutMs);
      this.asking.add(fail);
      this.upstream?.send(encodeMessage(request));
    });
  }

  private stopAsking(): void {
    for (const fail of [...this.asking]) fail(new AdapterGone());
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
  private guarded(action: () => void, failed?: (detail: string) => void): void {
    try {
      action();
    } catch (error) {
      this.options.log?.(`interposer: ${error instanceof Error ? error.stack : String(error)}`);
      failed?.(error instanceof Error ? error.message : String(error));
    }
  }
}
