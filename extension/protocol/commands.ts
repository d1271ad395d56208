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

export type AgentCommand = Configure | Focus;
