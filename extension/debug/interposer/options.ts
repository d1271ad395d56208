import type { NormLayers } from './normLayersScope';
import type { Translate } from './sentences';
import type { TensorBreakpoints } from './tensorBreakpoints';
import type { TensorTexts } from './tensorTexts';
import type { UpstreamTarget } from './upstream';

/** How capture gets into the process that is debugged. */
export interface CaptureInjection {
  /** Folder that goes on the process's `PYTHONPATH`. */
  readonly agentDir: string;
  /** `NORMSCOPE_*` variables of the capture session. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface InterposerOptions {
  readonly upstream: UpstreamTarget;
  /** Left out for child sessions, which inherit it, and where capture is off. */
  readonly capture?: CaptureInjection | undefined;
  /** Left out where tensors are to look as debugpy shows them. */
  readonly tensors?: TensorTexts | undefined;
  /** Left out where there is no run to show. */
  readonly normLayers?: NormLayers | undefined;
  /** Left out where capture is off. */
  readonly tensorBreakpoints?: TensorBreakpoints | undefined;
  /** Environment that the terminal or the adapter gives to the process before the request's own. */
  readonly baseEnvironment?: Readonly<Record<string, string | undefined>> | undefined;
  /** Sentences for the person; they are in the debug console already. */
  readonly onNotice?: ((sentence: string) => void) | undefined;
  readonly log?: ((line: string) => void) | undefined;
  readonly translate?: Translate | undefined;
  /** Longest wait for the adapter's first answer; 20 s unless set. */
  readonly initializeTimeoutMs?: number | undefined;
}
