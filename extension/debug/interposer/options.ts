import type { Translate } from './sentences';
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
  /** Environment that the terminal or the adapter gives to the process before the request's own. */
  readonly baseEnvironment?: Readonly<Record<string, string | undefined>> | undefined;
  /** Sentences for the person; they are in the debug console already. */
  readonly onNotice?: ((sentence: string) => void) | undefined;
  readonly log?: ((line: string) => void) | undefined;
  readonly translate?: Translate | undefined;
  /** Longest wait for the adapter's first answer; 20 s unless set. */
  readonly initializeTimeoutMs?: number | undefined;
}
