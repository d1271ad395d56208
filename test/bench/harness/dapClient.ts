import type { Message, Request } from '../../../extension/debug/interposer/messages';

/** One end of the debug protocol: the interposer, or debugpy's adapter itself. */
export interface Adapter {
  send(message: Message): void;
  onMessage(listener: (message: Message) => void): void;
  dispose(): void;
}

const TIMEOUT_MS = 120_000;

type Body = Readonly<Record<string, unknown>>;

/** Asks an adapter and waits for its answers and events. */
export class DapClient {
  private seq = 0;
  private readonly waiting = new Map<number, (message: Message) => void>();
  private readonly stops: Body[] = [];
  private readonly onStop = new Set<() => void>();
  private initialized: () => void = () => {};
  readonly ready = new Promise<void>((resolve) => (this.initialized = resolve));

  constructor(private readonly adapter: Adapter) {
    adapter.onMessage((message) => this.receive(message));
  }

  /** @throws Error with what the adapter said when it refuses, or does not answer in two minutes */
  ask(command: string, args: object = {}): Promise<Body> {
    const request: Request = { seq: ++this.seq, type: 'request', command, arguments: args };
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no answer to ${command}`)), TIMEOUT_MS);
      this.waiting.set(request.seq, (message) => {
        clearTimeout(timer);
        if (message.type !== 'response') return;
        if (message.success) resolve((message.body ?? {}) as Body);
        else reject(new Error(`${command}: ${message.message ?? 'refused'}`));
      });
      this.adapter.send(request);
    });
  }

  /** The next stop that was not asked for yet. */
  async nextStop(): Promise<Body> {
    for (;;) {
      const stop = this.stops.shift();
      if (stop) return stop;
      await new Promise<void>((resolve) => this.onStop.add(resolve));
    }
  }

  private receive(message: Message): void {
    if (message.type === 'response') {
      this.waiting.get(message.request_seq)?.(message);
      this.waiting.delete(message.request_seq);
    } else if (message.type === 'event') {
      if (message.event === 'initialized') this.initialized();
      if (message.event !== 'stopped') return;
      this.stops.push((message.body ?? {}) as Body);
      for (const resolve of this.onStop) resolve();
      this.onStop.clear();
    }
  }
}
