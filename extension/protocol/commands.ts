import type { CaptureSettings } from './environment';
import type { LayerId } from './ids';

/** What the collector sends to an agent: safetensors blobs with a body and no tensors. */

export interface Configure {
  readonly kind: 'configure';
  readonly capture: CaptureSettings;
}

/** The layers someone looks at; empty for none. */
export interface Focus {
  readonly kind: 'focus';
  readonly layers: readonly LayerId[];
}

/** What may stop the program in the debugger. Sent at first and whenever it changes. */
export interface Breakpoints {
  readonly kind: 'breakpoints';
  /** Ask at the end of each captured step. */
  readonly steps: boolean;
  /** Look at every tensor of every tap as it comes for values that are not finite, and ask. */
  readonly nonFinite: boolean;
}

/** The answer to a question of the agent. */
export interface Verdict {
  readonly kind: 'verdict';
  readonly question: number;
  readonly stop: boolean;
}

export type AgentCommand = Configure | Focus | Breakpoints | Verdict;
