import type { Message, Request, Response } from './messages';
import type { Translate, UpstreamEnd } from './sentences';

/**
 * One concern between client and adapter. Messages pass all delegates: from the client in order,
 * from the adapter in reverse. Each request bears its sender's own sequence number.
 */
export interface Delegate {
  /** Returns what goes on to the adapter; nothing to hold or to have answered the message. */
  fromClient?(message: Message): Message | undefined;
  /** Returns what goes on to the client; nothing to hold or to have answered the message. */
  fromAdapter?(message: Message): Message | undefined;
  /** The adapter is gone; nothing more can be sent to it. */
  adapterEnded?(end: UpstreamEnd): void;
  dispose?(): void;
}

/** A question stays without an answer, since the adapter is gone. */
export class AdapterGone extends Error {}

/** What a delegate can do of its own accord. */
export interface Link {
  /** Sends straight to the client, past the other delegates. */
  toClient(message: Message): void;
  /** Sends straight to the adapter, past the other delegates. */
  toAdapter(message: Message): void;
  /**
   * Asks the adapter something the client never hears of. Rejects with a sentence, or with
   * {@link AdapterGone} as soon as there is nobody to ask.
   */
  ask(command: string, args: object, timeoutMs: number): Promise<Response>;
  /** Requests of the client that have no response yet. */
  pending(): readonly Request[];
  /** Ends the adapter as if it had ended by itself. */
  endAdapter(end: UpstreamEnd): void;
  /** Tells the person a sentence: in the debug console and wherever the host shows it. */
  notice(sentence: string): void;
  readonly t: Translate;
}

export type DelegateFactory = (link: Link) => Delegate;
