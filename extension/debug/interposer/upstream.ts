import type { Message } from './messages';
import type { UpstreamEnd } from './sentences';

export interface UpstreamEvents {
  onMessage(message: Message): void;
  /** Called once, and not after `dispose`. Nothing follows it. */
  onEnd(end: UpstreamEnd): void;
}

/** A debug adapter that messages can be sent to. */
export interface Upstream {
  send(bytes: Uint8Array): void;
  /** Ends it for good: within a short grace in order, then by force. */
  dispose(): void;
}

/** Where the adapter is: a Python to start it with, or a socket that it listens on. */
export type UpstreamTarget =
  | {
      readonly kind: 'spawn';
      /** The interpreter and its own arguments, such as `py -3`. */
      readonly python: readonly string[];
      readonly cwd?: string | undefined;
      /** Environment of the adapter; without the agent. */
      readonly env?: NodeJS.ProcessEnv | undefined;
    }
  | { readonly kind: 'connect'; readonly host: string; readonly port: number };
